"""Connections as uvicorn serves them, counted, and ended where they say nothing or never stop.

What is not yet a request or a frame reaches no application, so it is limited here.
"""

from asyncio import BaseTransport, TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from server.limits import Bucket, Rate, Strangers, Visitor

REQUEST_WITHIN = 10.0
"""Seconds for a whole request, from the beginning of the connection or its first byte after one."""

REQUEST_LIMIT = 65_536
"""Bytes of a whole request at most; the body has a smaller limit of its own."""

FRAGMENTS = 16
"""Frames of one message at most; browsers send such short ones in one."""

MORSEL = 1024
"""Bytes of a WebSocket that are taken apart before it is looked at again: 170 pings at most."""

CONTROLS = Rate(16, 1)
"""Pings and answers to pings on one connection; browsers send an answer every five seconds."""

MESSAGES = 256
"""Messages that wait for the application at most, which takes one after the other."""

STRANGERS = "strangers"
"""Where the application's lifespan leaves the one count of all connections."""


class Outlet:
    """A transport into which whoever answers late may write: once it is closed nothing happens.

    uvloop's own raises then, and the answer to a request is still on its way when the one behind
    it, in the same packet, has the connection closed.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> object:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """`data` is sent, if the connection is open."""
        if not self._transport.is_closing():
            self._transport.write(data)


class HttpLine(HttpToolsProtocol):
    """A connection until it is closed or becomes a WebSocket."""

    _late: TimerHandle | None = None
    _received = 0
    _visitor: Visitor | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as above it
        super().connection_made(Outlet(transport))  # type: ignore[arg-type]  # as good as one
        strangers: Strangers = self.app_state[STRANGERS]
        self._visitor = strangers.visitor(self.client)
        self._wait()
        if self._visitor is not None and not strangers.opened(self._visitor):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        if self._visitor is not None:
            self.app_state[STRANGERS].closed(self._visitor)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._wait()
        self._received += len(data)
        super().data_received(data)
        if self._received > REQUEST_LIMIT:
            self.transport.abort()

    def on_message_complete(self) -> None:
        self._wait_no_longer()
        self._received = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        # It would keep this line and its transport until the garbage is collected.
        self.parser = None  # type: ignore[assignment]  # as when a connection is lost
        line = self.transport.get_protocol()
        if isinstance(line, SocketLine):
            line.visitor = self._visitor

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(REQUEST_WITHIN, self.transport.abort)

    def _wait_no_longer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class SocketLine(WebSocketsSansIOProtocol):
    """A WebSocket."""

    visitor: Visitor | None = None
    """Who was counted when the connection was made; the peer of a lost one cannot be asked for."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._controls = Bucket(CONTROLS, self.loop.time)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.visitor is not None:
            self.app_state[STRANGERS].closed(self.visitor)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), MORSEL):
            super().data_received(data[at : at + MORSEL])
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            if self._is_too_much():
                self.transport.abort()
            if self.transport.is_closing():
                return

    def _is_too_much(self) -> bool:
        """Whether no application could slow it down, or what it makes wait has no end."""
        return (
            self._controls.level < 0
            or self.queue.qsize() > MESSAGES
            or len(self.frames) > FRAGMENTS
        )

    def handle_ping(self) -> None:
        self._controls.take()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._controls.take()
        super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()


def _is_text(frames: list[bytes]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
