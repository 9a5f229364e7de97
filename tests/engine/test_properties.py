"""What holds in every game, whatever is played. A failure names the seed that shows it again."""

import itertools
import random
from collections.abc import Iterator
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import commands
from engine.cards import Card, Seat, points_of
from engine.choices import Choices
from engine.commands import Act, AnyAction, Command, DealCards
from engine.dealing import next_dealer
from engine.decide import decide
from engine.events import CardPlayed, DealScored, DealVoided, GameWon, Gift
from engine.evolve import evolve, fold
from engine.history import Entry
from engine.house_rules import HOUSE_RULES
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Auction, Between, Contracting, Exchanging, Over, Playing, Room
from engine.views import GameView
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    NO_4,
    PL_2,
    PL_3,
    PLAIN_3,
    RU_2,
    RU_3,
    entries,
    views,
    with_rules,
)

HOUSES = (
    with_rules(RU_3, four_aces=True, must_beat=True, one_on_barrel=True, third_fall_zero=True),
    with_rules(RU_3, first_trick_marriage=True, redeal_weak_talon=True, reset_555=True, step=10),
    with_rules(
        PL_3, four_aces=True, must_beat=True, concession_half=True, first_trick_marriage=False
    ),
    with_rules(NO_4, sitter="opposite", sitter_income=50, hidden_talon_at_100=True, barrel=850),
    with_rules(RU_2, talon_points="nobody", running_points=True),
    with_rules(PLAIN_3, tens=True, virgin=True),
)
PROFILES = (*ALL_PROFILES, *HOUSES)
SEEDS = st.integers(min_value=0, max_value=2**32)
FEW = settings(max_examples=3, deadline=None)

by_profile = pytest.mark.parametrize(
    "profile", PROFILES, ids=lambda profile: "-".join((profile.id, *profile.chosen))
)


@cache
def game(profile: int, seed: int = 1) -> tuple[tuple[Room, Entry], ...]:
    """A whole random game of the profile with that number."""
    return tuple(entries(PROFILES[profile], random.Random(seed)))


whole_games = pytest.mark.parametrize(
    "played",
    range(len(PROFILES)),
    ids=["-".join((profile.id, *profile.chosen)) + "-seed 1" for profile in PROFILES],
)


@whole_games
def test_a_game_ends_with_winners(played):
    *_, (room, entry) = game(played)
    ended = fold(entry.happened, room)

    assert isinstance(entry.happened[-1], GameWon)
    assert ended is not None
    assert isinstance(ended.phase, Over)
    assert entry.happened[-1].winners


@whole_games
def test_folding_the_log_gives_the_live_state(played):
    start, _ = game(played)[0]
    room, entry = game(played)[-1]
    log = [fact for _, one in game(played) for fact in one.happened]

    assert fold(log, start) == fold(entry.happened, room)


@whole_games
def test_an_entry_reads_back_as_it_was_written(played):
    reader = msgspec.json.Decoder(Entry)
    for _, entry in game(played)[-500:]:
        assert reader.decode(msgspec.json.encode(entry)) == entry


@whole_games
def test_changes_add_up_to_the_difference_and_standings_follow_each_other(played):
    before = None
    for deal in scored(game(played)):
        for line in deal.lines:
            assert line.before.score + sum(one.points for one in line.changes) == line.after.score
        assert before is None or [line.before for line in deal.lines] == before
        before = [line.after for line in deal.lines]


@whole_games
def test_no_total_stays_between_the_mark_and_the_target(played):
    barrel, target = PROFILES[played].barrel, PROFILES[played].scoring.target
    for deal in scored(game(played)):
        for line in deal.lines:
            on_barrel = line.after.barrel is not None
            if barrel is None:
                assert not on_barrel
            else:
                assert on_barrel == (line.after.score == barrel.at)
                assert not barrel.at < line.after.score < target
                assert line.after.barrel is None or line.after.barrel < barrel.deals


@whole_games
def test_the_dealer_moves_after_every_deal_that_is_written_and_stays_after_a_void_one(played):
    for room, entry in game(played):
        if isinstance(entry.happened[0], DealVoided) or isinstance(entry.happened[-1], DealVoided):
            after = fold(entry.happened, room)
            assert after is not None
            assert isinstance(after.phase, Between)
            assert after.phase.game.dealer == dealer_of(room)
        for fact in entry.happened:
            if isinstance(fact, DealScored):
                assert fact.next_dealer == next_dealer(PROFILES[played], fact.dealer)


@whole_games
def test_a_deal_holds_120_points_and_every_card_is_played_once(played):
    profile = PROFILES[played]
    cards: list[Card] = []
    for room, entry in game(played):
        cards += [fact.card for fact in entry.happened if isinstance(fact, CardPlayed)]
        for fact in entry.happened:
            if not isinstance(fact, DealScored):
                continue
            if fact.outcome == "played":
                assert isinstance(room.phase, Playing)
                out_of_play = room.phase.deal.laid_away + room.phase.deal.unused
                inherited = profile.exchange and profile.exchange.unused_points != "nobody"
                counted = 0 if inherited else points_of(out_of_play)
                assert sum(line.cards for line in fact.lines) + counted == 120
                assert set(cards) | set(out_of_play) == set(profile.pack.cards())
                assert len(cards) + len(out_of_play) == len(profile.pack.cards())
            else:
                assert sum(line.raw for line in fact.lines) == 0
        if not isinstance(entry.happened[-1], CardPlayed) and not cards_left(room, entry):
            cards = []


def cards_left(room: Room, entry: Entry) -> bool:
    after = fold(entry.happened, room)
    return after is not None and isinstance(after.phase, Playing)


def dealer_of(room: Room) -> Seat:
    assert isinstance(room.phase, Between | Auction | Contracting | Playing)
    return room.phase.game.dealer


def scored(log: tuple[tuple[Room, Entry], ...]) -> Iterator[DealScored]:
    for _, entry in log:
        yield from (fact for fact in entry.happened if isinstance(fact, DealScored))


# What a view offers is exactly what is accepted.


def asked(view: GameView, profile: Profile, chance: random.Random) -> Iterator[AnyAction]:
    """Every act there is, with all fillings where they are few, else with some."""
    yield commands.Pass()
    yield commands.Concede()
    yield commands.ShowNines()
    yield from map(commands.TakeTalon, range(-1, 3))
    for card in Card:
        yield commands.PlayCard(card)
        yield commands.Meld(card)
    for points in (*range(95, 130), *range(-5, 410, 5), 400, 401, 405, 410):
        yield commands.PlaceBid(points)
        yield commands.SetContract(points)
    everywhere = [*view.hand, chance.choice(list(Card))]
    seats = [Seat(index) for index in range(profile.table.players)]
    for _ in range(20):
        two = tuple(chance.choices(everywhere, k=2))
        yield commands.LayAway(two[: chance.choice((1, 2, 2, 2))])
        yield commands.GiveCards(tuple(Gift(chance.choice(seats), card) for card in two))
    for to in itertools.permutations(view.may.give_to):
        yield commands.GiveCards(tuple(map(Gift, to, chance.sample(view.hand, len(to)))))
    if view.may.lay_away:
        yield commands.LayAway(tuple(chance.sample(view.hand, view.may.lay_away)))


def offers(may: Choices, hand: tuple[Card, ...], action: AnyAction) -> bool:
    """Whether a screen that shows `may` offers `action`."""
    match action:
        case commands.PlaceBid(points):
            return may.bid is not None and points in range(
                may.bid.least, may.bid.greatest + 1, may.bid.step
            )
        case commands.SetContract(points):
            return may.contract is not None and points in range(
                may.contract.least, may.contract.greatest + 1, may.contract.step
            )
        case commands.Pass():
            return may.may_pass
        case commands.Concede():
            return may.concede is not None
        case commands.ShowNines():
            return may.nines
        case commands.TakeTalon(talon):
            return talon in may.take
        case commands.PlayCard(card):
            return card in may.play
        case commands.Meld(card):
            return any(card in meld.cards for meld in may.melds)
        case commands.GiveCards(gifts):
            given = {gift.card for gift in gifts}
            right = sorted(gift.to for gift in gifts) == sorted(may.give_to)
            return bool(gifts) and right and len(given) == len(gifts) and given <= set(hand)
        case commands.LayAway(cards):
            return 0 < may.lay_away == len(set(cards)) == len(cards) and set(cards) <= set(hand)
        case _:
            return False


@by_profile
@FEW
@given(seed=SEEDS)
def test_what_a_view_offers_is_exactly_what_is_accepted(profile, seed):
    chance = random.Random(seed)
    phases: dict[type, int] = {}
    for room, _ in entries(profile, chance, deals=1):
        phases[type(room.phase)] = phases.get(type(room.phase), 0) + 1
        if isinstance(room.phase, Playing) and chance.random() < 0.8:
            continue
        for seat, view in views(room):
            for action in asked(view, profile, chance):
                answer = decide(room, Act(seat, action))
                accepted = not isinstance(answer, Rejected)
                assert accepted == offers(view.may, view.hand, action), (seat, action, answer)
            barred = {one.card: one.reason for one in view.may.barred}
            if view.may.play:
                assert {*view.may.play, *barred} == set(view.hand)
            for card, reason in barred.items():
                assert decide(room, Act(seat, commands.PlayCard(card))) == Rejected(reason)


@by_profile
@FEW
@given(seed=SEEDS)
def test_the_bound_of_calls_names_what_stands_in_the_way_of_more(profile, seed):
    for room, _ in entries(profile, random.Random(seed), deals=1):
        for seat, view in views(room):
            for open_, act in (
                (view.may.bid, commands.PlaceBid),
                (view.may.contract, commands.SetContract),
            ):
                if open_ is not None:
                    more: Command = Act(seat, act(open_.greatest + open_.step))
                    assert decide(room, more) == Rejected(open_.limit)
                    assert open_.limit in {Reason.BID_TOO_HIGH, Reason.BID_NEEDS_MARRIAGE}


@by_profile
@FEW
@given(seed=SEEDS)
def test_there_is_always_somebody_who_may_act_and_it_is_the_one_on_turn(profile, seed):
    for room, _ in entries(profile, random.Random(seed), deals=1):
        seen = dict(views(room))
        turn = seen[Seat(0)].turn

        assert turn is not None
        assert {view.turn for view in seen.values()} == {turn}
        may = seen[turn].may
        assert (
            may.deal
            or may.bid
            or may.may_pass
            or may.take
            or may.give_to
            or may.lay_away
            or (may.contract or may.play)
        )
        for seat, view in seen.items():
            if seat != turn:
                idle = msgspec.structs.replace(view.may, nines=False)
                assert idle == Choices()


@by_profile
@FEW
@given(seed=SEEDS)
def test_only_the_dealer_may_deal_and_only_between_deals(profile, seed):
    pack = profile.pack.cards()
    for room, _ in entries(profile, random.Random(seed), deals=1):
        for seat, view in views(room):
            answer = decide(room, DealCards(seat, pack))
            assert view.may.deal == (not isinstance(answer, Rejected))


@by_profile
@FEW
@given(seed=SEEDS)
def test_no_card_is_in_two_places(profile, seed):
    for room, entry in entries(profile, random.Random(seed), deals=1):
        after = room
        for fact in entry.happened:
            after = evolve(after, fact)
        phase = after.phase
        if isinstance(phase, Auction | Exchanging | Contracting | Playing):
            held = [card for hand in phase.hands for card in hand]
            out = (*phase.deal.laid_away, *phase.deal.unused)
            assert len({*held, *out}) == len(held) + len(out)


def test_every_house_rule_is_played_somewhere_above():
    played = {key for profile in HOUSES for key in profile.chosen}
    settlement_only = {"rounding", "bolts", "discard_clock", "virgin", "sitter_income"}

    assert set(HOUSE_RULES) <= played | settlement_only | {"barrel", "sitter"}
    assert {BIDDING_3.id, PL_2.id} <= {profile.id for profile in PROFILES}
