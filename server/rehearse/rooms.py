"""Rooms for a rehearsal, asked for over HTTP as the start page does it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from server.http_messages import NewRoom, Problem, ProfileSummary, RoomOpened

TIMEOUT = 10.0
"""Seconds that the server may take for an answer."""


class CannotRehearse(Exception):  # noqa: N818  # reads as what is the case
    """The text is a sentence for the one who wanted to rehearse."""


class Opened(Struct, frozen=True, kw_only=True):
    """A new room: its code, where its socket is, and how many play in it."""

    code: str
    uri: str
    players: int


def open_rooms(url: str, count: int, profile: str | None) -> list[Opened]:
    """`count` new rooms on the server at `url`; without a profile, by the first one it offers.

    Blocks until they are there.

    Raises:
        CannotRehearse: there is no such server, or it has no such profile or no room to give.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise CannotRehearse(f"The server must be given like http://127.0.0.1:8000, not {url}.")
    with _server(url, parts.hostname, parts.port or 80) as connection:
        offered = {
            one.id: one.players
            for one in msgspec.json.decode(
                _request(connection, "GET", "/api/profiles"), type=list[ProfileSummary]
            )
        }
        chosen = profile or next(iter(offered))
        if chosen not in offered:
            raise CannotRehearse(f"There is no profile {chosen}, but {', '.join(offered)}.")
        wanted = msgspec.json.encode(NewRoom(profile=chosen))
        codes = [
            msgspec.json.decode(
                _request(connection, "POST", "/api/rooms", wanted), type=RoomOpened
            ).code
            for _ in range(count)
        ]
    return [
        Opened(
            code=code,
            uri=f"ws://{parts.netloc}/api/rooms/{code}/socket",
            players=offered[chosen],
        )
        for code in codes
    ]


@contextmanager
def _server(url: str, host: str, port: int) -> Iterator[HTTPConnection]:
    """A connection; whatever goes wrong with it is told in a sentence."""
    try:
        with closing(HTTPConnection(host, port, timeout=TIMEOUT)) as connection:
            yield connection
    except OSError as error:
        raise CannotRehearse(f"No server answers at {url}: {error}.") from error
    except (HTTPException, msgspec.MsgspecError) as error:
        raise CannotRehearse(f"What answers at {url} is no Prikup server: {error}.") from error


def _request(connection: HTTPConnection, method: str, path: str, body: bytes = b"") -> bytes:
    connection.request(method, path, body)
    response = connection.getresponse()
    answer = response.read()
    if response.status not in (200, 201):
        problem = msgspec.json.decode(answer, type=Problem)
        raise CannotRehearse(f"{method} {path} was refused: {problem.error}.")
    return answer
