"""What server tests share: a room that runs, phones without a socket, a server with one."""

import asyncio
import itertools
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette

from engine.cards import Seat
from engine.commands import SetReady
from engine.events import RoomOpened
from engine.history import Entry
from engine.profile import Profile
from engine.views import GameView
from server.audience import Attendee
from server.door import Server
from server.identity import key_of
from server.limits import Account
from server.lines import HttpLine, SocketLine
from server.log import EventLog, MemoryLog
from server.log.codec import encode
from server.outbox import Outbox
from server.profiles import load_profiles
from server.protocol import (
    Answer,
    Ask,
    Claim,
    Deal,
    Done,
    Join,
    Proposals,
    ProposalView,
    Refused,
    Seen,
    ServerMessage,
    Start,
    Table,
    Update,
    Wish,
)
from server.room import RoomKeeper
from server.waking import WakingClock
from tests.server.clock import Clock
from tests.support import RU_3

CODE = "KVRT"

_read = msgspec.json.Decoder(list[ServerMessage]).decode
_ids = itertools.count()


def new_token() -> str:
    return secrets.token_urlsafe(16)


def new_id() -> str:
    return f"ask-{next(_ids):08}"


Kind = TypeVar("Kind", bound=ServerMessage)


class Phone:
    """One connection in a room, without its socket. It may hold several seats, or claim one."""

    def __init__(
        self,
        keeper: RoomKeeper,
        *tokens: str | None,
        facing: Seat | None = None,
        claiming: str | None = None,
        seen: Seen | None = None,
        account: Account | None = None,
    ) -> None:
        self.keeper = keeper
        self.token = next(iter(tokens), None)
        self.outbox = Outbox()
        keys = tuple(key_of(token) for token in tokens if token is not None)
        claim = None if claiming is None else key_of(claiming)
        facing_key = keeper.key_on(facing, keys)
        self.attendee = Attendee(self.outbox, keys, facing_key, claim, account=account)
        self.messages: list[ServerMessage] = []
        self.frames: list[bytes] = []
        keeper.enter(self.attendee, seen)

    async def hears(self) -> list[ServerMessage]:
        """The messages of the next frame."""
        return self._heard(await asyncio.wait_for(self.outbox.frame(), 5))

    async def catches_up(self) -> list[ServerMessage]:
        """What waits already, if anything does."""
        frame = asyncio.create_task(self.outbox.frame())
        await asyncio.sleep(0)
        if not frame.done():
            frame.cancel()
            return []
        return self._heard(frame.result())

    def _heard(self, frame: bytes | None) -> list[ServerMessage]:
        assert frame is not None, self.outbox.closing
        self.frames.append(frame)
        self.messages += (heard := _read(frame))
        return heard

    async def asks(self, wish: Wish, ask_id: str | None = None) -> Done | Refused:
        """The answer to `wish`."""
        ask = Ask(id=ask_id or new_id(), action=wish)
        await self.keeper.ask(self.attendee, ask)
        while True:
            for message in await self.hears():
                if isinstance(message, Done | Refused) and message.id == ask.id:
                    return message

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Every message of `kind` that was heard."""
        return [message for message in self.messages if isinstance(message, kind)]

    def last(self, kind: type[Kind]) -> Kind:
        """The newest message of `kind`."""
        return next(m for m in reversed(self.messages) if isinstance(m, kind))

    @property
    def me(self) -> Seat:
        """The seat that the phone looks with."""
        me = self.last(Table).table.me
        assert me is not None
        return me

    @property
    def open(self) -> ProposalView:
        """The only proposal that waits."""
        (proposal,) = self.last(Proposals).proposals
        return proposal

    async def answers(self, *, agree: bool) -> Done | Refused:
        """The answer to its answer to the only proposal."""
        await self.catches_up()
        return await self.asks(Answer(proposal=self.open.id, agree=agree))

    @property
    def game(self) -> GameView:
        """The newest view that was heard."""
        game = self.last(Update).game
        assert game is not None
        return game


async def store_room(events: EventLog, profile: Profile = RU_3, code: str = CODE) -> None:
    """The log holds an empty room."""
    await events.append(code, 1, encode(Entry(seq=1, facts=(RoomOpened(profile=profile),))))


@asynccontextmanager
async def running(
    events: EventLog | None = None,
    *,
    dealer_alone: float = 60.0,
    code: str = CODE,
    clock: Clock | None = None,
) -> AsyncIterator[RoomKeeper]:
    """The keeper of a room, at work; without a log the room is new, without a clock time passes."""
    passing = WakingClock()
    passing.start()
    if events is None:
        events = MemoryLog()
        await store_room(events, code=code)
    keeper = RoomKeeper(
        code, events, load_profiles(), dealer_alone=dealer_alone, clock=clock or passing
    )
    assert await keeper.load()
    work = asyncio.create_task(keeper.run())
    try:
        yield keeper
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        passing.stop()


async def seated(keeper: RoomKeeper, *names: str) -> list[Phone]:
    """Phones of new players, in the order of the chairs they were given."""
    phones = []
    for name in names:
        token = new_token()
        reason = await keeper.admit(Join(name=name, token=token))
        assert reason is None
        phones.append(Phone(keeper, token))
    return phones


async def started(keeper: RoomKeeper) -> list[Phone]:
    """Three phones in a game that has begun and not been dealt yet."""
    phones = await seated(keeper, "Anna", "Ben", "Carla")
    for phone in phones:
        assert isinstance(await phone.asks(SetReady(ready=True)), Done)
    assert isinstance(await phones[0].asks(Start()), Done)
    for phone in phones:
        await phone.catches_up()
    return phones


async def dealt(keeper: RoomKeeper) -> list[Phone]:
    """Three phones in an auction that forehand is to open: forehand, middlehand, the dealer."""
    phones = await started(keeper)
    dealer, _ = dealer_of(phones)
    assert isinstance(await dealer.asks(Deal()), Done)
    for phone in phones:
        await phone.catches_up()
    at = phones.index(dealer)
    return [phones[(at + step) % 3] for step in (1, 2, 3)]


async def claims(
    keeper: RoomKeeper, seat: Seat, name: str = "", account: Account | None = None
) -> Phone:
    """A device that asks the table for the chair `seat`, and waits."""
    token = new_token()
    reason = await keeper.admit(Claim(seat=seat, token=token, name=name), account)
    assert reason is None, reason
    phone = Phone(keeper, claiming=token, account=account)
    phone.token = token
    await phone.catches_up()
    return phone


async def passes(clock: Clock, keeper: RoomKeeper, seconds: float, *alive: Phone) -> None:
    """So much time passes in the room; whoever is `alive` is heard until its end."""
    clock.wind(seconds)
    for phone in alive:
        keeper.hear(phone.attendee)
    keeper.ring(clock())
    keeper.look_around()
    for _ in range(3):  # the keeper of a log in memory never waits
        await asyncio.sleep(0)
    for phone in alive:
        await phone.catches_up()


def dealer_of(phones: list[Phone]) -> tuple[Phone, list[Phone]]:
    """The dealer's phone, and the others."""
    dealer = phones[0].game.dealer
    return phones[dealer], [phone for seat, phone in enumerate(phones) if seat != dealer]


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[str]:
    """`host:port` of `app` on a real socket, served as in earnest."""
    in_earnest = uvicorn.Config(
        app,
        http=HttpLine,
        ws=SocketLine,
        ws_per_message_deflate=False,
        ws_max_size=16_384,
        lifespan="on",
        log_level="warning",
        timeout_graceful_shutdown=3,
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with _running(Server(in_earnest, listener)):
            yield f"127.0.0.1:{listener.getsockname()[1]}"


@asynccontextmanager
async def serving(config: uvicorn.Config) -> AsyncIterator[str]:
    """`host:port` of what `config` says, also of what is not ours."""
    server = uvicorn.Server(config)
    async with _running(server):
        yield f"127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


@asynccontextmanager
async def _running(server: uvicorn.Server) -> AsyncIterator[None]:
    work = asyncio.create_task(server.serve())
    try:
        while not server.started:  # noqa: ASYNC110  # uvicorn offers nothing to wait for
            await asyncio.sleep(0.01)
        yield
    finally:
        server.should_exit = True
        await work


STATIC_PAGES = ("index.html", "room.html", "table.html")


def built_client(folder: Path) -> Path:
    """A client of the built one's shape, for tests that only need pages to exist."""
    (folder / "assets").mkdir()
    (folder / "assets" / "page-abc123.js").write_text("export {}")
    for page in STATIC_PAGES:
        (folder / page).write_text(f"<!doctype html><title>{page}</title>")
    return folder
