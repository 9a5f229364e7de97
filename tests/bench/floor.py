"""The floor: what any server of this shape must spend, with no game, no secrets and no log.

What comes in is read as an ask. Everybody in the room is then sent a view of the usual size,
encoded for each anew, and the asker its answer in the same frame.
"""

import argparse
import random
from collections import defaultdict
from itertools import count

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
            ask, seq = _read(await socket.receive_text()), next(_seq)
            for other, view in zip(there, VIEWS, strict=True):
                own = (Done(id=ask.id, seq=seq),) if other is socket else ()
                await other.send_text(_write((replace(view, seq=seq), *own)).decode())
    except WebSocketDisconnect:
        there.remove(socket)


async def health(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    uvicorn.run(
        Starlette(
            routes=[
                Route("/api/health", health),
                WebSocketRoute("/api/rooms/{code}/socket", echo),
            ]
        ),
        port=parser.parse_args().port,
        loop="uvloop",
        http="httptools",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )


if __name__ == "__main__":
    main()
