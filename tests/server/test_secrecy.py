"""No byte that is sent to a viewer depends on a card that the viewer may not know.

The property does not list secrets. It says what a viewer *knows*: the own hand, what was laid
openly, what was shown, what was given or received. Then it exchanges all other cards among each
other, everywhere in the room and in the facts, and demands the very same bytes.
"""

import asyncio
import random
from typing import Any

import msgspec
import pytest

from engine.cards import Card, Seat
from engine.commands import (
    Act,
    AnyAction,
    Concede,
    GiveCards,
    LayAway,
    Meld,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    ShowNines,
    TakeTalon,
)
from engine.decide import decide
from engine.events import (
    AnyEvent,
    CardsDealt,
    Gift,
)
from engine.evolve import evolve
from engine.history import Past
from engine.profile import Profile
from engine.rejections import Rejected
from engine.state import Room
from engine.views import Viewer
from server.audience import Attendee, Audience
from server.outbox import Outbox
from server.protocol import Refused
from server.shown import Scene
from tests.server.knowledge import learned
from tests.support import ALL_PROFILES, entries, viewers, with_rules

HOUSES = (
    *ALL_PROFILES,
    with_rules(ALL_PROFILES[0], hidden_talon_at_100=True, four_aces=True, must_beat=True),
    with_rules(ALL_PROFILES[0], redeal_weak_talon=True, running_points=True),
)


def exchanged(value: Any, other: dict[Card, Card]) -> Any:  # any part of a room
    """`value` with every card in it replaced, however deep it lies."""
    if isinstance(value, Card):
        return other.get(value, value)
    if isinstance(value, Profile):
        return value
    if isinstance(value, tuple):
        return tuple(exchanged(part, other) for part in value)
    if isinstance(value, msgspec.Struct):
        fields = {name: exchanged(getattr(value, name), other) for name in value.__struct_fields__}
        return type(value)(**fields)
    return value


def elsewhere(pack: tuple[Card, ...], known: set[Card], chance: random.Random) -> dict[Card, Card]:
    """Another way in which the cards that are not known could lie."""
    hidden = [card for card in pack if card not in known]
    return dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))


async def frames(
    room: Room, later: Room, facts: tuple[AnyEvent, ...], viewer: Viewer
) -> list[bytes]:
    """What is sent to `viewer`, who comes to `room` and stays until `later`."""
    player = None if viewer is None else room.players[viewer]
    attendee = Attendee(Outbox(), (player.key,) if player else ())
    audience = Audience(lambda: 0.0)
    audience.enter(attendee, Scene(room=room, past=Past(seq=1, room=room)))
    sent = [await attendee.outbox.frame()]
    audience.show(Scene(room=later, past=Past(seq=2, room=later)), facts)
    sent.append(await attendee.outbox.frame())
    return [frame for frame in sent if frame is not None]


def asks(room: Room, seat: Seat, pack: tuple[Card, ...], chance: random.Random) -> list[AnyAction]:
    """What a curious player tries: with own cards, other cards, and at any moment."""
    card, other = chance.sample(pack, 2)
    receivers = [Seat(index) for index in range(len(room.players)) if index != seat][:2]
    return [
        PlayCard(card),
        Meld(card),
        PlaceBid(chance.randrange(95, 300, 5)),
        Pass(),
        TakeTalon(chance.randrange(2)),
        GiveCards(tuple(map(Gift, receivers, (card, other)))),
        LayAway((card, other)),
        SetContract(chance.randrange(100, 300, 5)),
        Concede(),
        ShowNines(),
    ]


def answers(room: Room, seat: Seat, tried: list[AnyAction]) -> list[bytes]:
    """What `seat` is told, for each of `tried`: the refusal, or that it was done."""
    decisions = (decide(room, Act(seat, action)) for action in tried)
    return [
        msgspec.json.encode(Refused(id="12345678", reason=decision.reason))
        if isinstance(decision, Rejected)
        else b"done"
        for decision in decisions
    ]


@pytest.mark.parametrize("profile", HOUSES, ids=lambda profile: f"{profile.id} {profile.chosen}")
async def test_two_deals_that_differ_in_hidden_cards_give_a_viewer_the_same_bytes(profile: Profile):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    chance = random.Random(seed)
    pack = profile.pack.cards()
    known: dict[Viewer, set[Card]] = {}
    for room, entry in entries(profile, chance, deals=12):
        later = room
        for fact in entry.facts:
            later = evolve(later, fact)
            known = {
                viewer: learned(known.get(viewer, set()), viewer, fact) for viewer in viewers(room)
            }
        viewer = chance.choice(viewers(room))
        other = elsewhere(pack, known[viewer], chance)

        # The trick that still lies there from the deal before is of other cards.
        fresh = any(isinstance(fact, CardsDealt) for fact in entry.facts)
        earlier = room if fresh else exchanged(room, other)
        here = await frames(room, later, entry.facts, viewer)
        there = await frames(
            earlier, exchanged(later, other), exchanged(entry.facts, other), viewer
        )

        assert here == there, (seed, viewer, entry)
        if viewer is not None:
            tried = asks(later, viewer, pack, chance)
            there = answers(exchanged(later, other), viewer, tried)
            assert answers(later, viewer, tried) == there, (seed, viewer, entry)
        await asyncio.sleep(0)
