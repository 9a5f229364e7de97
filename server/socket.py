"""A session on a real WebSocket: one task reads, one writes, and either ends both."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import assert_never

from msgspec import structs
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.audience import Attendee
from server.identity import key_of
from server.limits import account_in
from server.log import LogFailed
from server.outbox import Outbox
from server.places import Place
from server.protocol import (
    Ask,
    Claim,
    Close,
    Face,
    Hello,
    Join,
    NotSeated,
    Ping,
    Pong,
    Resume,
    Watch,
    Welcome,
)
from server.room import RoomKeeper
from server.room_log import RoomStopped
from server.rooms import Rooms
from server.session import Broken, Session
from server.strangers import PLACE
from server.waking import Clock, waking_timeout

log = logging.getLogger(__name__)

HELLO_TIME = 10.0
"""Seconds for which the server waits to hear who it is; those it needs itself do not count."""

WATCHERS = 32
"""Devices from elsewhere that may look on in one room."""


class Connection:
    """One phone, table screen or watcher on one room."""

    def __init__(
        self,
        socket: WebSocket,
        keeper: RoomKeeper,
        greeting: Welcome,
        tokens: Sequence[str],
        clock: Clock,
    ) -> None:
        self._socket = socket
        self._clock = clock
        self._tokens = tokens
        """Those that the device's cookies brought."""
        self._account = account_in(socket.scope)
        self._keeper = keeper
        self._greeting = greeting
        self._session = Session()
        self._outbox = Outbox()
        self._attendee: Attendee | None = None
        self._place: Place | None = socket.scope.get("state", {}).get(PLACE)

    async def serve(self) -> None:
        """Read and write until one side is done; the socket is closed then."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait({writing, reading}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                self._outbox.close(Close.ENDED)
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(writing, timeout=1)
        finally:
            reading.cancel()
            writing.cancel()
            ends = await asyncio.gather(reading, writing, return_exceptions=True)
            if self._attendee is not None:
                self._keeper.leave(self._attendee)
            for end in ends:
                if isinstance(end, Exception):
                    log.error("room %s: a connection failed", self._keeper.code, exc_info=end)

    async def _read(self) -> None:
        try:
            waited = 0.0
            while self._attendee is None and self._outbox.closing is None:
                began = self._clock()
                async with waking_timeout(self._clock, HELLO_TIME - waited):
                    frame = await self._frame()
                waited += self._clock() - began
                await self._received(frame)
            while self._outbox.closing is None:
                await self._received(await self._frame())
        except Broken as broken:
            self._outbox.close(broken.code)
        except TimeoutError:
            self._outbox.close(Close.NO_HELLO)
        except RoomStopped:
            self._outbox.close(self._keeper.closed_with or Close.ROOM_STOPPED)
        except WebSocketDisconnect:
            return
        except Exception:
            log.exception("room %s: a connection failed", self._keeper.code)
            self._outbox.close(Close.FAILED)

    async def _frame(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1005))
        text: str | None = message.get("text")
        return message.get("bytes") or b"" if text is None else text

    async def _received(self, frame: str | bytes) -> None:
        message = self._session.received(frame)
        if self._attendee is not None:
            self._keeper.hear(self._attendee)
        match message:
            case Ask() as ask if self._attendee is not None:
                if self._place is not None and self._attendee.keys:
                    self._place.sit()  # it may have claimed the seat on this very line
                await self._keeper.ask(self._attendee, ask)
            case Face(seat=seat) if self._attendee is not None:
                self._keeper.face(self._attendee, seat)
            case Ping(n=n):
                self._outbox.post(Pong(n=n))
            case Join() | Resume() | Claim() | Watch() as hello:
                await self._greet(hello)

    async def _greet(self, hello: Hello) -> None:
        if isinstance(hello, Join | Claim):
            reason = await self._keeper.admit(hello, self._account)
            if reason is not None:
                self._outbox.post(NotSeated(reason=reason))
                return
        attendee = self._arrived(hello)
        if isinstance(hello, Resume | Join) and not attendee.keys:
            # A seat that was taken between the admission and this moment is as good as none.
            raise Broken(Close.WRONG_TOKEN if isinstance(hello, Resume) else Close.SEAT_GONE)
        if not self._has_place(attendee):
            raise Broken(Close.FULL)
        seen = hello.seen if isinstance(hello, Resume | Watch) else None
        self._session.welcomed()
        self._outbox.post(structs.replace(self._greeting, restored=self._keeper.restored))
        self._attendee = attendee
        self._keeper.enter(attendee, seen)

    def _has_place(self, attendee: Attendee) -> bool:
        """Whether this connection may stay: whoever sits may, and so many who look on.

        Not even whoever sits, where their address holds most of the places of those who do.
        """
        if self._place is None:
            return True
        if attendee.keys:
            return self._place.sit()
        return self._keeper.watchers < WATCHERS and self._place.watch()

    def _arrived(self, hello: Hello) -> Attendee:
        """The device as `hello` brings it: with all its seats in this room."""
        arrived = partial(Attendee, self._outbox, account=self._account)
        match hello:
            case Watch():
                return arrived()
            case Join(token=token, tokens=others):
                return arrived(self._keys(token, *others), key_of(token))
            case Claim(token=token, tokens=others):
                key = key_of(token)
                keys = self._keys(token, *others)
                return arrived(keys, key, None if key in keys else key)
            case Resume(tokens=tokens, facing=facing):
                keys = self._keys(*tokens)
                return arrived(keys, self._keeper.key_on(facing, keys))
            case never:
                assert_never(never)

    def _keys(self, *tokens: str) -> tuple[str, ...]:
        """The keys of those tokens, and of the device's cookies, that have a seat here."""
        known = (t for t in (*tokens, *self._tokens) if self._keeper.seat_of(t) is not None)
        return tuple(dict.fromkeys(map(key_of, known)))

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (frame := await self._frame_to_send()) is not None:
                await self._socket.send({"type": "websocket.send", "text": frame.decode()})
            await self._socket.close(self._outbox.closing or Close.ENDED)

    async def _frame_to_send(self) -> bytes | None:
        try:
            return await self._outbox.frame()
        except Exception:
            log.exception("room %s: a frame could not be made", self._keeper.code)
            self._outbox.close(Close.FAILED)
            return None


async def serve(
    socket: WebSocket,
    rooms: Rooms,
    code: str | None,
    greeting: Welcome,
    tokens: Sequence[str] = (),
) -> None:
    """Accept `socket` and serve room `code` on it; close it with a reason if there is none.

    `tokens` are those that came with it in cookies.
    """
    keeper = None
    with suppress(WebSocketDisconnect):  # whoever has hung up hears nothing
        await socket.accept()
        keeper = await _found(socket, rooms, code)
    if keeper is None:
        return
    keeper.visitors += 1
    try:
        await Connection(socket, keeper, greeting, tokens, rooms.clock).serve()
    finally:
        keeper.visitors -= 1
        rooms.rest(keeper)


async def _found(socket: WebSocket, rooms: Rooms, code: str | None) -> RoomKeeper | None:
    """The keeper of room `code`; None: `socket` is closed with the reason why there is none."""
    try:
        keeper = await rooms.find(code) if code else None
    except RoomStopped as stopped:
        await socket.close(stopped.code)
        return None
    except LogFailed:
        await socket.close(Close.UNREADABLE)
        return None
    except Exception:
        log.exception("room %s was not found, by a fault", code)
        await socket.close(Close.FAILED)
        return None
    if keeper is None:
        await socket.close(Close.NO_SUCH_ROOM)
    return keeper
