"""The floor: what any server of this shape must spend, with no game, no secrets and no log.

What comes in is read as an ask. Everybody in the room is then sent a view of the usual size,
encoded for each anew, and the asker its answer in the same frame.
With `--keep` each ask is on the disk first, as any log must have it.
"""

import argparse
import asyncio
import os
import random
from collections import defaultdict
from itertools import count
from pathlib import Path

import msgspec
import uvicorn
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from engine.cards import Seat
from engine.state import Playing
from engine.views import game_view
from server.protocol import Ask, Done, Options, Update
from tests.support import RU_3, entries

_read = msgspec.json.Decoder(Ask).decode
_write = msgspec.json.Encoder().encode

_rooms: dict[str, list[WebSocket]] = defaultdict(list)
_seq = count(1)


def usual_views() -> list[Update]:
    """What the seats see in the middle of a deal."""
    room = next(
        room
        for room, _ in entries(RU_3, random.Random(1))
        if isinstance(room.phase, Playing) and sum(room.phase.tricks) == 3
    )
    return [
        Update(seq=0, game=game_view(room, Seat(i)), glimpses=(), options=Options())
        for i in range(3)
    ]


VIEWS = usual_views()


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    there = _rooms[socket.path_params["code"]]
    there.append(socket)
    try:
        while True:
            said = await socket.receive_text()
            ask, seq = _read(said), next(_seq)
            if (kept := socket.app.state.kept) is not None:
                await asyncio.to_thread(_keep, kept, said)
            for other, view in zip(there, VIEWS, strict=True):
                own = (Done(id=ask.id, seq=seq),) if other is socket else ()
                await other.send_text(_write((replace(view, seq=seq), *own)).decode())
    except WebSocketDisconnect:
        there.remove(socket)


def _keep(kept: int, said: str) -> None:
    os.write(kept, said.encode())
    os.fdatasync(kept)


async def health(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--keep", type=Path, help="a file for what was asked")
    wanted = parser.parse_args()
    app = Starlette(
        routes=[
            Route("/api/health", health),
            WebSocketRoute("/api/rooms/{code}/socket", echo),
        ]
    )
    app.state.kept = wanted.keep and os.open(wanted.keep, os.O_WRONLY | os.O_CREAT, 0o600)
    uvicorn.run(
        app,
        port=wanted.port,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
