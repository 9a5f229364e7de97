"""Many rooms for a long time on one server, looked at again and again."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from msgspec import Struct

from server.rehearse.report import Stopwatch, Tally, quantile
from server.rehearse.robot import Brief
from server.rehearse.rooms import open_rooms
from tests.crash.victim import Victim, served
from tests.soak.floor import asked_beside
from tests.soak.gauges import gauges
from tests.soak.people import Person, live

HURRIED, LEAST_HURRIED = 0.1, 8
"""The part of the rooms, and how many at least, whose people hardly think: most asks are theirs."""

HURRY = 0.02
"""Seconds of thought there."""

GAMES = 20
"""After those the people of a hurried room go to a new one: no log is without an end."""

MOST_MEMORY = 1 << 30
"""Bytes above which a soak ends early: no server of ours keeps so much for those who are there."""


class Sample(Struct, frozen=True, kw_only=True):
    """What was so since the last sample; latencies are those of asks until they were answered."""

    minute: float
    asks: int
    p50_ms: float
    p99_ms: float
    floor_p50_ms: float
    floor_p99_ms: float
    """Of the bare echo, in the same time."""
    memory: int
    files: int
    threads: int
    connections: int
    reconnects: int
    games: int
    errors: int


class Soak(Struct, frozen=True, kw_only=True):
    """How many, how long, and how restless. Seconds, but for `drop`: a probability per second."""

    rooms: int
    seconds: float
    every: float
    think: float
    drop: float
    seed: int
    profile: str | None = None


class _Waits(Struct, frozen=True):
    """The seconds that answers took since the last sample."""

    server: list[float]
    floor: list[float]


async def soaked(soak: Soak, folder: Path, tell: Callable[[Sample], None]) -> list[Sample]:
    """The samples, each told when it is taken."""
    chance, waits = Random(soak.seed), _Waits([], [])
    with Tally() as tally:
        async with (
            served(folder) as server,
            asked_beside(folder, waits.floor, chance),
            _people(soak, server, tally, waits.server, chance),
        ):
            samples: list[Sample] = []
            began = time.monotonic()
            while time.monotonic() - began < soak.seconds:
                await asyncio.sleep(soak.every)
                minute = (time.monotonic() - began) / 60
                samples.append(await _sample(server, tally, waits, minute))
                tell(samples[-1])
                if samples[-1].memory > MOST_MEMORY:
                    break
        return samples


@asynccontextmanager
async def _people(
    soak: Soak, server: Victim, tally: Tally, waits: list[float], chance: Random
) -> AsyncIterator[None]:
    """All rooms are full of people."""
    hurried = max(LEAST_HURRIED, int(HURRIED * soak.rooms))
    tables = [
        _Table(server.url, soak, tally, waits, Random(chance.random()), hurried=number < hurried)
        for number in range(soak.rooms)
    ]
    living = [asyncio.create_task(table.live()) for table in tables]
    try:
        yield
    finally:
        for life in living:
            life.cancel()
        for end in await asyncio.gather(*living, return_exceptions=True):
            if isinstance(end, Exception):
                raise end


class _Table:
    """Those who play together, in one room after the other."""

    def __init__(  # noqa: PLR0913  # what its people need
        self,
        url: str,
        soak: Soak,
        tally: Tally,
        waits: list[float],
        chance: Random,
        *,
        hurried: bool,
    ) -> None:
        self._url = url
        self._soak = soak
        self._tally = tally
        self._waits = waits
        self._chance = chance
        self._think = min(HURRY, soak.think) if hurried else soak.think
        self._games = GAMES if hurried else 1_000_000

    async def live(self) -> None:
        while True:
            profile = self._soak.profile
            (room,) = await asyncio.to_thread(open_rooms, self._url, 1, profile)
            brief = Brief(
                code=room.code,
                games=self._games,
                think=self._think,
                tally=self._tally,
                stopwatch=Stopwatch(room.players, []),
                chance=Random(self._chance.random()),
            )
            people = [Person(number, brief, self._waits) for number in range(room.players)]
            async with asyncio.TaskGroup() as lives:
                for person in people:
                    chance = Random(self._chance.random())
                    whole = live(person, room.uri, self._tally, self._soak.drop, chance)
                    lives.create_task(whole)
            if any(person.failed for person in people):
                return


async def _sample(server: Victim, tally: Tally, waits: _Waits, minute: float) -> Sample:
    answers, echoes = sorted(waits.server), sorted(waits.floor)
    waits.server.clear()
    waits.floor.clear()
    held, health = gauges(server.pid), await server.answers()
    return Sample(
        minute=minute,
        asks=len(answers),
        p50_ms=1000 * quantile(answers, 0.5),
        p99_ms=1000 * quantile(answers, 0.99),
        floor_p50_ms=1000 * quantile(echoes, 0.5),
        floor_p99_ms=1000 * quantile(echoes, 0.99),
        memory=held.memory,
        files=held.files,
        threads=held.threads,
        connections=health.connections,
        reconnects=tally.reconnects,
        games=tally.games,
        errors=tally.errors.total(),
    )
