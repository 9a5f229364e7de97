"""Attacks on rooms that were made long before the server started: 100,000 entries, or many rooms.

The log is filled by the server's own log class, as asks would have filled it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from engine.cards import Seat
from engine.events import (
    AnyEvent,
    CardPlayed,
    PlayerSeated,
    ProfileChosen,
    ReadySet,
    RoomOpened,
    Undone,
)
from engine.history import AskId, Entry
from engine.state import Over
from server.identity import key_of
from server.log import SqliteLog
from server.log.codec import encode
from server.profiles import load_profiles
from server.protocol import Resume, Watch
from server.take_home.formats import FORMATS
from tests.attack.foe import Attack, Foe, Wire, request, said
from tests.matrix.phases import PHASES, TOKENS, Phase, prepared
from tests.support import RU_3

TOKEN = "q83vEjRWeJq83vEjRWeJAA"  # noqa: S105  # of a seat in the long rooms
BEARER = f"Authorization: Bearer {' '.join((TOKEN, *TOKENS))}\r\n"
GZIP = "Accept-Encoding: gzip\r\n"

ROOM = "/api/rooms/{code}"

LONG = 100_000
BATCH = 1000
"""Entries that wait for the disk together."""

SLEEPERS = (
    tuple(f"KLM{letter}" for letter in "ABCDEFGHKLMNPRTVWXYZ")
    + tuple(f"KLN{letter}" for letter in "ABCDEFGHKLMNPRTVWXYZ")
    + tuple(f"KLP{letter}" for letter in "ABCDEFGHKL")
)
NAPPED = 990
"""Entries of a room that sleeps."""

LAY = {"ready": "KVRT", "profile": "KVRN", "game": "KVRP", "won": "KVRL"}
"""The long rooms by what made them long."""

Lies = Callable[[Path], Awaitable[None]]
"""What lies in a data folder before the server starts."""


@cache
def long_room(kind: str) -> Lies:
    """A room that somebody kept lengthening: by being ready and not, also after a game was played;
    by choosing rules; by leading and taking back.
    """

    async def lies(folder: Path) -> None:
        await _filled(folder, {LAY[kind]: _lengthened(kind, LONG)})

    return lies


async def sleepers(folder: Path) -> None:
    """Fifty rooms, each with a game that was ended and then the lobby, 990 entries."""
    rooms = {code: _toggled(_game(index % 5), NAPPED) for index, code in enumerate(SLEEPERS)}
    await _filled(folder, rooms)


def asked_of(kind: str, path: str, method: str = "GET", *, addresses: int = 2) -> Attack:
    """`path` of the long room is asked for once, and then by 60 lines at a time, with and without a
    token.
    """

    async def attack(foe: Foe) -> None:
        where = path.format(code=LAY[kind])
        await foe.asks(0, method, where)

        async def asks(number: int) -> None:
            while True:
                await foe.asks(number % addresses, method, where, more=(GZIP, BEARER)[number % 2])
                await asyncio.sleep(0.01)

        await asyncio.gather(*map(asks, range(60)))

    return attack


def all_of(kind: str) -> Attack:
    """Everything that is told of the long room and its game, by sixty at once from ten."""

    async def attack(foe: Foe) -> None:
        where = ROOM.format(code=LAY[kind])
        games = ("replay", "replay?undone=1", "sheet")
        files = (f"games/1.{ending}" for ending in FORMATS)
        paths = ("evening", *(f"games/1/{one}" for one in games), *files)

        async def asks(number: int) -> None:
            while True:
                path, more = foe.chance.choice(paths), foe.chance.choice((GZIP, BEARER))
                await foe.asks(number % 10, "GET", f"{where}/{path}", more=more)
                await asyncio.sleep(0.01)

        await asyncio.gather(*map(asks, range(60)))

    return attack


def sat_at(kind: str) -> Attack:
    """Its player comes back to the long room, and watchers with them, again and again."""

    async def attack(foe: Foe) -> None:
        hellos = (said(Resume(tokens=(TOKEN,))), said(Watch()))

        async def comes(wire: Wire) -> None:
            await foe.on(wire, LAY[kind])
            await wire.says(foe.chance.choice(hellos))
            foe.did["hellos"] += 1
            await wire.drinks()

        await foe.many(3, 20, comes)

    return attack


async def woken(foe: Foe) -> None:
    """All fifty are looked for at once, each from an address of its own."""

    async def looks(number: int) -> None:
        await foe.asks(number, "GET", f"/api/rooms/{SLEEPERS[number]}")

    await asyncio.gather(*map(looks, range(len(SLEEPERS))))
    await asyncio.sleep(1)

    async def watches(wire: Wire) -> None:
        await foe.on(wire, foe.chance.choice(SLEEPERS))
        await wire.says(said(Watch()))
        await wire.drinks()

    await foe.many(50, 1, watches)


async def evenings(foe: Foe) -> None:
    """The evenings, games and files of all fifty, by many at once."""
    paths = ("evening", "games/1/replay", "games/1/sheet", "games/1.html", "games/1.csv")

    async def asks(wire: Wire) -> None:
        code, path = foe.chance.choice(SLEEPERS), foe.chance.choice(paths)
        await wire.says(request(f"/api/rooms/{code}/{path}", more=GZIP))
        foe.did["asked"] += 1
        await wire.sips(1 << 16)

    await foe.many(20, 10, asks)


def _lengthened(kind: str, length: int) -> Iterator[Entry]:
    match kind:
        case "game":
            return _led_and_taken_back(length)
        case "won":
            return _toggled(_game(0), length)
        case "ready":
            return _toggled([*_opened()], length)
        case _:
            return _chosen(length)


def _opened() -> Iterator[Entry]:
    rules = load_profiles()["ru-3"]
    yield Entry(seq=1, facts=(RoomOpened(profile=rules),))
    yield Entry(seq=2, facts=(PlayerSeated(seat=Seat(0), name="Eve", key=key_of(TOKEN)),))


def _chosen(length: int) -> Iterator[Entry]:
    both = load_profiles()["ru-3"], load_profiles()["de-3"]
    yield from _opened()
    for seq in range(3, length + 1):
        yield _asked(seq, ProfileChosen(profile=both[seq % 2]))


def _toggled(before: list[Entry], length: int) -> Iterator[Entry]:
    """`before`, and then a player who is ready and is not."""
    yield from before
    for seq in range(len(before) + 1, length + 1):
        yield _asked(seq, ReadySet(seat=Seat(0), ready=bool(seq % 2)))


def _led_and_taken_back(length: int) -> Iterator[Entry]:
    led = prepared(RU_3, next(one for one in PHASES if one.name == "second"), Random(0))
    lead = led[-1].facts
    (card,) = (fact for fact in lead if isinstance(fact, CardPlayed))
    back = Undone(back_to=led[-2].seq, by=card.seat, agreed=())
    yield from led
    for seq in range(len(led) + 1, length + 1):
        yield _asked(seq, *((back,) if (seq - len(led)) % 2 else lead))


def _asked(seq: int, *facts: AnyEvent | Undone) -> Entry:
    return Entry(seq=seq, facts=facts, ask=AskId(key_of(TOKEN), f"{seq:016d}"))


@cache
def _game(seed: int) -> list[Entry]:
    over = Phase("over", lambda room: isinstance(room.phase, Over), deals=12)
    return prepared(RU_3, over, Random(seed))


async def _filled(folder: Path, rooms: Mapping[str, Iterable[Entry]]) -> None:
    log = SqliteLog(folder)
    try:
        for code, entries in rooms.items():
            left = iter(entries)
            while batch := list(islice(left, BATCH)):
                await asyncio.gather(*(log.append(code, one.seq, encode(one)) for one in batch))
    finally:
        log.close()
