# ruff: noqa: E501, T201  # a mutant keeps to its line; a command line prints
"""Breaks the rules one by one and reports which broken engines the tests do not notice.

    python tests/mutants.py             # all of them, some minutes
    python tests/mutants.py BARREL      # those whose name contains BARREL

Each mutant is one change to the text of one module, made in a copy of the engine; the tests of the
engine run against the copy and stop at the first that fails. A mutant that survives is a rule that
no test holds. Exits 1 if one does.
"""

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
EXAMPLES = (
    *("test_scoring", "test_tricks", "test_auction", "test_exchange", "test_lobby", "test_dealing"),
    *("test_cards", "test_profile", "test_house_rules", "test_golden_deals", "test_decide"),
    *("test_evolve", "test_views", "test_glimpses", "test_history", "test_take_back"),
    *("test_choices",),
)
RECORD = ("record/test_writing",)
SECRECY = ("test_secrecy",)
PLAIN = "[pytest]\npythonpath = .\naddopts = --import-mode=importlib -x -q -p no:cacheprovider\n"
"""No plugins and no cache: a run is over in a second."""


class Mutant(NamedTuple):
    """`old` becomes `new` in `module`, which breaks the rule `name`."""

    name: str
    module: str
    old: str
    new: str
    tests: tuple[str, ...] = EXAMPLES


MUTANTS = (
    Mutant("TABLE-2 direction", "dealing", 'return 1 if profile.table.direction == "clockwise" else -1', "return 1"),
    Mutant("TABLE-3 dealer stays", "dealing", "(dealer + step_of(profile)) % profile.table.players", "dealer"),
    Mutant("TABLE-3 dealer clockwise", "dealing", "Seat((dealer + step_of(profile)) %", "Seat((dealer + 1) %"),
    Mutant("TABLE-4 right is left", "dealing", "Seat((dealer - 1) % players)", "Seat((dealer + 1) % players)"),
    Mutant("TABLE-5 forehand by direction", "dealing", "dealer + 1 + index * step_of(profile)", "dealer + (1 + index) * step_of(profile)"),
    Mutant("TABLE-5 sitter plays", "dealing", "for seat in ring if seat != sitter", "for seat in ring"),
    Mutant("TABLE-1 always by lot", "lobby", "command.lot if room.first_dealer is None else room.first_dealer", "command.lot"),
    Mutant("PACK-1 ten below king", "cards", '"789JQKTA"', '"789JQTKA"'),
    Mutant("PACK-1 queen and king swap points", "cards", '"K": 4, "Q": 3', '"K": 3, "Q": 4'),
    Mutant("PACK-2 nothing left out", "profile", "and card not in self.without", ""),
    Mutant("DEAL-1 dealt one by one", "dealing", "for _ in range(packet))", "for _ in range(1))"),
    Mutant("DEAL-2 one talon gets all", "dealing", "talons[laid % dealing.talons]", "talons[0]"),
    Mutant("DEAL-3 anybody deals", "decide", "command.seat != game.dealer and not command.anybody", "False"),
    Mutant("DEAL-3 never anybody", "decide", "command.seat != game.dealer and not command.anybody", "command.seat != game.dealer"),
    Mutant("DEAL-4 any pack", "decide", "if sorted(command.deck, key=str) != sorted(game.profile.pack.cards(), key=str):", "if False:"),
    Mutant("BID-1 equal call", "auction", "    if points < least:", "    if points < least - auction.step:"),
    Mutant("BID-1 off step", "auction", "    if points % auction.step:", "    if False:"),
    Mutant("BID-2 may pass", "auction", "return bool(state.deal.calls) or not _auction(state.game.profile).must_open", "return True"),
    Mutant("BID-3 a pass is not final", "auction", "passed = {said.seat for said in calls if said.points is None}", "passed = {call.seat} if call.points is None else set()"),
    Mutant("BID-3 highest is first", "auction", "for call in reversed(calls)", "for call in calls"),
    Mutant("BID-4 no pair needed", "auction", "if free is not None and points > free and not pairs_in(hand):", "if False:"),
    Mutant("BID-4 pair above 115", "auction", "points > free and", "points >= free and"),
    Mutant("BID-5 no ceiling", "auction", "return Reason.BID_TOO_HIGH if points > _ceiling(profile, hand) else None", "return None"),
    Mutant("BID-6 polish ceiling", "auction", "ceiling = min(ceiling, auction.free_up_to + held)", "pass"),
    Mutant("BID-7 last one is not asked", "auction", "if not left or (top is not None and left == [top.seat]):", "if len(left) < 2:"),
    Mutant("BID-8 low before step", "auction", "    if points % auction.step:\n        return Rejected(Reason.BID_OFF_STEP)\n    if points < least:\n        return Rejected(Reason.BID_TOO_LOW)", "    if points < least:\n        return Rejected(Reason.BID_TOO_LOW)\n    if points % auction.step:\n        return Rejected(Reason.BID_OFF_STEP)"),
    Mutant("EXCH-1 hidden talon is shown", "exchange", "shown = exchange.talon_shown and not (exchange.hidden_at_opening and at_opening)", "shown = True"),
    Mutant("EXCH-2 gifts to anybody", "exchange", "sorted(gift.to for gift in action.gifts) != sorted(receivers(state)) or ", ""),
    Mutant("EXCH-2 one card twice", "exchange", "        set(cards)\n    ) != len(cards):", "        cards\n    ) != len(cards):"),
    Mutant("EXCH-2 gift stays", "evolve", "hands = _with(hands, gift.to, (gift.card,))", "pass"),
    Mutant("EXCH-3 any number", "exchange", " or len(action.cards) != len(state.deal.talon)", ""),
    Mutant("EXCH-4 lower contract", "auction", "    if points < state.bid:\n        return Reason.CONTRACT_TOO_LOW\n", ""),
    Mutant("EXCH-5 keeping is judged", "auction", "    if points == state.bid:\n        return None\n", ""),
    Mutant("EXCH-6 the declarer inherits", "scoring", '"last_trick": state.last_trick.winner', '"last_trick": state.declarer'),
    Mutant("EXCH-6 unused lost", "scoring", "state.deal.laid_away + state.deal.unused", "state.deal.laid_away"),
    Mutant("EXCH-6 laid away lost", "scoring", "state.deal.laid_away + state.deal.unused", "state.deal.unused"),
    Mutant("EXCH-7 shares", "scoring", "share = cost // (len(accounts) - 1)", "share = cost // len(accounts)"),
    Mutant("EXCH-8 always hidden", "exchange", "(exchange.hidden_at_opening and at_opening)", "exchange.hidden_at_opening"),
    Mutant("EXCH-9 first talon only", "exchange", "cards=talons[action.talon]", "cards=talons[0]"),
    Mutant("EXCH-10 foreign cards", "exchange", "if not all(card in state.hands[state.declarer] for card in cards):", "if False:"),
    Mutant("CONC-1 after the lead", "exchange", "in_time = not state.trick and not any(state.tricks)", "in_time = not any(state.tricks)"),
    Mutant("CONC-1 in a later trick", "exchange", "in_time = not state.trick and not any(state.tricks)", "in_time = not state.trick"),
    Mutant("CONC-1 by anybody", "exchange", "    if seat != state.declarer:\n        return Reason.NOT_YOUR_TURN\n", ""),
    Mutant("CONC-2 no pay", "scoring", 'accounts.append(account.add("concession_pay", pay))', "accounts.append(account)"),
    Mutant("CONC-3 every one costs", "scoring", "concession.cost if standing.concessions + 1 == concession.costly else 0", "concession.cost"),
    Mutant("CONC-3 no restart", "scoring", "counted = 0 if cost else account.before.concessions + 1", "counted = account.before.concessions + 1"),
    Mutant("CONC-4 on the barrel", "exchange", "    if standing.barrel is not None:\n        return Reason.CONCEDE_ON_BARREL\n", ""),
    Mutant("CONC-5 bolts", "scoring", "steps: tuple[Step, ...] = (_keep_gains, _reset, _stop_at_barrel)", "steps: tuple[Step, ...] = (_keep_gains, _bolts, _reset, _stop_at_barrel)"),
    Mutant("CONC-5 barrel", "scoring", "steps: tuple[Step, ...] = (_keep_gains, _reset, _stop_at_barrel)", "steps: tuple[Step, ...] = (_keep_gains, _reset, _stop_at_barrel, _count_barrel)"),
    Mutant("CONC-6 no limit", "exchange", "standing.concessions >= concession.limit", "False"),
    Mutant("CONC-7 up to a five", "scoring", "contract // 2 // 5 * 5", "contract // 2"),
    Mutant("VOID-1 before the exchange", "exchange", "        case Contracting():\n            in_time = True\n        case Playing():", "        case Contracting() | Exchanging():\n            in_time = True\n        case Playing():"),
    Mutant("VOID-1 after the own card", "exchange", "not _has_played(state, seat)", "True"),
    Mutant("VOID-1 after a trick", "exchange", "return any(state.tricks) or any(", "return any("),
    Mutant("VOID-1 three nines", "exchange", "all(nine in state.hands[seat] for nine in NINES)", "all(nine in state.hands[seat] for nine in NINES[1:])"),
    Mutant("VOID-2 five is weak", "decide", "points_of(cards) >= redeal.weak_talon_below", "points_of(cards) > redeal.weak_talon_below"),
    Mutant("VOID-3 the dealer moves", "evolve", "return Between(game=phase.game, voided=event)", "return Between(game=replace(phase.game, dealer=phase.deal.order[0]), voided=event)"),
    Mutant("PLAY-1 forehand leads", "evolve", "turn=deal.order[0] if declarer is None else declarer", "turn=deal.order[0]"),
    Mutant("PLAY-1 the winner does not lead", "evolve", "                trick=(),\n                turn=seat,", "                trick=(),\n                turn=phase.deal.order[0],"),
    Mutant("PLAY-1 out of turn", "decide", "    if seat != state.turn:\n        return Rejected(Reason.NOT_YOUR_TURN)\n    card", "    card"),
    Mutant("PLAY-1 cards of others", "tricks", "    if card not in hand:\n        return Reason.NOT_IN_HAND\n    if not state.trick:", "    if not state.trick:"),
    Mutant("PLAY-1 order", "decide", "(order.index(seat) + 1) % len(order)", "(order.index(seat) - 1) % len(order)"),
    Mutant("PLAY-2 no duty to follow", "tricks", "            return Reason.MUST_FOLLOW_SUIT", "            return None"),
    Mutant("PLAY-3 no duty to trump", "tricks", "        return Reason.MUST_TRUMP", "        return None"),
    Mutant("PLAY-3 1001 must trump", "tricks", "elif play.must_trump and", "elif"),
    Mutant("PLAY-4 everybody beats", "tricks", "if play.must_beat else None", ""),
    Mutant("PLAY-4 nobody beats", "tricks", "        return None\n    able = ", "        return None\n    return None\n    able = "),
    Mutant("PLAY-4 a trumped trick must be beaten in the led suit", "tricks", "best = best_of(state.trick, state.trump).card", "best = best_of(state.trick, None).card"),
    Mutant("BID-3 the contract is the opening", "auction", "AuctionWon(declarer=top.seat, points=top.points)", "AuctionWon(declarer=top.seat, points=100)"),
    Mutant("PLAY-4 beat though unable", "tricks", "return Reason.MUST_BEAT if able else None", "return Reason.MUST_BEAT"),
    Mutant("PLAY-5 trumps do not beat", "tricks", "    return card.suit is trump", "    return False"),
    Mutant("PLAY-5 any suit beats", "tricks", "    return card.suit is trump", "    return card.strength > best.strength"),
    Mutant("PLAY-5 the lowest takes", "tricks", "return card.strength > best.strength", "return card.strength < best.strength"),
    Mutant("PLAY-5 points lose a card", "decide", "for played in state.trick)", "for played in state.trick[1:])"),
    Mutant("PLAY-6 everybody sees", "views", "(running_points or seat == viewer)", "True"),
    Mutant("MELD-1 half a pair", "tricks", "if card in PAIRS[card.suit] and all(half in hand for half in PAIRS[card.suit]):", "if card in PAIRS[card.suit]:"),
    Mutant("MELD-1 any card of the suit", "tricks", "if card in PAIRS[card.suit] and all(", "if all("),
    Mutant("MELD-1 not leading", "tricks", "if state.trick or not (any(state.tricks)", "if not (any(state.tricks)"),
    Mutant("MELD-1 points of spades", "tricks", "suit=card.suit, points=meld.worth(card.suit)", "suit=card.suit, points=meld.spades"),
    Mutant("MELD-2 no trump", "evolve", "return replace(phase, trump=suit, melds=", "return replace(phase, melds="),
    Mutant("MELD-2 trump stays", "evolve", "return replace(phase, trump=suit, melds=", "return replace(phase, trump=phase.trump or suit, melds="),
    Mutant("MELD-2 trump after the trick", "decide", "return (tricks.melded(state, seat, card), played)", "return (played, tricks.melded(state, seat, card))"),
    Mutant("MELD-3 first lead", "tricks", "(any(state.tricks) or (meld.first_lead and card.rank is not Rank.ACE))", "True"),
    Mutant("MELD-3 never on the first lead", "tricks", " or (meld.first_lead and card.rank is not Rank.ACE)", ""),
    Mutant("MELD-4 aces on the first lead", "tricks", "(meld.first_lead and card.rank is not Rank.ACE)", "meld.first_lead"),
    Mutant("MELD-4 three aces", "tricks", "all(ace in hand for ace in ACES) else None", "any(ace in hand for ace in ACES) else None"),
    Mutant("MELD-4 always", "tricks", "return meld.four_aces if meld.four_aces and all(", "return meld.four_aces if all("),
    Mutant("MELD-4 aces change the trump", "tricks", "    if card.rank is Rank.ACE:\n        return AcesMelded(seat=seat, points=meld.four_aces)\n", ""),
    Mutant("MELD-5 any order", "tricks", "if meld.must_rise and any(made.points >= worth for made in state.melds):", "if False:"),
    Mutant("MELD-5 the melder's own only", "tricks", "any(made.points >= worth for made", "any(made.points >= worth and made.seat == seat for made"),
    Mutant("MELD-6 from 900", "tricks", "state.game.standings[seat].score > meld.locked_above", "state.game.standings[seat].score >= meld.locked_above"),
    Mutant("MELD-6 nobody is locked", "tricks", "state.game.standings[seat].score > meld.locked_above", "False"),
    Mutant("MELD-7 without a trick", "scoring", "melds=melds if tricks or not state.game.profile.meld.needs_trick else 0", "melds=melds"),
    Mutant("MELD-7 everywhere", "scoring", "melds=melds if tricks or not state.game.profile.meld.needs_trick else 0", "melds=melds if tricks else 0"),
    Mutant("SCORE-1 reset before bolts", "scoring", "(_keep_gains, _bolts, _reset, _stop_at_barrel, _count_barrel)", "(_keep_gains, _reset, _bolts, _stop_at_barrel, _count_barrel)"),
    Mutant("SCORE-1 stop before bolts", "scoring", "(_keep_gains, _bolts, _reset, _stop_at_barrel, _count_barrel)", "(_keep_gains, _stop_at_barrel, _bolts, _reset, _count_barrel)"),
    Mutant("SCORE-1 gains dropped after the stop", "scoring", "(_keep_gains, _bolts, _reset, _stop_at_barrel, _count_barrel)", "(_bolts, _reset, _stop_at_barrel, _keep_gains, _count_barrel)"),
    Mutant("SCORE-2 more than the contract", "scoring", ".raw >= contract", ".raw > contract"),
    Mutant("SCORE-2 rounded", "scoring", "accounts[state.declarer].raw >= contract", "rounded(accounts[state.declarer].raw, 5) >= contract"),
    Mutant("SCORE-3 a half goes down", "scoring", "(points + step // 2) // step", "(points + (step - 1) // 2) // step"),
    Mutant("SCORE-3 python rounds", "scoring", "return (points + step // 2) // step * step", "return round(points / step) * step"),
    Mutant("SCORE-4 raw for the contract", "scoring", 'return contract if scoring.declarer_writes == "contract" else raw', "return raw"),
    Mutant("SCORE-4 a lost contract costs nothing", "scoring", 'account.add("contract_failed", -contract)', 'account.add("contract_failed", 0)'),
    Mutant("SCORE-5 never", "scoring", "if account.now.score == at else account", "if False else account"),
    Mutant("SCORE-6 five goes down", "scoring", "(5 if took_last else 4)", "4"),
    Mutant("SCORE-6 five goes up", "scoring", "(5 if took_last else 4)", "5"),
    Mutant("SCORE-7 everybody is one", "scoring", "if virgin and not account.tricks else account", "if virgin else account"),
    Mutant("SCORE-8 never below nothing", "scoring", "score=self.now.score + points)", "score=max(0, self.now.score + points))"),
    Mutant("SCORE-9 the contract in 1001", "scoring", 'return contract if scoring.declarer_writes == "contract" else raw', "return contract"),
    Mutant("SCORE-10 changes are lost", "scoring", "changes=(*self.changes, Change(cause, points))", "changes=(Change(cause, points),)"),
    Mutant("BOLT-1 melds save", "scoring", "or account.cards or account.before.barrel", "or account.raw or account.before.barrel"),
    Mutant("BOLT-1 a trick saves", "scoring", "or account.cards or account.before.barrel", "or account.cards or account.tricks or account.before.barrel"),
    Mutant("BOLT-2 the second costs", "scoring", "if count < bolts.limit:", "if count + 1 < bolts.limit:"),
    Mutant("BOLT-2 no restart", "scoring", 'account.add("bolts", -bolts.cost).count(bolts=0)', 'account.add("bolts", -bolts.cost).count(bolts=count)'),
    Mutant("BOLT-3 on the barrel", "scoring", " or account.cards or account.before.barrel is not None:", " or account.cards:"),
    Mutant("BOLT-3 for sitters and declarers", "scoring", 'if account.role != "defender" or account.cards', "if account.cards"),
    Mutant("BOLT-4 tricks alone", "scoring", "cards=state.points[seat] + _unused_points(state, seat)", "cards=state.points[seat]"),
    Mutant("BARREL-1 from above the mark", "scoring", "if barrel.at <= account.now.score < profile", "if barrel.at < account.now.score < profile"),
    Mutant("BARREL-1 swallows 1000", "scoring", "if barrel.at <= account.now.score < profile.scoring.target:", "if barrel.at <= account.now.score:"),
    Mutant("BARREL-1 the arrival counts", "scoring", "else account.count(barrel=0)", "else account.count(barrel=1)"),
    Mutant("BARREL-2 nothing is counted", "scoring", 'count = before + (account.role != "sitter")', "count = before"),
    Mutant("BARREL-2 sitters are counted", "scoring", 'count = before + (account.role != "sitter")', "count = before + 1"),
    Mutant("BARREL-3 defenders gain", "scoring", "        if account.before.barrel is not None:\n            return account.add", "        if False:\n            return account.add"),
    Mutant("BARREL-4 declarers gain nothing", "scoring", 'if account.role == "declarer" or gain <= 0:', "if gain <= 0:"),
    Mutant("BARREL-5 stays on", "scoring", "        return account.count(barrel=None)\n\n    return [stopped", "        return account\n\n    return [stopped"),
    Mutant("BARREL-6 a fourth deal", "scoring", "if count >= barrel.deals:", "if count > barrel.deals:"),
    Mutant("BARREL-6 falls and stays on", "scoring", "account.add(cause, -barrel.fall).count(barrel=None)", "account.add(cause, -barrel.fall)"),
    Mutant("BARREL-9 nobody is sent off", "scoring", "if barrel.one_at_a_time and arrived:", "if False:"),
    Mutant("BARREL-9 always", "scoring", "if barrel.one_at_a_time and arrived:", "if arrived:"),
    Mutant("BARREL-10 the second", "scoring", "if account.now.falls + 1 < barrel.zero_after_falls:", "if account.now.falls + 2 < barrel.zero_after_falls:"),
    Mutant("BARREL-10 the count stays", "scoring", 'account.add("falls_to_zero", -account.now.score).count(falls=0)', 'account.add("falls_to_zero", -account.now.score)'),
    Mutant("LOCK-1 above 900", "scoring", "account.before.score >= profile.lock.at", "account.before.score > profile.lock.at"),
    Mutant("LOCK-1 as it is now", "scoring", "account.before.score >= profile.lock.at", "account.now.score >= profile.lock.at"),
    Mutant("SIT-1 no pairs", "scoring", "    if income.pairs:\n", "    if False:\n"),
    Mutant("SIT-1 no aces", "scoring", "points = income.per_ace * sum(card.rank is Rank.ACE for card in talon)", "points = 0"),
    Mutant("SIT-1 not when conceded", "scoring", 'case "sitter":\n                accounts.append(_income(state.game, state.deal, account))', 'case "sitter":\n                accounts.append(account)'),
    Mutant("WIN-1 above the target", "scoring", ".score >= scoring.target]", ".score > scoring.target]"),
    Mutant("WIN-2 by total alone", "scoring", "if declarer is not None and declarer in there and scoring.declarer_wins_first:", "if False:"),
    Mutant("WIN-2 the declarer without 1000", "scoring", "declarer is not None and declarer in there and", "there and declarer is not None and"),
    Mutant("WIN-3 the first of them", "scoring", 'return () if len(winners) > 1 and scoring.ties == "play_on" else winners', "return winners[:1]"),
    Mutant("WIN-4 ties end in 1001", "scoring", 'return () if len(winners) > 1 and scoring.ties == "play_on" else winners', "return winners"),
    Mutant("WIN-4 the declarer first in 1001", "scoring", " and scoring.declarer_wins_first:", ":"),
    Mutant("LOBBY-1 first chair always", "lobby", "command.seat if command.seat in free and command.seat is not None else free[0]", "free[0]"),
    Mutant("LOBBY-2 same names", "lobby", "name=_distinct(room, name)", "name=name"),
    Mutant("LOBBY-2 long names", "lobby", "return Reason.NAME_TOO_LONG if len(name) > NAME_LENGTH else None", "return None"),
    Mutant("LOBBY-2 long numbered names", "lobby", "name[: NAME_LENGTH - len(suffix)].rstrip() + suffix", "name + suffix"),
    Mutant("LOBBY-3 any chair", "lobby", "            if to not in chairs:\n                return Rejected(Reason.NO_SUCH_CHAIR)\n", ""),
    Mutant("LOBBY-5 any dealer", "lobby", "if dealer is not None and dealer not in chairs:", "if False:"),
    Mutant("LOBBY-6 too few chairs", "lobby", "if sum(player is not None for player in room.players) > command.profile.table.players:", "if False:"),
    Mutant("LOBBY-6 still ready", "evolve", "    return _not_ready(kept)", "    return tuple(kept)"),
    Mutant("LOBBY-7 unready", "lobby", "if not all(player and player.ready for player in room.players):", "if False:"),
    Mutant("LOBBY-8 ready for the next", "evolve", "players=_not_ready(room.players), phase", "players=room.players, phase"),
    Mutant("LOBBY-9 profile in mid-game", "lobby", 'def choose_profile(room: Room, command: ChooseProfile) -> ProfileChosen | Rejected:\n    """The next game\'s rules; there must be a chair for everybody who sits (LOBBY-6)."""\n    if game_runs(room):', 'def choose_profile(room: Room, command: ChooseProfile) -> ProfileChosen | Rejected:\n    """The next game\'s rules; there must be a chair for everybody who sits (LOBBY-6)."""\n    if False:'),
    Mutant("VOID-4 the deal is written off", "evolve", "            return Between(game=phase.game, voided=event)", "            return Between(game=replace(phase.game, dealer=event.seat or 0), voided=event)"),
    Mutant("VOID-4 when nothing runs", "decide", "            if not isinstance(room.phase, InDeal):\n                return Rejected(Reason.NO_DEAL)\n", ""),
    Mutant("LOBBY-9 take-back in mid-game", "evolve", "            | FirstDealerChosen()\n            | TakeBackChosen()\n            | GameStarted()\n        ):\n            if not", "            | FirstDealerChosen()\n            | GameStarted()\n        ):\n            if not"),
    Mutant("LOBBY-10 a new player", "evolve", "return _put(room, {seat: replace(sits, key=key)})", "return _put(room, {seat: Player(sits.name, key)})"),
    Mutant("LOBBY-10 the old token stays", "evolve", "return _put(room, {seat: replace(sits, key=key)})", "return room"),
    Mutant("LOBBY-10 a free chair", "lobby", '"""Another device is the player on a chair (LOBBY-10)."""\n    if not _taken(room, command.seat):', '"""Another device is the player on a chair (LOBBY-10)."""\n    if False:'),
    Mutant("LOBBY-11 a chair counted from behind", "lobby", "return seat in range(len(room.players)) and room.players[seat] is not None", "return seat < len(room.players) and room.players[seat] is not None"),
    Mutant("LOBBY-11 the chair stays taken", "evolve", "case PlayerKicked(seat=seat) if sits is not None:\n            return _put(room, {seat: None})", "case PlayerKicked(seat=seat) if sits is not None:\n            return room"),
    Mutant("LOBBY-11 nobody sat there", "evolve", "case PlayerKicked(seat=seat) if sits is not None:", "case PlayerKicked(seat=seat):"),
    Mutant("LOBBY-12 anybody comes", "lobby", "if game_runs(room) and not command.agreed:", "if False:"),
    Mutant("LOBBY-12 nobody comes", "lobby", "if game_runs(room) and not command.agreed:", "if game_runs(room):"),
    Mutant("LOBBY-12 who vouched is lost", "lobby", "key=command.key, agreed=command.agreed\n    )\n\n\ndef hand_over", "key=command.key\n    )\n\n\ndef hand_over"),
    Mutant("LOBBY-12 two on a chair", "evolve", "case PlayerSeated(seat=seat, name=name, key=key) if sits is None:", "case PlayerSeated(seat=seat, name=name, key=key):"),
    Mutant("LOBBY-13 somebody wins", "evolve", "            return Over(game=phase.game, winners=())", "            return Over(game=phase.game, winners=(event.by,))"),
    Mutant("LOBBY-13 without a game", "lobby", "    if not game_runs(room):\n        return Rejected(Reason.NO_GAME)\n", ""),
    Mutant("BACK-1 off is free", "take_back", '    if mode == "off":\n        return Rejected(Reason.TAKE_BACK_OFF)\n', ""),
    Mutant("BACK-1 not chosen", "evolve", "return replace(room, take_back=mode)", "return room"),
    Mutant("BACK-2 always with consent", "take_back", 'consent=others and mode == "ask"', 'consent=mode == "ask"'),
    Mutant("BACK-2 chairs are decisions", "take_back", "        if isinstance(decision, RosterEvent):\n            continue\n", "        if isinstance(decision, RosterEvent):\n            others = True\n            continue\n"),
    Mutant("BACK-2 no melds", "take_back", " | MarriageMelded | AcesMelded", ""),
    Mutant("BACK-2 no contract", "take_back", "CardsLaidAway | ContractSet", "CardsLaidAway"),
    Mutant("BACK-3 never with consent", "take_back", 'consent=others and mode == "ask"', "consent=False"),
    Mutant("BACK-3 asked where it is free", "take_back", 'consent=others and mode == "ask"', "consent=others"),
    Mutant("BACK-3 anybody's decision", "take_back", "        if decision.seat == seat:\n", "        if True:\n"),
    Mutant("BACK-4 across what is no decision", "take_back", "        if not isinstance(decision, Returnable) or _deal_is_over(entry):\n            return Rejected(Reason.TAKE_BACK_BORDER)\n", "        if not isinstance(decision, Returnable) or _deal_is_over(entry):\n            continue\n"),
    Mutant("BACK-4 out of a finished deal", "take_back", "not isinstance(decision, Returnable) or _deal_is_over(entry)", "not isinstance(decision, Returnable)"),
    Mutant("BACK-4 the dealing goes back", "history", "if not self.begun <= undone.back_to < self.place:", "if not self.begun - 1 <= undone.back_to < self.place:"),
    Mutant("BACK-4 an undo of nothing", "history", "if not self.begun <= undone.back_to < self.place:", "if not self.begun <= undone.back_to:"),
    Mutant("BACK-5 without consent", "take_back", "return TakeBack(entry.seq - 1, consent=True)", "return TakeBack(entry.seq - 1, consent=False)"),
    Mutant("BACK-5 an ended game stays ended", "take_back", "isinstance(fact, GameWon | GameEnded)", "isinstance(fact, GameWon)"),
    Mutant("BACK-5 a won game stays won", "take_back", "isinstance(fact, GameWon | GameEnded)", "isinstance(fact, GameEnded)"),
    Mutant("BACK-5 after the next was arranged", "history", "if not self.entries or _holds(entry, TableEvent):", "if not self.entries:"),
    Mutant("BACK-5 being ready arranges it", "history", "        if _holds(entry, ReadySet):\n", "        if False:\n"),
    Mutant("BACK-6 chairs go back", "history", "if entry.seq <= back_to or _is_roster(entry)]", "if entry.seq <= back_to]"),
    Mutant("BACK-7 what was taken back counts", "history", "            self.uncertain = spared(kept, entry.undone.back_to)", "            pass"),
    Mutant("BACK-7 the mark is lost", "history", "taken_back=(*self.taken_back, TakenBack(deal, undone.by)),", "taken_back=self.taken_back,"),
    Mutant("BACK-7 marks of the game before", "history", "entries=(entry,), taken_back=())", "entries=(entry,))"),
    Mutant("BACK-7 a record tells it", "games", "for certain in self._standing.certain(entry):", "for certain in [entry]:", RECORD),
    Mutant("VOID-4 a record tells it", "record/writing", "                yield from _who_sits_where(deal)\n", "                yield from deal\n", RECORD),
    Mutant("LOBBY-12 a record loses chairs", "record/writing", "return spared(deal, deal[0].seq - 1) if deal else []", "return []", RECORD),
    Mutant("LOBBY-13 a record shows the running deal", "record/writing", "yield from (*_who_sits_where(deal), entry)", "yield from (*deal, entry)", RECORD),
    Mutant("LOBBY-13 a record loses finished deals", "record/writing", "DealScored | DealVoided) for fact in facts", "DealVoided) for fact in facts", RECORD),
    Mutant("LOBBY-13 a record goes on", "record/writing", "takewhile(lambda step: step.game == game, walk)", "walk", RECORD),
    Mutant("secret: keys of those who come", "glimpses", "return PlayerSeen(seat=seat, name=name)", "return event"),
    Mutant("secret: the table sees hands", "views", "hand = () if viewer is None else state.hands[viewer]", "hand = state.hands[viewer or 0]", SECRECY),
    Mutant("secret: talon", "views", "return deal.talon if deal.talon_shown or (viewer is not None and viewer == declarer) else ()", "return deal.talon", SECRECY),
    Mutant("secret: gifts", "views", "gift.card if viewer is not None and viewer in (declarer, gift.to) else None", "gift.card", SECRECY),
    Mutant("secret: laid away", "views", "state.deal.laid_away if viewer is not None and viewer == declarer else ()", "state.deal.laid_away", SECRECY),
    Mutant("secret: sizes of piles as cards", "views", "sizes = tuple(map(len, deal.dealt.talons))", "sizes = tuple(talon[0].points for talon in deal.dealt.talons)", SECRECY),
    Mutant("secret: melds of others", "views", "pairs=pairs_in(hand),", "pairs=pairs_in(state.hands[0]),", SECRECY),
    Mutant("secret: a glimpse of the talon", "glimpses", "cards if shown or seat == viewer else ()", "cards", SECRECY),
    Mutant("secret: a glimpse of gifts", "glimpses", "gift.card if viewer in {giver, gift.to} else None", "gift.card", SECRECY),
    Mutant("secret: who holds nines", "exchange", "all(nine in state.hands[seat] for nine in NINES)", "all(nine in state.hands[0] for nine in NINES[:2])", SECRECY),
)  # fmt: skip


def survives(mutant: Mutant) -> bool:
    """Whether the tests pass although the engine is broken so."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("engine", "tests/engine", "seeds/profiles"):
            shutil.copytree(ROOT / part, copy / part)
        shutil.copy2(ROOT / "tests/support.py", copy / "tests/support.py")
        (copy / "pytest.ini").write_text(PLAIN, "utf-8")
        broken = copy / "engine" / f"{mutant.module}.py"
        text = broken.read_text("utf-8")
        if mutant.old not in text:
            sys.exit(f"{mutant.name}: the text to change is no longer in {broken.name}")
        broken.write_text(text.replace(mutant.old, mutant.new, 1), "utf-8")
        nearest = f"test_{mutant.module}"
        first = tuple(test for test in mutant.tests if test == nearest)
        others = tuple(test for test in mutant.tests if test != nearest)
        return all(passes(copy, tests) for tests in (first, others) if tests)


def passes(copy: Path, tests: tuple[str, ...]) -> bool:
    files = [f"tests/engine/{test}.py" for test in tests]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *files],
        cwd=copy,
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def main(wanted: str) -> int:
    """Try the mutants whose name contains `wanted`; the number of survivors."""
    if not survives(Mutant("nothing", "cards", "import", "import", (*EXAMPLES, *RECORD, *SECRECY))):
        sys.exit("the tests do not pass on the engine as it is")
    chosen = [mutant for mutant in MUTANTS if wanted in mutant.name]
    survivors = []
    with ThreadPoolExecutor(max_workers=2) as workers:
        for mutant, alive in zip(chosen, workers.map(survives, chosen), strict=True):
            survivors += [mutant.name] * alive
            print("SURVIVES" if alive else "noticed ", mutant.name, flush=True)
    print(f"{len(survivors)} of {len(chosen)} survive", *survivors, sep="\n  ")
    return len(survivors)


if __name__ == "__main__":
    sys.exit(min(1, main(sys.argv[1] if len(sys.argv) > 1 else "")))
