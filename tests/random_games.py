"""Whole random games by random rules, each held to what must be so in every game.

    python -m tests.random_games --games 10000 --seed 1 --processes 2

Every profile has its turn, with house rules set by chance. A failure names the game, which
`--seed S --game N` plays again.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable
from functools import partial
from multiprocessing import Pool

import msgspec
from msgspec import Struct

from engine.cards import NINES, Card, Seat, points_of
from engine.commands import Act, AnyAction, Command, DealCards, ForgetDiscard
from engine.dealing import next_dealer
from engine.events import (
    AnyEvent,
    AuctionWon,
    BidPlaced,
    CardPlayed,
    CardsDealt,
    DealScored,
    DealVoided,
    GameWon,
    Passed,
    Standing,
    TrickTaken,
)
from engine.evolve import fold
from engine.history import Entry
from engine.profile import Profile
from engine.record import play_record, read_record, write_record
from engine.state import Between, Exchanging, Gathering, Over, Playing
from engine.take_back import TakeBack, take_back
from engine.views import GameView, game_view
from server.rehearse.choices import Phase, Sight, choose
from tests.engine.agreeing import Agreeing
from tests.engine.record.rooms import Logged
from tests.support import ALL_PROFILES, LETTERS, any_rules, offered, shuffled

DEALS = 25
"""Written deals after which a game that nobody has won is left as it is."""

ACTS = 120
"""More than any deal has: a call for every step to the ceiling, the exchange, every card."""

UNDER_WAY = 0.7
"""Part of the games that begin with standings by chance, so that more of them come to an end."""

SENSE = 0.7
"""Part of the games in which players mostly do what they think best."""

REGRET = 0.03
"""How often somebody takes the last decision back instead."""

PROFILES = {profile.id: profile for profile in ALL_PROFILES}
_reader = msgspec.json.Decoder(list[Entry])


class Verdict(Struct, frozen=True):
    """What became of one game."""

    profile: str
    deals: int
    won: bool
    wrong: str | None
    """What went wrong, at length; None: nothing."""


def judged(number: int, *, seed: int) -> Verdict:
    """Game `number` of `seed`, played and held to everything that must be so."""
    chance = random.Random(f"{seed} {number}")
    profile = any_rules(ALL_PROFILES[number % len(ALL_PROFILES)], chance)
    letters = LETTERS[: profile.table.players]
    under_way = chance.random() < UNDER_WAY
    game = Agreeing(
        profile,
        dealer=chance.choice(letters),
        standings={letter: any_standing(profile, chance) for letter in letters if under_way},
    )
    try:
        play(game, chance)
        check(game)
        wrong = None
    except Exception:  # noqa: BLE001  # whatever it is, it names the game
        wrong = f"game {number}, {profile.id} with {profile.chosen}:\n{traceback.format_exc()}"
    won = isinstance(game.phase, Over)
    return Verdict(profile.id, sum(isinstance(one, DealScored) for one in game.facts), won, wrong)


def any_standing(profile: Profile, chance: random.Random) -> Standing:
    """Where a player may stand in the middle of a game by `profile`."""
    barrel = profile.barrel
    stop = barrel.at if barrel else profile.scoring.target
    sits = barrel is not None and chance.random() < 0.3
    falls = barrel is not None and barrel.zero_after_falls is not None
    return Standing(
        score=stop if sits else chance.randrange(-stop // 5, stop),
        bolts=chance.randrange(3) if profile.bolts else 0,
        barrel=chance.randrange(3) if sits else None,
        concessions=chance.randrange(3) if profile.concession else 0,
        falls=chance.randrange(3) if falls else 0,
    )


def play(game: Agreeing, chance: random.Random) -> None:
    """The game goes on to its end, or to the end of the last deal it may have."""
    sense = chance.random() < SENSE
    while not isinstance(game.phase, Over):
        if isinstance(game.phase, Between):
            if len(game.game.sheet) == DEALS:
                return
            game.obeys(DealCards(game.game.dealer, shuffled(game.game.profile, chance)))
        elif chance.random() < REGRET:
            _take_back(game, chance)
        else:
            game.obeys(_next(game, chance, sense=sense))
        assert len(game.past.entries) < ACTS, "this deal does not end"


def _take_back(game: Agreeing, chance: random.Random) -> None:
    """Somebody takes the last decision back, who may."""
    seat = Seat(chance.randrange(len(game.room.players)))
    found = take_back(game.past, seat)
    if isinstance(found, TakeBack):
        game.goes_back(found.back_to, by=LETTERS[seat])


def _next(game: Logged, chance: random.Random, *, sense: bool) -> Command:
    """What somebody does: forgets to lay away, shows four nines, or acts in turn."""
    phase = game.phase
    if isinstance(phase, Exchanging):
        clock = phase.game.profile.exchange
        if clock is not None and clock.discard_seconds and chance.random() < 0.2:
            return ForgetDiscard()
    seat = _mover(game)
    view = game_view(game.room, seat)
    assert view is not None
    act = choose(_sight(view), chance) if sense else chance.choice(list(offered(view, chance)))
    assert isinstance(act, AnyAction), f"{seat} is on turn and does not know what to do"
    return Act(seat, act)


def _mover(game: Logged) -> Seat:
    """Who holds all four nines and may show them, else who is on turn."""
    seen = game.view(None)
    if isinstance(game.phase, Playing):
        for index, hand in enumerate(game.phase.hands):
            view = game_view(game.room, Seat(index)) if set(NINES) <= set(hand) else None
            if view is not None and view.may.nines:
                return Seat(index)
    assert seen.turn is not None, "nobody is on turn"
    return seen.turn


def _sight(view: GameView) -> Sight:
    """As much of `view` as a robot looks at."""
    trick, trump = getattr(view.phase, "trick", ()), getattr(view.phase, "trump", None)
    return Sight(phase=Phase(trick=trick, trump=trump), hand=view.hand, may=view.may)


def check(game: Logged) -> None:
    """Everything that must be so in a game, whatever was played.

    Raises:
        AssertionError: something is not.
    """
    facts = game.facts
    assert fold(facts) == game.room, "the log does not fold to the live state"
    assert _reader.decode(msgspec.json.encode(game.log)) == game.log, "an entry reads otherwise"
    _check_deals(game.game.profile, facts)
    _check_sheet(game.game.profile, [fact for fact in facts if isinstance(fact, DealScored)])
    assert isinstance(game.phase, Over) == isinstance(facts[-1], GameWon)
    _check_record(game)


def _check_deals(profile: Profile, facts: Iterable[AnyEvent]) -> None:
    """Every auction ends, every card is played once, and every deal holds 120 points."""
    dealt: CardsDealt | None = None
    played: list[Card] = []
    points = last_call = 0
    calling = False
    for fact in facts:
        match fact:
            case CardsDealt():
                dealt, played, points, last_call = fact, [], 0, 0
                everywhere = [card for pile in (*fact.hands, *fact.talons) for card in pile]
                assert sorted(everywhere, key=str) == sorted(profile.pack.cards(), key=str)
                calling = fact.opens == "auction"
            case BidPlaced(points=said):
                assert calling
                assert said > last_call, "a call is no higher than the one before"
                last_call = said
            case Passed():
                assert calling
            case AuctionWon(points=said):
                assert calling
                assert said == last_call
                calling = False
            case CardPlayed(card=card):
                assert not calling
                played.append(card)
            case TrickTaken(points=more):
                points += more
            case DealScored(outcome="played"):
                assert dealt is not None
                assert (
                    len(set(played))
                    == len(played)
                    == sum(profile.dealing.packets) * len(dealt.order) + _given(profile)
                )
                rest = [card for card in profile.pack.cards() if card not in played]
                assert points + points_of(tuple(rest)) == 120
                assert sum(line.cards for line in fact.lines) == 120 - _lost(profile, rest)
            case DealScored(outcome=outcome, lines=lines):
                assert not sum(line.raw for line in lines)
                calling = calling and outcome != "thrown_in"
                assert not calling
            case DealVoided(reason=reason):
                assert reason == "weak_talon" or not calling
                calling = False
            case _:
                pass
    assert not calling, "an auction did not end"


def _given(profile: Profile) -> int:
    """Talon cards that are played."""
    gives = profile.exchange is not None and profile.exchange.then == "give"
    return sum(profile.dealing.talon_after) if gives else 0


def _lost(profile: Profile, rest: list[Card]) -> int:
    """Points of cards out of play that come to nobody."""
    kept = profile.exchange is not None and profile.exchange.unused_points != "nobody"
    return 0 if kept else points_of(tuple(rest))


def _check_sheet(profile: Profile, sheet: list[DealScored]) -> None:
    """Changes add up, standings and dealers follow each other, and totals stop where they must."""
    barrel, target = profile.barrel, profile.scoring.target
    for deal, following in zip(sheet, [*sheet[1:], None], strict=True):
        assert deal.next_dealer == next_dealer(profile, deal.dealer)
        if following is not None:
            assert following.dealer == deal.next_dealer
            assert [line.before for line in following.lines] == [line.after for line in deal.lines]
        for line in deal.lines:
            total = line.before.score + sum(change.points for change in line.changes)
            assert total == line.after.score, "the changes do not add up"
            sits = line.after.barrel is not None
            assert sits == (barrel is not None and line.after.score == barrel.at)
            assert barrel is None or not barrel.at < line.after.score < target
            assert profile.scoring.reset_at is None or total != profile.scoring.reset_at


def _check_record(game: Logged) -> None:
    """Written and read back it is the same game."""
    told = play_record(read_record(write_record(game.log, 1), PROFILES))
    assert told.failure is None, told.failure
    again = told.room.phase
    assert type(again) is type(game.phase)
    assert not isinstance(again, Gathering)
    assert again.game == game.game, "the record tells of another game"


def main() -> int:
    """Play as many games as asked for; 1: something went wrong in one of them."""
    asked = argparse.ArgumentParser(prog="python -m tests.random_games")
    asked.add_argument("--games", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--game", type=int, help="this one alone")
    wanted = asked.parse_args()
    numbers = range(wanted.games) if wanted.game is None else [wanted.game]
    print(f"seed {wanted.seed}", flush=True)  # noqa: T201
    began, won, deals = time.monotonic(), Counter[str](), Counter[str]()
    with Pool(wanted.processes) as pool:
        verdicts = pool.imap_unordered(partial(judged, seed=wanted.seed), numbers, chunksize=10)
        for done, verdict in enumerate(verdicts, 1):
            if verdict.wrong:
                print(verdict.wrong)  # noqa: T201
                return 1
            won[verdict.profile] += verdict.won
            deals[verdict.profile] += verdict.deals
            if done % 500 == 0 or done == len(numbers):
                spent = time.monotonic() - began
                print(  # noqa: T201
                    f"{done} games, {deals.total()} deals, {won.total()} won, {spent:.0f} s",
                    flush=True,
                )
    for profile in PROFILES:
        print(f"{profile:>10}: {deals[profile]} deals, {won[profile]} games won")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
