"""For every wish a moment at which it is granted, found by its type in recorded evenings.

Nobody names a wish here: one that is new is found too, or the search says that it found none.
"""

import itertools
import types
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from engine.cards import Card, Seat
from engine.decide import decide
from engine.events import AnyEvent
from engine.evolve import fold
from engine.history import Entry, Past
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import InDeal, Room
from engine.take_back import take_back
from server.audience import Attendee
from server.house import command_for
from server.log import EventLog, MemoryLog
from server.log.codec import encode
from server.outbox import Outbox
from server.profiles import load_profiles
from server.protocol import Done, Proposals, Talk, Wish
from server.room import RoomKeeper
from tests.golden_logs import LOGS, read
from tests.server.phones import CODE, Phone, running

MOST = 2
"""Cards or gifts that a wish names at most here."""


class Occasion(Struct, frozen=True):
    """After `log` and once `first` was granted, `seat` is granted the wish of that number."""

    log: tuple[Entry, ...]
    first: tuple["Said", ...]
    said: "Said"


class Said(Struct, frozen=True):
    """The wish number `number` of all that `seat` can think of, of a `kind`."""

    seat: Seat
    kind: type
    number: int


class Device(Phone):
    """A phone of which the test knows the key and not the token."""

    def __init__(self, keeper: RoomKeeper, *keys: str) -> None:
        self.keeper = keeper
        self.token = None
        self.outbox = Outbox()
        self.attendee = Attendee(self.outbox, keys, next(iter(keys), None))
        self.messages, self.frames = [], []
        keeper.enter(self.attendee)

    @property
    def ids(self) -> tuple[str, ...]:
        """Those of the proposals that it sees."""
        return tuple(proposal.id for proposal in self.last(Proposals).proposals)

    def wish(self, said: Said) -> Wish:
        """What is said, as it is meant now."""
        made: Wish = wishes(said.kind, self.keeper.state, said.seat, self.ids)[said.number]
        return made


def wishes(kind: type, room: Room, seat: Seat, ids: Sequence[str] = ()) -> list[Any]:
    """Everything of `kind` that `seat` can think of."""
    hand = room.phase.hands[seat] if isinstance(room.phase, InDeal) else ()
    known: dict[object, tuple[Any, ...]] = {
        Seat: tuple(map(Seat, range(len(room.players)))),
        Card: tuple(hand),
        str: (*ids, *load_profiles()),
        int: (0, 1, *range(60, 305, 5)),
        bool: (True, False),
        types.NoneType: (None,),
    }
    return list(_made(kind, known))


def _made(kind: Any, known: dict[object, tuple[Any, ...]]) -> Iterator[Any]:
    """Values of the type `kind`, made of those that are known."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in known:
        yield from known[kind]
    elif origin in (Union, types.UnionType):
        for one in sorted(inner, key=lambda one: one is not types.NoneType):
            yield from _made(one, known)
    elif origin is Literal:
        yield from inner
    elif origin is tuple:
        for length in range(1, MOST + 1):
            yield from itertools.permutations(list(_made(inner[0], known)), length)
    elif origin is dict:
        yield {}
    else:
        fields = get_type_hints(kind)
        for values in itertools.product(*(list(_made(fields[name], known)) for name in fields)):
            yield kind(*values)


def moments() -> Iterator[tuple[tuple[Entry, ...], Past]]:
    """Every moment of the recorded evenings, with the entries that led to it."""
    for file in sorted(LOGS.glob("*/*.jsonl"), reverse=True):
        log, past = read(file), Past()
        for length, entry in enumerate(log, 1):
            past = past.after(entry)
            yield tuple(log[:length]), past


def granted_by_the_rules(kind: type) -> Occasion:
    """The first moment at which a wish of `kind`, which asks nobody, changes something."""
    profiles = load_profiles()
    for log, past in moments():
        room = past.room
        assert room is not None
        for seat in (Seat(at) for at, player in enumerate(room.players) if player is not None):
            for number, wish in enumerate(wishes(kind, room, seat)):
                facts = _answer(wish, seat, room, profiles)
                if isinstance(facts, Rejected):
                    if facts.reason in (Reason.WRONG_PHASE, Reason.NOT_YOUR_TURN):
                        break  # whatever else of the kind is wished for
                elif fold(facts, room) != room:
                    return Occasion(log, (), Said(seat, kind, number))
    raise AssertionError(f"{kind.__name__} is never granted in the recorded evenings")


def _answer(
    wish: Any, seat: Seat, room: Room, profiles: Mapping[str, Profile]
) -> tuple[AnyEvent, ...] | Rejected:
    command = command_for(wish, seat, room, profiles, anybody_deals=False)
    return command if isinstance(command, Rejected) else decide(room, command)


async def granted_by_the_table() -> dict[tuple[type, bool], Occasion]:
    """For all that concerns the others: what is granted at once, or after one wish or two.

    Of each kind what is done by that, and what then waits for the others.
    """
    log = next(
        log
        for log, past in moments()
        if past.room is not None
        and all(past.room.players)
        and not isinstance(take_back(past, Seat(0)), Rejected)
    )
    found: dict[tuple[type, bool], Occasion] = {}
    ways: list[tuple[Said, ...]] = [()]
    for _ in range(3):
        longer = []
        for first in ways:
            async for said, stored in _granted(log, first):
                found.setdefault((said.kind, stored), Occasion(log, first, said))
                longer.append((*first, said))
            if len({kind for kind, _ in found}) == len(get_args(Talk)):
                return found
        ways = longer
    return found


async def _granted(
    log: tuple[Entry, ...], first: tuple[Said, ...]
) -> AsyncIterator[tuple[Said, bool]]:
    """What is granted after `first`, one of each kind, and whether it was stored."""
    thought: Iterator[Said] | None = None
    known, said = set[tuple[type, bool]](), None
    while thought is None or said is not None:
        async with table(MemoryLog(), log, first) as (keeper, devices):
            before = keeper.seq
            thought = thought or _thoughts(keeper.state, devices)
            for said in thought:  # what is refused leaves the table as it was
                device = devices[said.seat]
                if isinstance(await device.asks(device.wish(said)), Done):
                    break
            else:
                said = None
            way = (said.kind, keeper.seq > before) if said else None
        if said and way and way not in known:
            known.add(way)
            yield said, way[1]


def _thoughts(room: Room, devices: Sequence[Device]) -> Iterator[Said]:
    """All that anybody can wish for of the others."""
    return iter(
        [
            Said(Seat(seat), kind, number)
            for kind in get_args(Talk)
            for seat, device in enumerate(devices[:-1])
            for number, _ in enumerate(wishes(kind, room, Seat(seat), device.ids))
        ]
    )


@asynccontextmanager
async def table(
    events: EventLog, log: Sequence[Entry], first: Sequence[Said] = ()
) -> AsyncIterator[tuple[RoomKeeper, list[Device]]]:
    """The room after `log` with a device on every chair, and a watcher; `first` was granted."""
    for entry in log:
        await events.append(CODE, entry.seq, encode(entry))
    async with running(events) as keeper:
        keys = [(player.key,) if player else () for player in keeper.state.players]
        devices = [Device(keeper, *key) for key in (*keys, ())]
        for said in first:
            for device in devices:
                await device.catches_up()
            device = devices[said.seat]
            assert isinstance(await device.asks(device.wish(said)), Done)
        for device in devices:
            await device.catches_up()
        yield keeper, devices
