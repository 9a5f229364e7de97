"""What this machine allows in the same minutes: a bare echo with a disk, asked beside the server.

Its waits are measured by the same clock, in the process in which the people wait. A machine that is
busy makes them long as well.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random

from websockets.asyncio.client import connect

from tests.bench.process import ServerProcess
from tests.bench.serve_bench import ASK

ROOMS = 3
SEATS = 3
"""Lines in each room: everybody is sent what one of them asks for."""

EVERY = 0.05
"""Seconds, on average, between an echo and the next ask of its room."""


@asynccontextmanager
async def asked_beside(folder: Path, waits: list[float], chance: Random) -> AsyncIterator[None]:
    """The echo keeps what it is asked in `folder`; the seconds it takes come into `waits`."""
    server = ServerProcess("tests.bench.floor", "--keep", folder / "floor")
    calling: list[asyncio.Task[None]] = []
    try:
        await asyncio.to_thread(server.start)
        for room in range(ROOMS):
            uri = f"ws://{server.host}/api/rooms/{room}/socket"
            calling.append(asyncio.create_task(_call(uri, waits, Random(chance.random()))))
        yield
    finally:
        server.kill()
        for call in calling:
            call.cancel()
        ends = await asyncio.gather(*calling, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception):
                raise end


async def _call(uri: str, waits: list[float], chance: Random) -> None:
    """One of a room asks again and again."""
    async with AsyncExitStack() as stack:
        line, *others = [
            await stack.enter_async_context(
                connect(uri, compression=None, ping_interval=None, proxy=None)
            )
            for _ in range(SEATS)
        ]
        while True:
            asked = time.perf_counter()
            await line.send(ASK, text=True)
            await line.recv(decode=False)
            waits.append(time.perf_counter() - asked)
            for other in others:
                await other.recv(decode=False)
            await asyncio.sleep(chance.expovariate(1 / EVERY))
