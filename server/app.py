"""The only place where the parts are wired together: pages, the HTTP interface and the sockets."""

import hashlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from engine.house_rules import HOUSE_RULES, UnknownHouseRule, with_house_rules
from engine.profile import Profile
from engine.state import Gathering, Over
from engine.views import game_view, profile_view
from server import lan, socket, version
from server.config import STATIC, Config
from server.identity import read_code
from server.log import EventLog, LogFailed
from server.profiles import load_profiles
from server.protocol import (
    PROTOCOL,
    Health,
    HouseRuleView,
    NewRoom,
    Problem,
    ProfileSummary,
    RoomOpened,
    RoomSummary,
    Welcome,
)
from server.room import RoomKeeper, RoomStopped
from server.rooms import Rooms

BODY_LIMIT = 16_384
"""Bytes of a request's body at most."""


class Refusal(Exception):  # noqa: N818  # an answer, not a fault
    """A request that cannot be served, as its status and its word."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem.error)
        self.status = status
        self.problem = problem


class Site:
    """What the server answers over HTTP, and where its sockets begin."""

    def __init__(self, events: EventLog, config: Config) -> None:
        self._config = config
        self._profiles = load_profiles()
        self._epoch = secrets.token_hex(4)
        self._build = build_id(STATIC)
        self.rooms = Rooms(events, self._profiles)

    async def open_room(self, request: Request) -> Response:
        """POST /api/rooms: a new room."""
        try:
            wanted = msgspec.json.decode(await _body(request), type=NewRoom)
        except msgspec.MsgspecError as error:
            raise Refusal(400, Problem(error="bad-request")) from error
        if wanted.profile not in self._profiles:
            raise Refusal(422, Problem(error="unknown-profile"))
        try:
            profile = with_house_rules(self._profiles[wanted.profile], wanted.house_rules)
        except UnknownHouseRule as error:
            raise Refusal(422, Problem(error="unknown-house-rule")) from error
        try:
            code = await self.rooms.open(profile)
        except LogFailed as error:
            raise Refusal(503, Problem(error="not-stored")) from error
        return _json(RoomOpened(code=code, url=self._url(request, code)), 201)

    async def profiles(self, _request: Request) -> Response:
        """GET /api/profiles: what can be played."""
        return _json([_profile_summary(profile) for profile in self._profiles.values()])

    async def room(self, request: Request) -> Response:
        """GET /api/rooms/{code}: what anybody may know of a room."""
        keeper = await self._keeper(request)
        state, game = keeper.state, game_view(keeper.state, None)
        over = isinstance(state.phase, Over)
        return _json(
            RoomSummary(
                code=keeper.code,
                url=self._url(request, keeper.code),
                profile=state.profile.id,
                players=tuple(player.name if player else None for player in state.players),
                state="gathering"
                if isinstance(state.phase, Gathering)
                else ("over" if over else "playing"),
                deal=game.deal if game else 0,
                turn=game.turn if game else None,
            )
        )

    async def qr(self, request: Request) -> Response:
        """GET /api/rooms/{code}/qr.svg: the room's address as a picture."""
        keeper = await self._keeper(request)
        picture = lan.qr_svg(self._url(request, keeper.code))
        return Response(picture, media_type="image/svg+xml", headers=_FRESH)

    async def health(self, _request: Request) -> Response:
        """GET /api/health."""
        return _json(
            Health(
                status="ok",
                version=version(),
                epoch=self._epoch,
                rooms=len(self.rooms),
                connections=self.rooms.connections,
            )
        )

    async def play(self, websocket: WebSocket) -> None:
        """/ws/{code}: a phone, a table screen or a watcher."""
        code = read_code(websocket.path_params["code"])
        greeting = Welcome(
            protocol=PROTOCOL,
            build=self._build,
            epoch=self._epoch,
            code=code or "",
            url=self._url(websocket, code or ""),
        )
        await socket.serve(websocket, self.rooms, code, greeting)

    async def _keeper(self, request: Request) -> RoomKeeper:
        code = read_code(request.path_params["code"])
        try:
            keeper = await self.rooms.find(code) if code else None
        except RoomStopped as error:
            raise Refusal(500, Problem(error="room-stopped")) from error
        except LogFailed as error:
            raise Refusal(503, Problem(error="not-stored")) from error
        if keeper is None:
            raise Refusal(404, Problem(error="no-such-room"))
        return keeper

    def _url(self, connection: HTTPConnection, code: str) -> str:
        """The room's address as the device at the other end can open and show it."""
        return lan.join_url(
            self._config.public_url,
            connection.headers.get("host"),
            lan.interfaces(self._config.host),
            self._config.port,
            code,
        )


def create_app(events: EventLog, config: Config, static: Path = STATIC) -> Starlette:
    """The whole server on one log. Whoever opened the log closes it after the application."""
    site = Site(events, config)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await site.rooms.close()

    app = Starlette(
        routes=[
            Route("/api/rooms", site.open_room, methods=["POST"]),
            Route("/api/profiles", site.profiles),
            Route("/api/rooms/{code}", site.room),
            Route("/api/rooms/{code}/qr.svg", site.qr),
            Route("/api/health", site.health),
            WebSocketRoute("/ws/{code}", site.play),
            Mount("/assets", Assets(directory=static / "assets", check_dir=False)),
            Route("/", _page(static / "index.html")),
            Route("/{code}", _page(static / "room.html")),
            Route("/{code}/table", _page(static / "table.html")),
        ],
        exception_handlers={Refusal: _refused, HTTPException: _not_found},
        lifespan=lifespan,
    )
    app.state.site = site
    return app


def build_id(static: Path) -> str:
    """A short name of the built client; a page of another build has to load itself again."""
    pages = sorted(static.glob("*.html"))
    return hashlib.blake2b(b"".join(page.read_bytes() for page in pages), digest_size=6).hexdigest()


_FRESH = {"Cache-Control": "no-cache"}
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


class Assets(StaticFiles):
    """Built files whose names hold a hash of their content: kept by browsers for good."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401  # Starlette's own
        response = super().file_response(*args, **kwargs)
        response.headers.update(_KEPT)
        return response


def _page(file: Path) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint that serves `file`, which browsers ask for anew each time."""

    async def page(request: Request) -> Response:
        code = request.path_params.get("code")
        if code is not None and read_code(code) is None:
            raise HTTPException(404)
        return FileResponse(file, headers=_FRESH)

    return page


def _json(body: object, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(body), status, headers=_FRESH, media_type="application/json"
    )


async def _body(request: Request) -> bytes:
    """The request's body.

    Raises:
        Refusal: it is too long.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_LIMIT:
            raise Refusal(413, Problem(error="bad-request"))
    return body


async def _refused(_request: Request, refusal: Exception) -> Response:
    if not isinstance(refusal, Refusal):
        raise refusal
    return _json(refusal.problem, refusal.status)


async def _not_found(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _json(
        Problem(error="not-found" if status == HTTPStatus.NOT_FOUND else "bad-request"), status
    )


def _profile_summary(profile: Profile) -> ProfileSummary:
    view = profile_view(profile)
    return ProfileSummary(
        id=view.id,
        version=view.version,
        terms=view.terms,
        source=profile.source,
        players=view.players,
        house_rules=tuple(
            HouseRuleView(
                key=key, values=HOUSE_RULES[key].values, default=HOUSE_RULES[key].read(profile)
            )
            for key in profile.house_rules
        ),
        step=view.step,
        target=view.target,
        mark=view.mark,
    )
