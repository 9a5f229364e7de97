"""A robot's WebSocket: plain callbacks on the protocol of `websockets`, to cost little."""

import asyncio
from functools import partial
from typing import cast

import msgspec
from websockets.client import ClientProtocol
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.uri import WebSocketURI, parse_uri

from server.protocol import Close, Ping
from server.rehearse.report import Tally
from server.rehearse.robot import Robot

FIRST_WAIT, LONGEST_WAIT = 0.1, 1.0
"""Seconds before a lost connection is tried again: twice as long each time."""

PING_EVERY = 4.0
"""Seconds between two words of a robot that thinks, so that its player is not taken for asleep."""

PATIENCE = 30.0
"""Seconds without a server after which a robot gives up."""

_PING = msgspec.json.encode(Ping(n=0))

LOST = frozenset(
    map(int, (CloseCode.ABNORMAL_CLOSURE, Close.RESTARTING, Close.IDLE, Close.UNREADABLE))
)
"""How a connection ends when the server was killed or stopped, or lets go; the robot comes back."""


async def attend(robot: Robot, uri: str, tally: Tally) -> None:
    """Keep `robot` connected to the room at `uri` until it has finished or failed."""
    address, loop, wait = parse_uri(uri), asyncio.get_running_loop(), 0.0
    lost_at = loop.time()
    connect = partial(Line, robot, address)
    while True:
        try:
            _, line = await loop.create_connection(connect, address.host, address.port)
            code, opened = await line.ended(), line.opened
        except OSError:
            code, opened = int(CloseCode.ABNORMAL_CLOSURE), False
        if code not in LOST:
            robot.fail(f"closed: {code}")
        elif opened:
            tally.reconnects += not robot.finished
            wait, lost_at = 0.0, loop.time()
        elif loop.time() - lost_at > PATIENCE:
            robot.fail("no server")
        if robot.finished:
            return
        wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * wait))
        await asyncio.sleep(wait)


class Line(asyncio.Protocol):
    """One connection of `robot`, for as long as it lasts. `opened`: the server let it in."""

    def __init__(self, robot: Robot, address: WebSocketURI) -> None:
        self.opened = False
        self._closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._robot = robot
        self._protocol = ClientProtocol(address, max_size=None)
        self._transport: asyncio.Transport | None = None
        self._parts: list[bytes] = []
        self._pinging: asyncio.TimerHandle | None = None

    async def ended(self) -> int:
        """The close code, 1006 if there was none. Whoever stops waiting hangs up."""
        try:
            return await self._closed
        finally:
            self._leave()
            if self._transport is not None:
                self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own, of another family
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            match event:
                case Frame(opcode=Opcode.TEXT | Opcode.CONT, data=part, fin=fin):
                    self._part(bytes(part), whole=fin)
                case Response() if self._transport and self._protocol.state is State.OPEN:
                    self.opened = True
                    self._robot.connected(self._say, self._transport.abort)
                    self._ping()
                case _:
                    pass
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        self._protocol.receive_eof()
        self._robot.lost()
        if self._pinging is not None:
            self._pinging.cancel()
        if self._closed.done():  # nobody waits any more
            return
        if error is None or isinstance(error, OSError):
            self._closed.set_result(self._protocol.close_code or int(CloseCode.ABNORMAL_CLOSURE))
        else:
            self._closed.set_exception(error)

    def _ping(self) -> None:
        self._say(_PING)
        self._pinging = asyncio.get_running_loop().call_later(PING_EVERY, self._ping)

    def _say(self, frame: bytes) -> None:
        if self._protocol.state is State.OPEN:
            self._protocol.send_text(frame)
            self._flush()

    def _part(self, part: bytes, *, whole: bool) -> None:
        self._parts.append(part)
        if whole:
            frame, self._parts = b"".join(self._parts), []
            self._robot.heard(frame)
            if self._robot.finished:
                self._leave()

    def _leave(self) -> None:
        """The server is told, if it can be told."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)
            self._flush()

    def _flush(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
