"""Two rooms that differ only in cards hidden from a viewer are the same for that viewer.

Nothing here lists what is secret: what a viewer knows is listed, and all other cards change places.
So this guards the secrets that nobody has thought of, too.
"""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine import commands
from engine.cards import Card, Seat
from engine.commands import Act, AnyAction
from engine.decide import decide
from engine.events import AnyEvent, CardPlayed, CardsDealt, CardsGiven, DealVoided, TalonTaken
from engine.evolve import fold
from engine.glimpses import glimpse
from engine.history import Entry, past_of
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import (
    Auction,
    Contracting,
    Deal,
    Exchanging,
    InDeal,
    Playing,
    Room,
    TakingTalon,
)
from engine.views import Viewer, game_view, sheet_view, table_view
from tests.engine.agreeing import Moment, eventful, moments
from tests.support import (
    ALL_PROFILES,
    NO_4,
    PL_2,
    PLAIN_3,
    RU_3,
    A,
    B,
    C,
    entries,
    viewers,
    with_rules,
)

PROFILES = (
    *ALL_PROFILES,
    with_rules(RU_3, hidden_talon_at_100=True, four_aces=True, must_beat=True),
    with_rules(NO_4, hidden_talon_at_100=True, running_points=True),
    with_rules(PL_2, hidden_talon_at_100=True),
    with_rules(PLAIN_3, running_points=True),
)

Swap = dict[str, str]
"""Which card stands in the place of which, by code."""


def hidden_from(viewer: Viewer, state: InDeal) -> set[Card]:
    """The cards whose places `viewer` does not know.

    That is whatever others hold, what lies in talons and what was laid away, but for what the
    viewer has seen: a turned talon, cards it gave or got, cards it laid away itself.
    """
    deal = state.deal
    declarer = None if isinstance(state, Auction) else state.declarer
    unseen = {
        card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand
    } | set(deal.unused)
    if isinstance(state, Auction | TakingTalon):
        unseen |= {card for talon in deal.dealt.talons for card in talon}
    if viewer is None or viewer != declarer:
        unseen |= set(deal.laid_away)
    else:
        unseen -= {gift.card for gift in deal.gifts}
    return unseen - set(deal.talon if deal.talon_shown or viewer == declarer else ())


def revealed_to(viewer: Viewer, facts: tuple[AnyEvent, ...]) -> set[Card]:
    """The cards that `facts` show `viewer`."""
    shown: set[Card] = set()
    for fact in facts:
        match fact:
            case CardPlayed(card=card):
                shown.add(card)
            case TalonTaken(seat=seat, cards=cards, shown=openly) if openly or seat == viewer:
                shown |= set(cards)
            case CardsGiven(gifts=gifts):
                shown |= {gift.card for gift in gifts if gift.to == viewer}
            case DealVoided(cards=cards):
                shown |= set(cards)
            case CardsDealt(hands=hands) if viewer is not None:
                shown |= set(hands[viewer])
    return shown


def shuffling(cards: set[Card], chance: random.Random) -> Swap:
    codes = sorted(card.value for card in cards)
    return dict(zip(codes, chance.sample(codes, len(codes)), strict=True))


def swapped(value: Any, swap: Swap) -> Any:
    """`value`, made of plain objects, with every card code replaced."""
    match value:
        case str():
            return swap.get(value, value)
        case list() | tuple():
            return [swapped(one, swap) for one in value]
        case dict():
            return {key: swapped(one, swap) for key, one in value.items()}
        case _:
            return value


def elsewhere(room: Room, state: InDeal, swap: Swap) -> Room:
    """The same room with the cards of `swap` in each other's places."""
    deal = msgspec.convert(swapped(msgspec.to_builtins(state.deal), swap), Deal)
    hands = tuple(
        tuple(Card(swap.get(card.value, card.value)) for card in hand) for hand in state.hands
    )
    return replace(room, phase=replace(state, deal=deal, hands=hands))


def as_told(facts: tuple[AnyEvent, ...], swap: Swap) -> tuple[AnyEvent, ...]:
    return msgspec.convert(swapped(msgspec.to_builtins(facts), swap), tuple[AnyEvent, ...])


def seen(room: Room, viewer: Viewer) -> bytes:
    """Everything that `viewer` gets to see of `room`, as it crosses the wire."""
    return msgspec.json.encode(
        (game_view(room, viewer), table_view(room, viewer), sheet_view(room))
    )


def answers(room: Room, viewer: Viewer, acts: tuple[AnyAction, ...]) -> list[Rejected | None]:
    """What `viewer` is refused, act by act; None: accepted."""
    if viewer is None:
        return []
    told = (decide(room, Act(viewer, act)) for act in acts)
    return [answer if isinstance(answer, Rejected) else None for answer in told]


ASKED: tuple[AnyAction, ...] = (
    commands.Pass(),
    commands.Concede(),
    commands.ShowNines(),
    commands.TakeTalon(),
    *(commands.PlaceBid(points) for points in (10, 100, 105, 110, 120, 125, 130, 200, 400)),
    *(commands.SetContract(points) for points in (100, 105, 120, 125, 200, 400)),
    *map(commands.PlayCard, Card),
    *map(commands.Meld, Card),
    commands.LayAway((Card.SA, Card.HA)),
)


def name_of(profile: Profile) -> str:
    return "-".join((profile.id, *profile.chosen))


@pytest.mark.parametrize("profile", PROFILES, ids=name_of)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_a_viewer_cannot_tell_apart_two_deals_that_differ_only_in_hidden_cards(profile, seed):
    chance = random.Random(seed)
    for room, entry in entries(profile, chance, deals=2):
        state = room.phase
        if not isinstance(state, InDeal):
            told_of_a_deal(room, entry, chance)
            continue
        assert isinstance(state, Auction | TakingTalon | Exchanging | Contracting | Playing)
        for viewer in viewers(room):
            unseen = hidden_from(viewer, state)
            other = elsewhere(room, state, shuffling(unseen, chance))
            assert seen(other, viewer) == seen(room, viewer)
            if chance.random() < 0.25:
                assert answers(other, viewer, ASKED) == answers(room, viewer, ASKED)

            swap = shuffling(unseen - revealed_to(viewer, entry.happened), chance)
            facts = as_told(entry.happened, swap)
            assert [told(fact, viewer) for fact in facts] == [
                told(fact, viewer) for fact in entry.happened
            ]
            other = elsewhere(room, state, swap)
            assert seen(after(other, facts), viewer) == seen(after(room, entry.happened), viewer)


@pytest.mark.parametrize("profile", PROFILES, ids=name_of)
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_back_4_nobody_learns_anything_by_taking_back(profile, seed):
    """Two evenings that differ in what a viewer was never shown are the same evening to it.

    Unlike above, what was shown stays shown when it is taken back.
    """
    chance = random.Random(seed)
    log = eventful(profile, seed, deals=1).log
    undos = [entry.seq for entry in log if entry.undone]
    for undo in chance.sample(undos, min(3, len(undos))):
        for viewer in (*map(Seat, range(profile.table.players)), None):
            other = otherwise(log[:undo], viewer, chance)
            assert all_seen(other, viewer) == all_seen(log[:undo], viewer)


def test_this_would_notice_an_undo_that_tells():
    log = eventful(RU_3, 3, deals=1).log
    undo = next(entry.seq for entry in log if entry.undone)
    other = otherwise(log[:undo], None, random.Random(3))

    assert all_seen(other, None) == all_seen(log[:undo], None)
    assert any(all_seen(other, seat) != all_seen(log[:undo], seat) for seat in (A, B, C))


def all_seen(log: list[Entry], viewer: Viewer) -> list[tuple[list[bytes], bytes]]:
    """Everything that `viewer` gets to see of `log`, entry by entry, and where it stands then."""
    shown = []
    for moment in (*moments(log), Moment(past_of(log), log[-1])):
        sheet = msgspec.json.encode(sheet_view(moment.room, moment.past.taken_back))
        glimpses = [told(fact, viewer) for fact in moment.entry.happened]
        shown.append((glimpses, seen(moment.room, viewer) + sheet))
    return shown


def otherwise(log: list[Entry], viewer: Viewer, chance: random.Random) -> list[Entry]:
    """The log with all cards in other places that it has never shown `viewer`."""
    return [entry for deal in deals_of(log) for entry in retold(deal, viewer, chance)]


def deals_of(log: list[Entry]) -> list[list[Entry]]:
    """The entries of each deal, and first those before any."""
    deals: list[list[Entry]] = [[]]
    for entry in log:
        if isinstance(entry.facts[0], CardsDealt):
            deals.append([])
        deals[-1].append(entry)
    return deals


def retold(deal: list[Entry], viewer: Viewer, chance: random.Random) -> list[Entry]:
    """A deal of such a log."""
    dealt = {card for entry in deal for card in getattr(entry.facts[0], "deck", ())}
    shown = {card for entry in deal for card in revealed_to(viewer, entry.happened)}
    swap = shuffling(dealt - shown, chance)
    return msgspec.convert(swapped(msgspec.to_builtins(deal), swap), list[Entry])


def told_of_a_deal(room: Room, entry: Entry, chance: random.Random) -> None:
    """Cards are dealt, which tells nobody more than the own hand."""
    for viewer in viewers(room):
        (dealt, *_) = entry.happened
        assert isinstance(dealt, CardsDealt)
        swap = shuffling(set(dealt.deck) - revealed_to(viewer, entry.happened), chance)
        facts = as_told(entry.happened, swap)
        assert [told(fact, viewer) for fact in facts] == [
            told(fact, viewer) for fact in entry.happened
        ]
        assert seen(after(room, facts), viewer) == seen(after(room, entry.happened), viewer)


def told(fact: AnyEvent, viewer: Viewer) -> bytes:
    return msgspec.json.encode(glimpse(fact, viewer))


def after(room: Room, facts: tuple[AnyEvent, ...]) -> Room:
    found = fold(facts, room)
    assert found is not None
    return found


def test_this_would_notice_a_hand_that_leaks():
    chance = random.Random(7)
    moments = [
        (room, room.phase)
        for room, _ in entries(RU_3, chance, deals=1)
        if isinstance(room.phase, Playing)
    ]
    room, state = moments[0]
    other = elsewhere(room, state, shuffling(hidden_from(None, state), chance))

    assert seen(other, None) == seen(room, None)
    assert other.phase != room.phase
    assert any(seen(other, seat) != seen(room, seat) for seat in viewers(room) if seat is not None)
