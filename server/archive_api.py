"""What the server answers over HTTP about games that were played, or are being played.

Who may ask is judged first, by what is in memory and by the end of the room's log. Whatever has to
be made of the log waits in one queue for it, and until then nothing of the log is in memory.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from engine.cards import Seat
from engine.evolve import LogCorrupt
from engine.lobby import game_runs
from engine.record import NoSuchGame
from engine.views import sheet_view
from server.answers import FRESH, Refusal, json
from server.archive import Archive, Shelf
from server.evening import evening_of
from server.http_messages import Problem
from server.identity import key_of, read_code
from server.log import EventLog, LogFailed
from server.log.codec import EntryUnreadable
from server.packing import in_parts, pack, unpacked
from server.played import game_in, summary_of, who_played
from server.replay import NotFinished, TooLong, replay_of, story_of
from server.replay_messages import GameSheet
from server.room_log import RoomFailed, RoomStopped
from server.rooms import Rooms
from server.seat_cookies import forget, tokens_in
from server.take_home import FORMATS, PageUnusable, taken_home
from server.walks import RoomEntries, Walks

DOCUMENTS = 16
"""Replays and such that are kept packed: a table looks at the same one when a game is over."""


class ArchiveApi:
    """The endpoints. Whatever somebody may not see is answered as if it did not exist."""

    def __init__(self, events: EventLog, rooms: Rooms, static: Path) -> None:
        self._events = events
        self._rooms = rooms
        self._static = static
        self._walks = Walks(events)
        self._archive = Archive(events, self._walks)
        self._documents: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    async def close(self) -> None:
        """Nothing is made any more."""
        await self._walks.close()
        await self._archive.close()

    async def archive(self, request: Request) -> Response:
        """GET /api/archive: the games on this box, those that run for their players alone."""
        asked = request.query_params
        state, page = asked.get("state", "finished"), asked.get("page", "1")
        if state not in ("finished", "running") or not page.isascii() or not page.isdigit():
            raise Refusal(400, Problem(error="bad-request"))
        with _refusals():
            found = await self._archive.page(
                _keys(request),
                state="running" if state == "running" else "finished",
                player=asked.get("player", ""),
                number=max(1, int(page[:6])),
            )
        return json(found)

    async def replay(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}/replay: how the game was shown."""
        code, number, asked = _code(request), _number(request), request.query_params
        with _refusals():
            end, only = await self._viewers(request, code, number)
            undone = asked.get("undone") == "1"
            make = partial(_replay, code, number, only, undone=undone)
            packed = await self._made(code, end, (number, only, undone), make)
        return _packed(packed, request, "application/json")

    async def sheet(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}/sheet: a finished game as it stands on paper."""
        code, number = _code(request), _number(request)
        with _refusals():
            end = await self._over(code, number)
            packed = await self._made(code, end, (number, "sheet"), partial(_sheet, code, number))
        return _packed(packed, request, "application/json")

    async def file(self, request: Request) -> Response:
        """GET /api/rooms/{code}/games/{number}.{format}: a finished game to take home."""
        code, number, kind = _code(request), _number(request), request.path_params["format"]
        if kind not in FORMATS or self._rooms.covers(code, number):
            _no_such_game()
        hidden = request.query_params.get("anonymous") == "1"
        with _refusals():
            end = await self._over(code, number)
            make = partial(_file, code, number, kind, self._static, anonymously=hidden)
            packed = await self._made(code, end, (number, kind, hidden), make)
        answer = _packed(packed, request, FORMATS[kind])
        name = f"prikup-{number}.{kind}" if hidden else f"prikup-{code}-{number}.{kind}"
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    async def evening(self, request: Request) -> Response:
        """GET /api/rooms/{code}/evening: all games of the room added up."""
        code = _code(request)
        with _refusals():
            if not (end := await self._events.end(code)):
                _no_such_game()
            packed = await self._made(code, end, ("evening",), partial(_evening, code))
        return _packed(packed, request, "application/json")

    async def forget(self, request: Request) -> Response:
        """DELETE /api/rooms/{code}/games: the room and all its games are gone for good.

        For somebody who sits there and has played there, and not while a game runs.
        """
        code, tokens = _code(request), _tokens(request)
        with _refusals():
            here = await self._who_may_forget(code, tokens)
            async with self._walks.turn:
                end = await self._events.end(code)
                played = await self._walks.over(code, end, partial(who_played, keys=here))
                if played.isdisjoint(await self._who_may_forget(code, tokens)):
                    _no_such_game()
                try:
                    await self._rooms.forget(code)
                except LogFailed as error:
                    raise Refusal(503, Problem(error="not-stored")) from error
                self._archive.forget(code)
                for key in [key for key in self._documents if key[0] == code]:
                    del self._documents[key]
        answer = Response(status_code=204, headers=FRESH)
        forget(answer, code, tokens_in(request.cookies))
        return answer

    async def _viewers(
        self, request: Request, code: str, number: int
    ) -> tuple[int, tuple[Seat, ...] | None]:
        """Up to which entry a device may see the game, and with whose eyes; None: with all.

        A game that is over and may yet go on is shown like one that runs.
        """
        if self._rooms.covers(code, number) and (keeper := await self._rooms.find(code)):
            sits = [player.key if player else "" for player in keeper.state.players]
            return keeper.seq, _own(request, sits)
        shelf = await self._shelf(code, number)
        runs = shelf.runs and number == shelf.begun
        return shelf.seq, _own(request, shelf.sits) if runs else None

    async def _who_may_forget(self, code: str, tokens: Sequence[str]) -> set[str]:
        """The keys of those who bring `tokens` and sit in the room, in which no game runs."""
        keeper = await self._rooms.find(code) if tokens else None
        here = {key_of(token) for token in tokens if keeper and keeper.seat_of(token) is not None}
        if keeper is None or not here:
            _no_such_game()
        if game_runs(keeper.state):
            raise Refusal(409, Problem(error="game-running"))
        return here

    async def _over(self, code: str, number: int) -> int:
        """The last entry by which game `number` is known to be over."""
        shelf = await self._shelf(code, number)
        if shelf.runs and number == shelf.begun:
            _no_such_game()
        return shelf.seq

    async def _shelf(self, code: str, number: int) -> Shelf:
        """The room, in which game `number` has begun."""
        shelf = await self._archive.shelf(code)
        if shelf is not None and shelf.broken:
            raise Refusal(500, Problem(error="room-stopped"))
        if shelf is None or not 1 <= number <= shelf.begun:
            _no_such_game()
        return shelf

    async def _made(
        self, code: str, end: int, what: tuple[object, ...], make: Callable[[RoomEntries], bytes]
    ) -> bytes:
        """What `make` makes of the room's log up to entry `end`, packed; kept for the next."""
        key = (code, end, *what)
        if key not in self._documents:
            async with self._walks.turn:
                if key not in self._documents:  # by somebody who waited for the same
                    self._documents[key] = await self._walks.over(
                        code, end, partial(_made_and_packed, make)
                    )
                    if len(self._documents) > DOCUMENTS:
                        self._documents.popitem(last=False)
        self._documents.move_to_end(key)
        return self._documents[key]


def _replay(
    code: str,
    number: int,
    only: tuple[Seat, ...] | None,
    entries: RoomEntries,
    *,
    undone: bool,
) -> bytes:
    story = story_of(entries, number, undone=undone)
    return msgspec.json.encode(replay_of(code, story, only))


def _sheet(code: str, number: int, entries: RoomEntries) -> bytes:
    story = story_of(entries, number)
    sheet = sheet_view(story.room, story.past.taken_back)
    if sheet is None or not story.finished:
        _no_such_game()
    summary = summary_of(code, game_in(entries, number))
    return msgspec.json.encode(GameSheet(game=summary, sheet=sheet))


def _file(  # noqa: PLR0913  # what was asked for
    code: str,
    number: int,
    kind: str,
    static: Path,
    entries: RoomEntries,
    *,
    anonymously: bool,
) -> bytes:
    told = taken_home(code, entries, number, kind, static=static, anonymously=anonymously)
    return told.encode()


def _evening(code: str, entries: RoomEntries) -> bytes:
    return msgspec.json.encode(evening_of(code, entries))


def _made_and_packed(make: Callable[[RoomEntries], bytes], entries: RoomEntries) -> bytes:
    return pack(make(entries))


@contextmanager
def _refusals() -> Iterator[None]:
    """What cannot be made is refused, and said why."""
    try:
        yield
    except (NoSuchGame, NotFinished):
        _no_such_game()
    except PageUnusable as error:
        raise Refusal(404, Problem(error="not-found")) from error
    except TooLong as error:
        raise Refusal(413, Problem(error="too-long")) from error
    except RoomFailed as error:
        raise Refusal(500, Problem(error="failed")) from error
    except (EntryUnreadable, LogCorrupt, RoomStopped) as error:
        raise Refusal(500, Problem(error="room-stopped")) from error
    except LogFailed as error:
        raise Refusal(503, Problem(error="unreadable")) from error


def _packed(packed: bytes, request: Request, media: str) -> Response:
    """The answer, packed for whoever can unpack it; for others it is unpacked as it leaves."""
    headers = {**FRESH, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers |= {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}
        return StreamingResponse(in_parts(packed), headers=headers, media_type=media)
    return StreamingResponse(unpacked(packed), headers=headers, media_type=media)


def _own(request: Request, sits: Sequence[str]) -> tuple[Seat, ...]:
    """The seat of a device where those with the keys `sits` sit, or the one of several it names."""
    keys, named = _keys(request), request.query_params.get("seat")
    own = tuple(
        Seat(index) for index, key in enumerate(sits) if key in keys and named in (None, str(index))
    )
    if len(own) != 1:
        _no_such_game()
    return own


def _code(request: Request) -> str:
    code = read_code(request.path_params["code"])
    if code is None:
        _no_such_game()
    return code


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
