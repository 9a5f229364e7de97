"""The only place where the parts are wired together."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Mount, Route, WebSocketRoute

from server.answers import Refusal, failed, not_found, refused
from server.api import Api
from server.archive_api import ArchiveApi
from server.brakes import Brakes
from server.config import STATIC, Config
from server.guard import Guard
from server.headers import Headers
from server.hosts import Hosts
from server.limits import Limits
from server.lines import CLOCK, STRANGERS
from server.log import EventLog
from server.pages import Assets, build_id, page
from server.strangers import Strangers
from server.waking import WakingClock


def create_app(
    events: EventLog,
    config: Config,
    static: Path = STATIC,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Starlette:
    """The whole server on one log. Whoever opened the log closes it after the application."""
    clock = WakingClock()
    api = Api(events, config, build_id(static), clock)
    past = ArchiveApi(events, api.rooms, static)
    hosts = Hosts(config)
    strangers = Strangers(limits, time.monotonic)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        clock.start()
        yield {STRANGERS: strangers, CLOCK: clock}
        await past.close()
        await api.rooms.close()
        clock.stop()

    return Starlette(
        routes=[
            Route("/api/rooms", api.open_room, methods=["POST"]),
            Route("/api/profiles", api.profiles),
            Route("/api/profiles/{id}", api.profile),
            Route("/api/rooms/{code}", api.room),
            Route("/api/rooms/{code}/rules", api.rules),
            Route("/api/rooms/{code}/qr.svg", api.qr),
            Route("/api/health", api.health),
            Route("/api/rooms/{code}/seats", api.kept_seats),
            Route("/api/rooms/{code}/seats", api.keep_seat, methods=["POST"]),
            Route("/api/rooms/{code}/seats", api.forget_seats, methods=["DELETE"]),
            Route("/api/archive", past.archive),
            Route("/api/rooms/{code}/evening", past.evening),
            Route("/api/rooms/{code}/games", past.forget, methods=["DELETE"]),
            Route("/api/rooms/{code}/games/{number}/replay", past.replay),
            Route("/api/rooms/{code}/games/{number}/sheet", past.sheet),
            Route("/api/rooms/{code}/games/{number}.{format}", past.file),
            WebSocketRoute("/api/rooms/{code}/socket", api.play),
            Mount("/assets", Assets(directory=static / "assets", check_dir=False)),
            Route("/", page(static / "index.html")),
            Route("/{code}", page(static / "room.html")),
            Route("/{code}/table", page(static / "table.html")),
            Route("/{code}/replay/{number}", page(static / "replay.html")),
        ],
        middleware=[
            Middleware(Headers, hosts=hosts),
            Middleware(Brakes, strangers=strangers),
            Middleware(Guard, hosts=hosts),
            Middleware(GZipMiddleware, minimum_size=1024),
        ],
        exception_handlers={Refusal: refused, HTTPException: not_found, Exception: failed},
        lifespan=lifespan,
    )
