"""Connections as uvicorn serves them: counted, charged, and ended where they never stop.

What is not yet a request or a frame reaches no application, so it is limited here, and so is every
queue of the library: requests that wait behind an answer, answers that nobody reads, pieces of a
message, messages that nobody takes.
"""

import logging
from asyncio import BaseTransport, TimerHandle, Transport, get_running_loop
from collections.abc import Callable
from typing import Any

from uvicorn._types import ASGIReceiveEvent, ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from server.limits import VISITOR, Bucket, Rate, Visitor
from server.places import Place
from server.protocol import Close
from server.strangers import PLACE, Strangers
from server.waking import TICK, Alarm, Clock

REQUEST_WITHIN = 10.0
"""Seconds for a whole request, from the beginning of the connection or its first byte after one."""

READ_WITHIN = 10.0
"""Seconds within which what was answered has to be read, a buffer of it at a time."""

SEAT_WITHIN = 2.0
"""Seconds within which a connection that got in by the reserve has to show a seat."""

GONE_WITHIN = 10.0
"""Seconds after which a connection that we closed is gone, whether all was read or not."""

GOODBYE_WITHIN = 1.0
"""Seconds in which a socket that makes way can read why."""

REQUEST_LIMIT = 65_536
"""Bytes of a whole request at most; the body has a smaller limit of its own."""

PIPELINED = 4
"""Requests that wait behind one that is being answered, at most; browsers send none."""

UNREAD = 16_384
"""Bytes of an answer that wait to be read before the next part of it is made."""

FRAGMENTS = 16
"""Frames of one message at most; browsers send such short ones in one."""

MORSEL = 256
"""Bytes of a WebSocket that are taken apart before it is looked at again: 42 pings at most."""

LAST_BYTES = 2048
"""Bytes that may still come on a WebSocket after it was closed here, until the other side knows."""

CONTROLS = Rate(16, 1)
"""Pings and answers to pings on one connection; browsers send an answer every five seconds."""

STRANGERS = "strangers"
"""Where the application's lifespan leaves the one count of all connections."""

CLOCK = "clock"
"""Where it leaves the clock by which others have to answer: it stands still while we do."""

# Whoever likes can send these; they are answered and charged, and no news for the operator.
_NO_NEWS = ("Invalid HTTP request received.", "Unsupported upgrade request.")
logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg not in _NO_NEWS)


class Outlet:
    """A transport that can be held, and into which whoever answers late may write.

    Once it is closed nothing happens: uvloop's own raises then, and the answer to a request is
    still on its way when the one behind it, in the same packet, has the connection closed.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._paused = False
        self._held: TimerHandle | None = None
        self._ends: TimerHandle | None = None
        self._gone = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever a transport has
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """`data` is sent, if the connection is open."""
        if not self._transport.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        """Nothing is read until it is resumed."""
        self._paused = True
        self._apply()

    def resume_reading(self) -> None:
        """It is read again, unless it is held."""
        self._paused = False
        self._apply()

    def close(self) -> None:
        """The connection is closed once what was written is sent, and soon in any case."""
        self._transport.close()
        if self._ends is None and not self._gone:
            self._ends = get_running_loop().call_later(GONE_WITHIN, self._transport.abort)

    def closed(self) -> None:
        """The connection is gone; nothing is waited for any more."""
        for timer in (self._held, self._ends):
            if timer is not None:
                timer.cancel()
        self._held = self._ends = None
        self._gone = True

    @property
    def waits(self) -> bool:
        """Whether something is still to happen to it."""
        return self._held is not None or self._ends is not None

    def hold(self, seconds: float) -> None:
        """Nothing is read for so long, whoever resumes it."""
        if self._held is not None:
            self._held.cancel()
        self._held = get_running_loop().call_later(seconds, self._let_go)
        self._apply()

    def _let_go(self) -> None:
        self._held = None
        self._apply()

    def _apply(self) -> None:
        if self._transport.is_closing():
            return
        if self._paused or self._held is not None:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()


class _TooManyRequests(Exception):  # noqa: N818  # reads as what is the case
    """Further requests wait behind an answer; the rest of what came is not taken apart."""


class HttpLine(HttpToolsProtocol):
    """A connection until it is closed or becomes a WebSocket."""

    _late: Alarm | None = None
    _unread: Alarm | None = None
    _received = 0
    _visitor: Visitor | None = None
    _place: Place | None = None
    _outlet: Outlet

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as above it
        self._outlet = Outlet(transport)
        super().connection_made(self._outlet)  # type: ignore[arg-type]  # as good as one
        transport.set_write_buffer_limits(high=UNREAD)
        self._wait()
        strangers: Strangers = self.app_state[STRANGERS]
        self._visitor = strangers.visitor(self.client)
        if self._visitor is not None:
            self._enter(self._visitor, strangers)

    def _enter(self, visitor: Visitor, strangers: Strangers) -> None:
        """It has a place, or is told that there is none, or neither."""
        place = self._place = strangers.places.take(visitor, self.transport.abort)
        if place is None:
            self.transport.abort()
            return
        self.app_state = {**self.app_state, VISITOR: visitor, PLACE: place}
        if place.reserved or place.refused:
            _unless(self.app_state[CLOCK], SEAT_WITHIN, place.end_unless_it_sits)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_longer()
        self._read()
        if self._place is not None:
            self._place.leave()
        super().connection_lost(exc)
        self._outlet.closed()

    def data_received(self, data: bytes) -> None:
        self._wait()
        self._received += len(data)
        if self._visitor is not None and (wait := self._visitor.received.take(len(data))):
            self._outlet.hold(wait)
        super().data_received(data)
        if self._received > REQUEST_LIMIT:
            self.transport.abort()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if len(self.pipeline) > PIPELINED:
            self.pipeline.clear()
            self.transport.abort()
            raise _TooManyRequests

    def on_message_complete(self) -> None:
        self._wait_no_longer()
        self._received = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        if self._visitor is not None:
            self._visitor.requests.take()
        super().send_400_response(msg)

    def pause_writing(self) -> None:
        if self._unread is None:
            self._unread = _unless(self.app_state[CLOCK], READ_WITHIN, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        self._read()
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        self._read()
        super().handle_websocket_upgrade()
        # It would keep this line and its transport until the garbage is collected.
        self.parser = None  # type: ignore[assignment]  # as when a connection is lost
        line = self.transport.get_protocol()
        if isinstance(line, SocketLine):
            line.follows(self._outlet, self._visitor, self._place)

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _wait(self) -> None:
        if self._late is None:
            self._late = _unless(self.app_state[CLOCK], REQUEST_WITHIN, self.transport.abort)

    def timeout_keep_alive_handler(self) -> None:
        # The next request may have come already, while the loop stood still.
        close = super().timeout_keep_alive_handler
        self.timeout_keep_alive_task = self.loop.call_later(TICK, close)

    def _wait_no_longer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class SocketLine(WebSocketsSansIOProtocol):
    """A WebSocket."""

    _visitor: Visitor | None = None
    _place: Place | None = None
    _outlet: Outlet | None = None
    _rest = b""
    _said_since = 0

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._controls = Bucket(CONTROLS, self.loop.time)

    def follows(self, outlet: Outlet, visitor: Visitor | None, place: Place | None) -> None:
        """It goes on where the line of its handshake ended, counted as that was."""
        self._outlet, self._visitor, self._place = outlet, visitor, place
        if place is not None:
            place.make_way = self.make_way

    def make_way(self) -> None:
        """Somebody else has the place now; the page behind this line comes again with patience."""
        if self.handshake_complete and not self.close_sent:
            self.stop_keepalive()
            self.queue.put_nowait({"type": "websocket.disconnect", "code": Close.FULL})
            self.conn.send_close(Close.FULL)
            self.close_sent = True
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()
        # Somebody else has the place already: what is not read soon is not waited for.
        self.loop.call_later(GOODBYE_WITHIN, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._place is not None:
            self._place.leave()
        super().connection_lost(exc)
        if self._outlet is not None:
            self._outlet.closed()
        self._rest = b""
        self.conn.parser.close()  # it and the protocol hold each other

    def data_received(self, data: bytes) -> None:
        if (
            self._visitor is not None
            and self._outlet is not None
            and (wait := self._visitor.received.take(len(data)))
        ):
            self._outlet.hold(wait)
        if self.close_sent:  # then the library reads on, and slows nobody down
            self._said_since += len(data)
            if self._said_since > LAST_BYTES:
                self.transport.abort()
                return
        self._rest += data
        self._take_apart()

    async def receive(self) -> ASGIReceiveEvent:
        event = await super().receive()
        if not self.read_paused:
            self._take_apart()
        return event

    async def send(self, message: ASGISendEvent) -> None:
        answers = not self.handshake_complete
        await super().send(message)
        if answers and self.handshake_complete:
            self.transport.resume_reading()
            self._take_apart()
        elif message["type"] == "websocket.close":
            self._said_since = len(self._rest)
            if self._said_since > LAST_BYTES:
                self._rest = b""
                self.transport.close()
            elif not self.read_paused:
                self._take_apart()  # the other side may have said goodbye

    def _take_apart(self) -> None:
        """Morsel by morsel, until there is a message: the rest waits until that was taken.

        Nothing more is read meanwhile.
        """
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.pause_reading()  # no frame may come before the answer
            return
        while self._rest and not self.read_paused:
            morsel, self._rest = self._rest[:MORSEL], self._rest[MORSEL:]
            super().data_received(morsel)
            if self.conn.handshake_exc is not None and not self.handshake_initiated:
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            if self._is_too_much():
                self.transport.abort()
            if self.transport.is_closing():
                self._rest = b""

    def _is_too_much(self) -> bool:
        """Whether no application could slow it down, or a message has no end."""
        return self._controls.level < 0 or len(self.frames) > FRAGMENTS

    def send_keepalive_ping(self) -> None:
        super().send_keepalive_ping()
        if self.pong_timer is not None and self.ping_timeout is not None:
            self.pong_timer.cancel()
            unheard = _unless(self.app_state[CLOCK], self.ping_timeout, self.keepalive_timeout)
            self.pong_timer = unheard  # type: ignore[assignment]  # it can be cancelled, as needed

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


def _unless(clock: Clock, seconds: float, then: Callable[[], None]) -> Alarm:
    """Does `then` after so many seconds in which the other side could have been heard.

    Unless it is cancelled before, because it was.
    """
    alarm = Alarm(clock, lambda _at: then())
    alarm.set(clock() + seconds)
    return alarm


def _is_text(frames: list[bytes]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
