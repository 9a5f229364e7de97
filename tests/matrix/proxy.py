"""Bad networks between a device and the server: one that knows bytes, and one that knows frames."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

AFTER_LOSS = 0.05
"""Seconds until a connection that lost a frame breaks, as TCP would give it up sometime."""

EVERY = 10
"""Of so many frames one is lost."""

SLOWEST = 0.02
"""Seconds that a frame is held up at most."""


class Wire:
    """Carries bytes to the server; can be frozen, and cut. Sends from `source` on."""

    def __init__(self, server: str, source: str = "127.0.0.1") -> None:
        self.source = source
        self._server = server.split(":")
        self._flows = asyncio.Event()
        self._flows.set()
        self._ends: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[str]:
        """The `host:port` at which the wire begins."""
        entrance = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        try:
            yield f"127.0.0.1:{entrance.sockets[0].getsockname()[1]}"
        finally:
            self.cut()
            entrance.close()
            await entrance.wait_closed()

    def freeze(self) -> None:
        """Nothing arrives any more, in either direction, and nobody is told."""
        self._flows.clear()

    def thaw(self) -> None:
        """What was sent meanwhile arrives."""
        self._flows.set()

    def cut(self) -> None:
        """Every connection breaks; what was on its way is lost."""
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()
        self.thaw()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._server
        there, back = await asyncio.open_connection(host, int(port), local_addr=(self.source, 0))
        self._ends |= {writer, back}
        await asyncio.gather(self._pour(reader, back), self._pour(there, writer))

    async def _pour(self, source: asyncio.StreamReader, into: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                await self._flows.wait()
                into.write(data)
                await into.drain()
        into.close()


class Losing:
    """Every tenth frame in either direction is lost, and a while later the connection breaks.

    As `Straying` it says of a frame after how many seconds it arrives, and how many times.
    """

    def __init__(self, chance: Random) -> None:
        self._passed = chance.randrange(EVERY)
        self.lost = asyncio.Event()

    def __call__(self, _frame: str) -> tuple[float, int]:
        self._passed += 1
        if self._passed % EVERY:
            return 0.0, 1
        self.lost.set()
        return 0.0, 0


class Straying:
    """Frames are held up, in their order, and asks and answers come twice; a hello does not."""

    def __init__(self, chance: Random) -> None:
        self.lost = asyncio.Event()  # nothing ever is
        self.over = False
        self._chance = chance

    def __call__(self, frame: str) -> tuple[float, int]:
        if self.over:
            return 0.0, 1
        repeats = frame.startswith(("[", '{"type":"ask"', '{"type":"ping"'))
        return self._chance.uniform(0, SLOWEST), 1 + repeats


@asynccontextmanager
async def relay(server: str, fate: Losing | Straying) -> AsyncIterator[str]:
    """The `host:port` of a relay on which `fate` is done to frames."""

    async def carry(device: ServerConnection) -> None:
        assert device.request is not None
        uri = f"ws://{server}{device.request.path}"
        async with connect(uri, compression=None, ping_interval=None, proxy=None) as line:
            pours = [asyncio.create_task(_pour(device, line, fate))]
            pours += [asyncio.create_task(_pour(line, device, fate))]
            pours += [asyncio.create_task(_break(fate))]
            await asyncio.wait(pours, return_when=asyncio.FIRST_COMPLETED)
            for end in (device, line):
                end.transport.abort()
            for pour in pours:
                pour.cancel()
            await asyncio.gather(*pours, return_exceptions=True)

    async with serve(carry, "127.0.0.1", 0, compression=None, ping_interval=None) as entrance:
        yield f"127.0.0.1:{entrance.sockets[0].getsockname()[1]}"


Line = ClientConnection | ServerConnection


async def _pour(source: Line, into: Line, fate: Losing | Straying) -> None:
    with suppress(ConnectionClosed):
        async for frame in source:
            seconds, times = fate(str(frame))
            await asyncio.sleep(seconds)
            for _ in range(times):
                await into.send(frame)


async def _break(fate: Losing | Straying) -> None:
    """Done a while after something was lost."""
    await fate.lost.wait()
    await asyncio.sleep(AFTER_LOSS)
