"""The only place where the parts are wired together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route, WebSocketRoute

from server.answers import Refusal, not_found, refused
from server.api import Api
from server.config import STATIC, Config
from server.log import EventLog
from server.pages import Assets, build_id, page


def create_app(events: EventLog, config: Config, static: Path = STATIC) -> Starlette:
    """The whole server on one log. Whoever opened the log closes it after the application."""
    api = Api(events, config, build_id(static))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await api.rooms.close()

    return Starlette(
        routes=[
            Route("/api/rooms", api.open_room, methods=["POST"]),
            Route("/api/profiles", api.profiles),
            Route("/api/profiles/{id}", api.profile),
            Route("/api/rooms/{code}", api.room),
            Route("/api/rooms/{code}/rules", api.rules),
            Route("/api/rooms/{code}/qr.svg", api.qr),
            Route("/api/health", api.health),
            WebSocketRoute("/ws/{code}", api.play),
            Mount("/assets", Assets(directory=static / "assets", check_dir=False)),
            Route("/", page(static / "index.html")),
            Route("/{code}", page(static / "room.html")),
            Route("/{code}/table", page(static / "table.html")),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1024)],
        exception_handlers={Refusal: refused, HTTPException: not_found},
        lifespan=lifespan,
    )
