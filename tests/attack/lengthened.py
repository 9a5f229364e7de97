"""Attacks on rooms that were made long before the server started: 100,000 entries, or many rooms.

The log is filled by the server's own log class, as asks would have filled it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

from engine.cards import Seat
from engine.events import PlayerSeated, ProfileChosen, ReadySet, RoomOpened
from engine.history import AskId, Entry
from engine.state import Over
from server.identity import key_of
from server.log import SqliteLog
from server.log.codec import encode
from server.profiles import load_profiles
from server.protocol import Resume, Watch
from tests.attack.foe import Attack, Foe, Wire, request, said
from tests.matrix.phases import TOKENS, Phase, prepared
from tests.support import RU_3

TOKEN = "q83vEjRWeJq83vEjRWeJAA"  # noqa: S105  # of a seat in the long rooms
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

LAY = {"ready": "KVRT", "profile": "KVRN"}
"""The long rooms by what made them long."""

Lies = Callable[[Path], Awaitable[None]]
"""What lies in a data folder before the server starts."""


@cache
def long_room(kind: str) -> Lies:
    """A room that somebody kept lengthening, by being ready and not, or by choosing rules."""

    async def lies(folder: Path) -> None:
        await _filled(folder, {LAY[kind]: _lengthened(kind, LONG)})

    return lies


async def sleepers(folder: Path) -> None:
    """Fifty rooms, each with a game that was won and then the lobby, 990 entries."""
    await _filled(folder, {code: _napped(index) for index, code in enumerate(SLEEPERS)})


def asked_of(kind: str, path: str, method: str = "GET", *, addresses: int = 2) -> Attack:
    """`path` of the long room is asked for once, and then by 60 lines at a time, with and without a
    token.
    """

    async def attack(foe: Foe) -> None:
        where = path.format(code=LAY[kind])
        tokens = ("", f"Authorization: Bearer {TOKEN}\r\n")
        if method == "DELETE":  # with a token it would be right to do so
            tokens = ("", "Authorization: Bearer AAAAAAAAAAAAAAAAAAAAAA\r\n")
        await foe.asks(0, method, where)

        async def asks(number: int) -> None:
            while True:
                more = "Accept-Encoding: gzip\r\n" + tokens[number % 2]
                await foe.asks(number % addresses, method, where, more=more)
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
        await wire.says(request(f"/api/rooms/{code}/{path}", more="Accept-Encoding: gzip\r\n"))
        foe.did["asked"] += 1
        await wire.sips(1 << 16)

    await foe.many(20, 10, asks)


def _lengthened(kind: str, length: int) -> Iterator[Entry]:
    rules, others = load_profiles()["ru-3"], load_profiles()["de-3"]
    key = key_of(TOKEN)
    yield Entry(seq=1, facts=(RoomOpened(profile=rules),))
    yield Entry(seq=2, facts=(PlayerSeated(seat=Seat(0), name="Eve", key=key),))
    for seq in range(3, length + 1):
        fact = (
            ReadySet(seat=Seat(0), ready=bool(seq % 2))
            if kind == "ready"
            else ProfileChosen(profile=others if seq % 2 else rules)
        )
        yield Entry(seq=seq, facts=(fact,), ask=AskId(key, f"{seq:016d}"))


def _napped(index: int) -> Iterator[Entry]:
    game = _game(index % 5)
    yield from game[:NAPPED]
    facts = (ReadySet(seat=Seat(0), ready=True), ReadySet(seat=Seat(0), ready=False))
    for seq in range(len(game) + 1, NAPPED + 1):
        yield Entry(seq=seq, facts=(facts[seq % 2],), ask=AskId(key_of(TOKENS[0]), f"{seq:016d}"))


@cache
def _game(seed: int) -> list[Entry]:
    over = Phase("over", lambda room: isinstance(room.phase, Over), deals=20)
    return prepared(RU_3, over, Random(seed))


async def _filled(folder: Path, rooms: dict[str, Iterable[Entry]]) -> None:
    log = SqliteLog(folder)
    try:
        for code, entries in rooms.items():
            left = iter(entries)
            while batch := list(islice(left, BATCH)):
                await asyncio.gather(*(log.append(code, one.seq, encode(one)) for one in batch))
    finally:
        log.close()
