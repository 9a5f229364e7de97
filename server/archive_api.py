"""What the server answers over HTTP about games that were played, or are being played."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from engine.cards import Seat
from engine.evolve import LogCorrupt
from engine.lobby import game_runs
from engine.record import NoSuchGame
from engine.views import sheet_view
from server.answers import FRESH, Refusal, json
from server.archive import Archive
from server.evening import evening_of
from server.http_messages import Problem
from server.identity import key_of, read_code
from server.log import EventLog, LogFailed, Stored
from server.log.codec import EntryUnreadable, entries_of
from server.played import games_in, summary_of
from server.replay import replay_of, room_at, story_of
from server.replay_messages import GameSheet
from server.rooms import Rooms
from server.seat_cookies import forget, tokens_in
from server.take_home import FORMATS, PageUnusable, taken_home

Made = TypeVar("Made")

DOCUMENTS = 16
"""Replays that are kept packed: a whole table looks at the same one when a game is over."""


class ArchiveApi:
    """The endpoints. Whatever somebody may not see is answered as if it did not exist."""

    def __init__(self, events: EventLog, rooms: Rooms, static: Path) -> None:
        self._events = events
        self._rooms = rooms
        self._static = static
        self._archive = Archive(events)
        self._documents: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._busy = asyncio.Lock()

    async def archive(self, request: Request) -> Response:
        """GET /api/archive: the games on this box, those that run for their players alone."""
        asked = request.query_params
        state, page = asked.get("state", "finished"), asked.get("page", "1")
        if state not in ("finished", "running") or not page.isascii() or not page.isdigit():
            raise Refusal(400, Problem(error="bad-request"))
        try:
            found = await self._archive.page(
                _keys(request),
                state="running" if state == "running" else "finished",
                player=asked.get("player", ""),
                number=max(1, int(page[:6])),
            )
        except LogFailed as error:
            raise Refusal(503, Problem(error="unreadable")) from error
        return json(found)

    async def replay(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}/replay: how the game was shown."""
        code, stored = await self._stored(request)
        number, asked = _number(request), request.query_params
        undone = asked.get("undone") == "1"
        look = partial(
            _viewers,
            stored,
            number,
            _keys(request),
            asked.get("seat"),
            covered=self._rooms.covers(code, number),
        )
        async with self._busy:
            only = await asyncio.to_thread(_read, look)
        make = partial(_replay, code, stored, number, only, undone=undone)
        packed = await self._made((code, number, stored[-1], only, undone), make)
        return _packed(packed, request, "application/json")

    async def sheet(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}/sheet: a finished game as it stands on paper."""
        code, stored = await self._stored(request)
        number = _number(request)
        make = partial(_sheet, code, stored, number)
        packed = await self._made((code, number, stored[-1], "sheet"), make)
        return _packed(packed, request, "application/json")

    async def file(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}.{format}: a finished game to take home."""
        code, stored = await self._stored(request)
        number, kind = _number(request), request.path_params["format"]
        if kind not in FORMATS or self._rooms.covers(code, number):
            _no_such_game()
        hidden = request.query_params.get("anonymous") == "1"
        make = partial(_file, code, stored, number, kind, static=self._static, anonymously=hidden)
        answer = _packed(
            await self._made((code, number, stored[-1], kind, hidden), make), request, FORMATS[kind]
        )
        name = f"prikup-{number}.{kind}" if hidden else f"prikup-{code}-{number}.{kind}"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    async def evening(self, request: Request) -> Response:
        """GET /api/rooms/{code}/evening: all games of the room added up."""
        code, stored = await self._stored(request)
        make = partial(_evening, code, stored)
        packed = await self._made((code, "evening", stored[-1]), make)
        return _packed(packed, request, "application/json")

    async def forget(self, request: Request) -> Response:
        """DELETE /api/rooms/{code}/games: the room and all its games are gone for good.

        For somebody who sits there and has played there, and not while a game runs.
        """
        code, stored = await self._stored(request)
        async with self._busy:
            players = await asyncio.to_thread(_read, partial(_players, stored))
        here = [token for token in _tokens(request) if key_of(token) in players]
        try:
            keeper = await self._rooms.find(code)
            if keeper is None or not any(keeper.seat_of(token) is not None for token in here):
                _no_such_game()
            if game_runs(keeper.state):
                raise Refusal(409, Problem(error="game-running"))
            await self._rooms.forget(code)
        except LogFailed as error:
            raise Refusal(503, Problem(error="not-stored")) from error
        answer = Response(status_code=204, headers=FRESH)
        forget(answer, code, tokens_in(request.cookies))
        return answer

    async def _stored(self, request: Request) -> tuple[str, list[Stored]]:
        """The room's code and its entries, at least one."""
        code = read_code(request.path_params["code"])
        try:
            end = await self._events.end(code) if code else 0
            stored = await self._events.read(code, 0, end) if code else []
        except LogFailed as error:
            raise Refusal(503, Problem(error="unreadable")) from error
        if code is None or not stored:
            _no_such_game()
        return code, stored

    async def _made(self, key: tuple[object, ...], make: Callable[[], bytes]) -> bytes:
        """What `make` makes, packed; kept under `key`. One at a time, beside the event loop."""
        async with self._busy:
            if key not in self._documents:
                self._documents[key] = await asyncio.to_thread(_pack, make)
                if len(self._documents) > DOCUMENTS:
                    self._documents.popitem(last=False)
            self._documents.move_to_end(key)
            return self._documents[key]


def _viewers(
    stored: Sequence[Stored],
    number: int,
    keys: frozenset[str],
    seat: str | None,
    *,
    covered: bool,
) -> tuple[Seat, ...] | None:
    """Whose views may be shown to a device with `keys`; None: everybody's.

    `covered`: the game is over and may yet go on, so it is shown like one that runs.
    """
    story = story_of(entries_of(stored), number)
    if story.finished and not covered:
        return None
    own = tuple(one for one in story.seats_of(keys) if seat in (None, str(one)))
    if len(own) != 1:  # nobody's, or of several seats on one device none was named
        _no_such_game()
    return own


def _replay(
    code: str,
    stored: Sequence[Stored],
    number: int,
    only: tuple[Seat, ...] | None,
    *,
    undone: bool,
) -> bytes:
    story = story_of(entries_of(stored), number, undone=undone)
    return msgspec.json.encode(replay_of(code, story, only))


def _sheet(code: str, stored: Sequence[Stored], number: int) -> bytes:
    entries = entries_of(stored)
    story = story_of(entries, number)
    last = story.moments[-1]
    sheet = sheet_view(room_at(last), last.past.taken_back)
    if sheet is None or not story.finished:
        _no_such_game()
    (played,) = (one for one in games_in(entries) if one.game.number == number)
    return msgspec.json.encode(GameSheet(game=summary_of(code, played), sheet=sheet))


def _file(  # noqa: PLR0913  # what was asked for
    code: str,
    stored: Sequence[Stored],
    number: int,
    kind: str,
    *,
    static: Path,
    anonymously: bool,
) -> bytes:
    entries = entries_of(stored)
    if not story_of(entries, number).finished:
        _no_such_game()
    try:
        told = taken_home(code, entries, number, kind, static=static, anonymously=anonymously)
    except PageUnusable as error:
        raise Refusal(404, Problem(error="not-found")) from error
    return told.encode()


def _evening(code: str, stored: Sequence[Stored]) -> bytes:
    return msgspec.json.encode(evening_of(code, entries_of(stored)))


def _players(stored: Sequence[Stored]) -> frozenset[str]:
    """The keys of everybody who has played there."""
    return frozenset().union(*(played.keys for played in games_in(entries_of(stored))))


def _pack(make: Callable[[], bytes]) -> bytes:
    return gzip.compress(_read(make), 6, mtime=0)


def _read(make: Callable[[], Made]) -> Made:
    """What `make` makes of a log, if that holds together and tells of the game."""
    try:
        return make()
    except NoSuchGame:
        _no_such_game()
    except (EntryUnreadable, LogCorrupt) as error:
        raise Refusal(500, Problem(error="room-stopped")) from error


def _packed(packed: bytes, request: Request, media: str) -> Response:
    """The answer, packed for whoever can unpack it."""
    headers = {**FRESH, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=media)
    return Response(gzip.decompress(packed), headers=headers, media_type=media)


def _number(request: Request) -> int:
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 6):  # noqa: PLR2004  # no room has so many
        _no_such_game()
    return int(text)


def _keys(request: Request) -> frozenset[str]:
    return frozenset(map(key_of, _tokens(request)))


def _tokens(request: Request) -> list[str]:
    """The tokens that a device brings: in its cookies, or as `Authorization: Bearer TOKEN ...`."""
    scheme, _, said = request.headers.get("authorization", "").partition(" ")
    return [*tokens_in(request.cookies), *(said.split() if scheme.lower() == "bearer" else [])]


def _no_such_game() -> NoReturn:
    raise Refusal(404, Problem(error="no-such-game"))
