"""What an attacker has: addresses, raw connections, frames and rooms, and a time to be over by."""

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random

import msgspec
from msgspec import Struct
from websockets.frames import Opcode

from server.http_messages import NewRoom, RoomOpened
from tests.attack.ground import HOUSE, PORT, foe_address

ADDRESSES = 1000
"""Of one attack; no other has them."""

MOST_LINES = 100_000
"""Connections that one attack makes at most."""

BREATH = 0.02
"""Seconds before a place that was lost is taken again."""

CONNECTS_WITHIN = 10.0

Doing = Callable[["Wire"], Awaitable[object]]
Attack = Callable[["Foe"], Awaitable[object]]
"""It goes on until it is stopped."""


class Wire:
    """A raw connection to the house."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def says(self, data: bytes) -> None:
        """`data` is on its way, as far as the house takes it."""
        self._writer.write(data)
        await self._writer.drain()

    async def head(self) -> bytes:
        """The next bytes, up to an empty line."""
        return await self._reader.readuntil(b"\r\n\r\n")

    def ends(self) -> None:
        """It says no more, and could still hear."""
        self._writer.write_eof()

    async def exactly(self, size: int) -> bytes:
        """The next bytes, so many."""
        return await self._reader.readexactly(size)

    async def drinks(self) -> int:
        """Everything that comes is read until the house hangs up; how many bytes that was."""
        drunk = 0
        with suppress(ConnectionError):
            while data := await self._reader.read(1 << 16):
                drunk += len(data)
        return drunk

    async def rest(self) -> bytes:
        """Everything that comes until the house hangs up."""
        return await self._reader.read()

    async def sips(self, size: int = 1) -> bytes:
        """A few bytes are read."""
        return await self._reader.read(size)

    async def sips_on(self) -> None:
        """A byte is read now and then, until the house hangs up."""
        while await self.sips():  # noqa: ASYNC110  # slowness is what it is about
            await asyncio.sleep(0.5)

    def cut(self) -> None:
        """The connection is gone without a word."""
        self._writer.transport.abort()


class Foe:
    """An attack from the addresses `first` and on, against whatever table stands at `table`."""

    def __init__(self, first: int, table: str, chance: Random) -> None:
        self.table = table
        self.chance = chance
        self.did: Counter[str] = Counter()
        """What was done, how often."""
        self._first = first

    def address(self, number: int) -> str:
        """One of its addresses."""
        return foe_address(self._first + number % ADDRESSES)

    async def wire(self, number: int, window: int | None = None) -> Wire:
        """A new connection from the address of that number; `window`: bytes it takes unread.

        Raises:
            OSError: the house takes none.
        """
        if self.did["connections"] >= MOST_LINES:
            await asyncio.sleep(3600)  # until the attack is over
        self.did["connections"] += 1
        line = socket.socket()
        try:
            if window is not None:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            line.setblocking(False)  # noqa: FBT003  # the name is theirs
            line.bind((self.address(number), 0))
            async with asyncio.timeout(CONNECTS_WITHIN):
                await asyncio.get_running_loop().sock_connect(line, (HOUSE, PORT))
            return Wire(*await asyncio.open_connection(sock=line))
        except BaseException:
            line.close()
            raise

    async def on(self, wire: Wire, code: str) -> None:
        """`wire` is a WebSocket of room `code`.

        Raises:
            OSError, IncompleteReadError: the house refuses.
        """
        await wire.says(_UPGRADE % code.encode())
        if b" 101 " not in await wire.head():
            raise ConnectionRefusedError
        self.did["sockets"] += 1

    async def again(self, number: int, doing: Doing, window: int | None = None) -> None:
        """`doing` on a connection from that address, and on another whenever that is lost."""
        while True:
            # A RuntimeError is uvloop's, for what is said on a line that is closed.
            with suppress(OSError, EOFError, RuntimeError, asyncio.LimitOverrunError):
                wire = await self.wire(number, window)
                try:
                    await doing(wire)
                finally:
                    wire.cut()
            await asyncio.sleep(BREATH)

    async def many(
        self, addresses: int, each: int, doing: Doing, window: int | None = None
    ) -> None:
        """So many connections from each of so many addresses, all at once, again and again."""
        async with asyncio.TaskGroup() as group:
            for number in range(addresses * each):
                group.create_task(self.again(number % addresses, doing, window))
                if number % 50 == 49:
                    await asyncio.sleep(0)

    async def asks(
        self, number: int, method: str, path: str, body: bytes = b"", more: str = ""
    ) -> bytes:
        """The answer to a request of its own connection, whole; empty: there was none."""
        with suppress(OSError, EOFError):
            wire = await self.wire(number)
            try:
                await wire.says(
                    request(path, method, body=body, more=f"Connection: close\r\n{more}")
                )
                head = await wire.head()
                self.did[head[9:12].decode()] += 1
                return head + await wire.rest()
            finally:
                wire.cut()
        return b""

    async def room(self, number: int, profile: str = "ru-3") -> str:
        """The code of a new room, opened from that address as soon as it may."""
        body = msgspec.json.encode(NewRoom(profile=profile))
        while True:
            answer = await self.asks(number, "POST", "/api/rooms", body)
            with suppress(msgspec.MsgspecError):
                return msgspec.json.decode(answer.partition(b"\r\n\r\n")[2], type=RoomOpened).code
            await asyncio.sleep(0.5)


_UPGRADE = (
    b"GET /api/rooms/%b/socket HTTP/1.1\r\nHost: " + HOUSE.encode() + b"\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def request(
    path: str, method: str = "GET", *, host: str = HOUSE, body: bytes = b"", more: str = ""
) -> bytes:
    """A whole request."""
    length = f"Content-Length: {len(body)}\r\n" if body or method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{length}{more}\r\n".encode() + body


def frame(payload: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame of a client, under the mask of zeros."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    else:
        length = b"\xfe" + size.to_bytes(2) if size < 1 << 16 else b"\xff" + size.to_bytes(8)
    return bytes([(0x80 if fin else 0) | opcode]) + length + bytes(4) + payload


def said(message: Struct) -> bytes:
    """The frame of a message."""
    return frame(msgspec.json.encode(message))
