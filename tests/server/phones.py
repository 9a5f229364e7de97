"""What server tests share: a room that runs, phones without a socket, a server with one."""

import asyncio
import itertools
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import uvicorn
from starlette.applications import Starlette

from engine.commands import SetReady
from engine.events import RoomOpened
from engine.history import Entry
from engine.profile import Profile
from engine.views import GameView
from server.audience import Attendee
from server.identity import key_of
from server.lines import HttpLine, SocketLine
from server.log import EventLog, MemoryLog
from server.log.codec import encode
from server.outbox import Outbox
from server.profiles import load_profiles
from server.protocol import Ask, Done, Join, Refused, ServerMessage, Start, Update, Wish
from server.room import RoomKeeper
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
    """One connection in a room, without its socket."""

    def __init__(self, keeper: RoomKeeper, token: str | None = None) -> None:
        self.keeper = keeper
        self.token = token
        self.outbox = Outbox()
        self.attendee = Attendee(self.outbox, () if token is None else (key_of(token),))
        self.messages: list[ServerMessage] = []
        self.frames: list[bytes] = []
        keeper.enter(self.attendee)

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

    def last(self, kind: type[Kind]) -> Kind:
        """The newest message of `kind`."""
        return next(m for m in reversed(self.messages) if isinstance(m, kind))

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
    events: EventLog | None = None, *, dealer_alone: float = 60.0, code: str = CODE
) -> AsyncIterator[RoomKeeper]:
    """The keeper of a room, at work; without a log the room is new."""
    if events is None:
        events = MemoryLog()
        await store_room(events, code=code)
    keeper = RoomKeeper(code, events, load_profiles(), dealer_alone=dealer_alone)
    assert await keeper.load()
    work = asyncio.create_task(keeper.run())
    try:
        yield keeper
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


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


def dealer_of(phones: list[Phone]) -> tuple[Phone, list[Phone]]:
    """The dealer's phone, and the others."""
    dealer = phones[0].game.dealer
    return phones[dealer], [phone for seat, phone in enumerate(phones) if seat != dealer]


@asynccontextmanager
async def served(app: Starlette) -> AsyncIterator[str]:
    """`host:port` of `app` on a real socket, served as in earnest."""
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            http=HttpLine,
            ws=SocketLine,
            ws_per_message_deflate=False,
            ws_max_size=16_384,
            lifespan="on",
            log_level="warning",
            timeout_graceful_shutdown=3,
        )
    )
    work = asyncio.create_task(server.serve())
    try:
        while not server.started:  # noqa: ASYNC110  # uvicorn offers nothing to wait for
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"127.0.0.1:{port}"
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
