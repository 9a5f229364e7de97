"""Robots that do as people do: think unevenly, lose the network, and put the phone down."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from random import Random

from websockets.uri import parse_uri

from server.rehearse.line import FIRST_WAIT, LOST, Line
from server.rehearse.report import Tally
from server.rehearse.robot import Brief, Robot

UNEVEN = 0.7
"""How much the times of thought differ: the deviation of their logarithm."""

ASLEEP = 0.3
"""So many of the drops are phones that sleep: they say nothing, and nobody is told."""

LONGEST_SLEEP = 30.0
"""Seconds: longer than a server believes in a connection that says nothing."""

LONGEST_AWAY = 3.0
"""Seconds until a lost network is found again."""


class Person(Robot):
    """A robot that thinks unevenly. `waits`: the seconds each of its asks took to be answered.

    An ask that was on its way when the network was lost says nothing about the server.
    """

    def __init__(self, number: int, brief: Brief, waits: list[float]) -> None:
        super().__init__(number, brief)
        self._chance = brief.chance
        self._waits = waits
        self._since = 0.0

    def connected(
        self, send: Callable[[bytes], None], hang_up: Callable[[], None] = lambda: None
    ) -> None:
        self._since = time.perf_counter()
        super().connected(send, hang_up)

    def _after(self, seconds: float, go: Callable[[], None]) -> None:
        super()._after(seconds * self._chance.lognormvariate(0, UNEVEN), go)

    def _settled(self, ask: str, seq: int, now: float) -> None:
        if self._asked is not None and self._asked[1] > self._since:
            self._waits.append(now - self._asked[1])
        super()._settled(ask, seq, now)


async def live(person: Person, uri: str, tally: Tally, drop: float, chance: Random) -> None:
    """Keep `person` in the room at `uri`; in any second it drops out with probability `drop`."""
    address, loop = parse_uri(uri), asyncio.get_running_loop()
    connect = partial(Line, person, address)
    while not person.finished:
        try:
            transport, line = await loop.create_connection(connect, address.host, address.port)
        except OSError:
            await asyncio.sleep(FIRST_WAIT)
            continue
        ended = asyncio.create_task(line.ended())
        try:
            awake = chance.expovariate(drop) if drop else None
            await asyncio.wait({ended}, timeout=awake)
            if not ended.done():
                await _drop_out(transport, ended, chance)
            if (code := await ended) not in LOST:
                person.fail(f"closed: {code}")
            tally.reconnects += 1
        finally:
            ended.cancel()
        await asyncio.sleep(chance.uniform(FIRST_WAIT, LONGEST_AWAY))


async def _drop_out(transport: asyncio.Transport, ended: asyncio.Task[int], chance: Random) -> None:
    """The connection is broken; perhaps after a while in which its phone was asleep."""
    if chance.random() < ASLEEP:
        transport.pause_reading()
        await asyncio.wait({ended}, timeout=chance.uniform(1, LONGEST_SLEEP))
    transport.abort()
