"""A connection of the hostile client: it says what it is given, and keeps what it hears."""

import asyncio
import re
from collections.abc import Callable
from typing import cast

from tests.fuzz.frames import CLOSE, PING, PONG, TEXT

_SEQ = re.compile(rb'\{"type":"update","seq":(\d+)')

Heard = Callable[[int, bytes], None]
"""Gets a frame of the server, and the number of the last entry that was shown before it."""


class Wire(asyncio.Protocol):
    """Bytes to the server and back. `said`: all that came back, while it is no socket yet.

    As a socket it passes on each text frame to `heard`. `code`: with what the server closed it.
    """

    def __init__(self, heard: Heard) -> None:
        self.transport: asyncio.Transport | None = None
        self.closed = asyncio.get_running_loop().create_future()
        self.news = asyncio.Event()
        self.said = bytearray()
        self.code: int | None = None
        self.is_socket = False
        self.pongs = 0
        self._heard = heard
        self._shown = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)  # uvloop's own, of another family

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)
        self.news.set()

    def data_received(self, data: bytes) -> None:
        self.said += data
        if not self.is_socket and self.said.startswith(b"HTTP/1.1 101 "):
            _, end, rest = self.said.partition(b"\r\n\r\n")
            if end:
                self.is_socket, self.said = True, rest
        if self.is_socket:
            self._read_frames()
        self.news.set()

    def write(self, data: bytes) -> None:
        """`data` is sent, if there is still somebody to send it to."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def end(self) -> None:
        """The connection is broken off."""
        if self.transport is not None:
            self.transport.abort()

    async def until(self, so: Callable[[], bool], seconds: float) -> bool:
        """Whether it became so before the end of the connection, or of the time."""
        try:
            async with asyncio.timeout(seconds):
                while not so():
                    if self.closed.done():
                        return False
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            return False
        return True

    def _read_frames(self) -> None:
        said, at = self.said, 0
        while len(said) - at >= 2:
            opcode, size, head = said[at] & 15, said[at + 1] & 127, at + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                if len(said) < head + width:
                    break
                size, head = int.from_bytes(said[head : head + width], "big"), head + width
            if len(said) < head + size:
                break
            self._take(opcode, bytes(said[head : head + size]))
            at = head + size
        del said[:at]

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self._heard(self._shown, payload)
            self.pongs += payload.count(b'{"type":"pong"')
            for seq in _SEQ.findall(payload):
                self._shown = int(seq)
        elif opcode == CLOSE:
            self.code = int.from_bytes(payload[:2], "big")
        else:
            assert opcode in (PING, PONG), opcode
