"""Many rooms for a long time on one server, looked at again and again."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import mean

from msgspec import Struct

from server.rehearse.report import Stopwatch, Tally, quantile
from server.rehearse.robot import Brief
from server.rehearse.rooms import open_rooms
from tests.crash.victim import Victim, served
from tests.soak.gauges import gauges
from tests.soak.people import Person, live

WARM_UP = 0.2
"""The part of a soak that is not judged: rooms fill, caches fill."""

MOST = {"resident": 1.05, "files": 1.05, "threads": 1.0, "p50_ms": 1.5, "p99_ms": 2.0}
"""By how much each figure may be higher in the later half, on average, and still count as flat."""


class Sample(Struct, frozen=True, kw_only=True):
    """What was so in one minute; latencies are those of asks until they were answered."""

    minute: float
    asks: int
    p50_ms: float
    p99_ms: float
    resident: int
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


async def soaked(soak: Soak, folder: Path, tell: Callable[[Sample], None]) -> list[Sample]:
    """The samples, each told when it is taken."""
    chance, waits = Random(soak.seed), list[float]()
    with Tally() as tally:
        async with served(folder) as server, _people(soak, server, tally, waits, chance):
            samples: list[Sample] = []
            began = time.monotonic()
            while time.monotonic() - began < soak.seconds:
                await asyncio.sleep(soak.every)
                minute = (time.monotonic() - began) / 60
                samples.append(await _sample(server, tally, waits, minute))
                tell(samples[-1])
        return samples


@asynccontextmanager
async def _people(
    soak: Soak, server: Victim, tally: Tally, waits: list[float], chance: Random
) -> AsyncIterator[None]:
    """All rooms are full of people."""
    opened = await asyncio.to_thread(open_rooms, server.url, soak.rooms, soak.profile)
    living = []
    for room in opened:
        brief = Brief(
            code=room.code,
            games=1_000_000,
            think=soak.think,
            tally=tally,
            stopwatch=Stopwatch(room.players, []),
            chance=Random(chance.random()),
        )
        for number in range(room.players):
            person = Person(number, brief, waits)
            whole = live(person, room.uri, tally, soak.drop, Random(chance.random()))
            living.append(asyncio.create_task(whole))
    try:
        yield
    finally:
        for life in living:
            life.cancel()
        await asyncio.gather(*living, return_exceptions=True)


async def _sample(server: Victim, tally: Tally, waits: list[float], minute: float) -> Sample:
    ordered = sorted(waits)
    waits.clear()
    held, health = gauges(server.pid), await server.answers()
    return Sample(
        minute=minute,
        asks=len(ordered),
        p50_ms=1000 * quantile(ordered, 0.5),
        p99_ms=1000 * quantile(ordered, 0.99),
        resident=held.resident,
        files=held.files,
        threads=held.threads,
        connections=health.connections,
        reconnects=tally.reconnects,
        games=tally.games,
        errors=tally.errors.total(),
    )


def growth(samples: list[Sample]) -> dict[str, float]:
    """By which factor each figure is higher on average in the later half than in the first.

    There are some samples; the first of them are left out.
    """
    judged = samples[int(WARM_UP * len(samples)) :]
    half = len(judged) // 2
    return {
        figure: mean(getattr(one, figure) for one in judged[half:])
        / mean(getattr(one, figure) for one in judged[: half or 1])
        for figure in MOST
    }


def grown_per_ask(samples: list[Sample]) -> float:
    """Bytes of memory that every ask has cost since the warm-up."""
    first, *later = samples[int(WARM_UP * len(samples)) :]
    asks = sum(one.asks for one in later)
    return (later[-1].resident - first.resident) / asks if asks else 0.0


def is_flat(factors: dict[str, float]) -> bool:
    """Whether nothing has grown by more than chance makes it."""
    return all(factor <= MOST[figure] for figure, factor in factors.items())
