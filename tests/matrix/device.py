"""A phone, a table screen or a watcher: what it holds outlives its connections."""

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import CloseCode

from engine.commands import SetReady
from engine.rejections import Reason
from server.protocol import (
    Ask,
    Claim,
    ClientMessage,
    Done,
    Hello,
    Join,
    NotSeated,
    Ping,
    Pong,
    Proposals,
    Refused,
    Resume,
    Seen,
    ServerMessage,
    Start,
    Table,
    Update,
    Watch,
    Welcome,
    Wish,
)
from server.rehearse.choices import Sight, choose

HANGS = 20.0
"""Seconds after which something that should happen does not."""

_read = msgspec.json.Decoder(list[ServerMessage]).decode
_write = msgspec.json.Encoder().encode

Kind = TypeVar("Kind", bound=ServerMessage)


class Lost(Exception):  # noqa: N818  # reads as what happened
    """The connection ended before what was waited for; the text holds its close code."""


class Device:
    """On room `code`, by `way`, a `host:port`; with a token a phone that sits.

    `claim`: how it asks for a chair instead, until it has one. `cookies`: what it brings along.
    `at`: the address it comes from; None: whichever the system takes.
    """

    def __init__(
        self, code: str, way: str, token: str | None = None, at: str | None = None
    ) -> None:
        self.way = way
        self.cookies = ""
        self.token = token
        self.claim: Claim | Join | None = None
        self.frames: list[list[ServerMessage]] = []
        self.answers: dict[str, Done | Refused] = {}
        self.closed: int | None = None
        """The close code; None: the connection stands."""
        self._code = code
        self._from = None if at is None else (at, 0)
        self._asked: dict[str, Ask] = {}
        self._last: dict[type, ServerMessage] = {}
        self._welcomed = False
        self._refused: Reason | None = None
        self._news = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def comes(self, *, remembers: bool = False) -> float:
        """The device is in the room and shows it whole; the answer is the seconds that took.

        `remembers`: it says what it has on its screen already. What it asked and was not answered
        is asked again.

        Raises:
            Lost: the server hung up, or has no place for it.
        """
        began = time.perf_counter()
        await self.goes()
        self._welcomed, self._refused, self.closed = False, None, None
        uri = f"ws://{self.way}/api/rooms/{self._code}/socket"
        try:
            self._socket = await connect(
                uri,
                additional_headers={"Cookie": self.cookies} if self.cookies else {},
                compression=None,
                ping_interval=None,
                open_timeout=HANGS,
                proxy=None,
                local_addr=self._from,
            )
            self._listening = asyncio.create_task(self._listen(self._socket))
            await self.says(self._hello(remembers=remembers))
        except (ConnectionClosed, InvalidHandshake, EOFError, OSError) as error:
            raise Lost(repr(error)) from error
        await self.until(lambda: self._welcomed)
        took = time.perf_counter() - began
        for ask in self._asked.values():
            await self.says(ask)
        return took

    async def goes(self) -> None:
        """The connection, if there is one, is gone without a word."""
        if self._socket is not None and self._listening is not None:
            self._socket.transport.abort()
            await self._listening
            self._socket = self._listening = None

    async def says(self, message: ClientMessage) -> None:
        """`message` is on its way; on a dead line it is lost, as nobody can know."""
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(_write(message).decode())

    async def taps(self, wish: Wish, ask_id: str = "") -> Ask:
        """The device asks for `wish`, and does not wait for the answer."""
        ask = Ask(id=ask_id or secrets.token_hex(8), action=wish)
        if ask.id not in self.answers:
            self._asked[ask.id] = ask
        await self.says(ask)
        return ask

    async def asks(self, wish: Wish) -> Done | Refused:
        """What the server says to `wish`."""
        return await self.answer((await self.taps(wish)).id)

    async def answer(self, ask_id: str) -> Done | Refused:
        """What the server says to the ask of that id."""
        await self.until(lambda: ask_id in self.answers)
        return self.answers[ask_id]

    async def echoes(self, number: int) -> None:
        """Everything that was sent before has come, there and back."""
        await self.says(Ping(n=number))
        await self.until(lambda: (pong := self.last(Pong)) is not None and pong.n == number)

    async def shows(self, seq: int) -> None:
        """Its screen is at entry `seq`, or further."""
        await self.until(lambda: self.update.seq >= seq)

    async def until(self, so: Callable[[], bool]) -> None:
        """It is so.

        Raises:
            Lost: the connection ended before, or the hello came to nothing.
        """
        async with asyncio.timeout(HANGS):
            while not so():
                if self._refused is not None:
                    raise Lost(self._refused.value)
                if self.closed is not None:
                    raise Lost(f"closed with {self.closed}")
                self._news.clear()
                await self._news.wait()

    async def ends(self) -> int:
        """The close code, once the server has hung up."""
        async with asyncio.timeout(HANGS):
            while self.closed is None:
                self._news.clear()
                await self._news.wait()
        return self.closed

    def last(self, kind: type[Kind]) -> Kind | None:
        """The newest message of `kind`."""
        found = self._last.get(kind)
        return found if isinstance(found, kind) else None

    def answers_to(self, ask_id: str) -> list[Done | Refused]:
        """All that the server said to the ask of that id, however often it was sent."""
        answers = (m for frame in self.frames for m in frame if isinstance(m, Done | Refused))
        return [answer for answer in answers if answer.id == ask_id]

    def wish(self, chance: Random) -> Wish | None:
        """What a sensible player does on this phone; None: the others are to act."""
        table, game = self.table.table, self.update.game
        if table.me is None:
            return None
        if not table.running:
            player = table.players[table.me]
            if player is not None and not player.ready:
                return SetReady(ready=True)
            return Start() if table.may_start else None
        if game is None or game.turn != table.me:
            return None
        return choose(msgspec.convert(msgspec.to_builtins(game), Sight), chance)

    def sits(self) -> None:
        """What it asked for is its seat now."""
        assert self.claim is not None
        self.token, self.claim = self.claim.token, None

    @property
    def table(self) -> Table:
        return self._shown(Table)

    @property
    def update(self) -> Update:
        return self._shown(Update)

    @property
    def proposals(self) -> Proposals:
        return self._shown(Proposals)

    @property
    def welcome(self) -> Welcome:
        return self._shown(Welcome)

    def _shown(self, kind: type[Kind]) -> Kind:
        found = self.last(kind)
        assert found is not None, f"no {kind.__name__} on this screen"
        return found

    def _hello(self, *, remembers: bool) -> Hello:
        if self.claim is not None:
            return self.claim
        seen = None
        if remembers and self._last:
            seen = Seen(self.welcome.epoch, self.update.seq, self.table.table.me)
        if self.token is None:
            return Watch(seen=seen)
        return Resume(tokens=(self.token,), seen=seen)

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            with suppress(ConnectionClosed):
                async for frame in socket:
                    self._hear(_read(frame))
        finally:
            self.closed = socket.close_code or CloseCode.ABNORMAL_CLOSURE
            self._news.set()

    def _hear(self, frame: list[ServerMessage]) -> None:
        self.frames.append(frame)
        for message in frame:
            self._last[type(message)] = message
            match message:
                case Welcome():
                    self._welcomed = True
                case NotSeated(reason=reason):
                    self._refused = reason
                case Done(id=ask) | Refused(id=ask):
                    self.answers.setdefault(ask, message)
                    self._asked.pop(ask, None)
                case _:
                    pass
        self._news.set()
