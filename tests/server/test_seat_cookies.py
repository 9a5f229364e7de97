"""Seats in cookies, as a browser keeps them and brings them again."""

import httpx
import msgspec
import pytest

from server.http_messages import KeptSeats
from server.protocol import Close
from tests.server.phones import new_token
from tests.server.test_api import opened, problem_in
from tests.server.test_socket import closed_with, heard, join, line


async def kept(http: httpx.AsyncClient, code: str) -> tuple[int, ...]:
    answer = await http.get(f"/api/rooms/{code}/seats")
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content, type=KeptSeats).seats


async def keep(http: httpx.AsyncClient, code: str, token: str) -> httpx.Response:
    answer = await http.post(f"/api/rooms/{code}/seats", json={"token": token})
    assert answer.status_code == 204
    return answer


async def sits(http: httpx.AsyncClient, code: str, name: str) -> str:
    """The token of a new player in room `code`."""
    token = new_token()
    async with line(http.base_url.netloc.decode(), join(name, token), code) as socket:
        await heard(socket, "welcome")
    return token


def brought(http: httpx.AsyncClient) -> dict[str, str]:
    """The header with which a browser that has these cookies opens a socket."""
    cookies = "; ".join(f"{one.name}={one.value}" for one in http.cookies.jar)
    return {"Cookie": cookies}


async def test_no_script_no_other_site_and_no_other_room_gets_a_seat(http: httpx.AsyncClient):
    room, other = await opened(http), await opened(http)
    token = await sits(http, room.code, "Anna")

    answer = await keep(http, room.code, token)

    (cookie,) = answer.headers.get_list("set-cookie")
    said = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert said >= {"httponly", "samesite=strict", f"path=/api/rooms/{room.code}".lower()}
    assert "secure" not in said  # the table plays over plain http
    assert any(part.startswith("max-age=") for part in said)
    assert answer.content == b""
    assert await kept(http, room.code) == (0,)
    assert await kept(http, other.code) == ()


async def test_several_seats_are_kept_side_by_side(http: httpx.AsyncClient):
    room = await opened(http)
    for name in ("Anna", "Ben"):
        await keep(http, room.code, await sits(http, room.code, name))

    assert await kept(http, room.code) == (0, 1)


async def test_a_token_that_has_no_seat_is_not_kept_and_stale_ones_go(http: httpx.AsyncClient):
    room = await opened(http)
    assert (await keep(http, room.code, new_token())).headers.get_list("set-cookie") == []
    anna, ben = [await sits(http, room.code, name) for name in ("Anna", "Ben")]
    await keep(http, room.code, anna)
    async with line(http.base_url.netloc.decode(), None, room.code) as socket:
        await socket.send(f'{{"type":"resume","tokens":["{anna}"]}}')
        await heard(socket, "welcome")
        await socket.send('{"type":"ask","id":"leave-00","action":{"type":"leave"}}')
        assert await closed_with(socket) == Close.SEAT_GONE

    assert await kept(http, room.code) == ()
    await keep(http, room.code, ben)

    assert [one.value for one in http.cookies.jar] == [ben]


async def test_a_device_forgets_its_seats(http: httpx.AsyncClient):
    room = await opened(http)
    await keep(http, room.code, await sits(http, room.code, "Anna"))

    assert (await http.delete(f"/api/rooms/{room.code}/seats")).status_code == 204

    assert list(http.cookies.jar) == []
    assert await kept(http, room.code) == ()


async def test_what_is_no_token_is_passed_over(http: httpx.AsyncClient):
    room = await opened(http)
    token = await sits(http, room.code, "Anna")
    garbage = f'seat-1=x; seat-2={"A" * 23}; other={token}; ="; seat-3={token}'

    answer = await http.get(f"/api/rooms/{room.code}/seats", headers={"Cookie": garbage})

    assert msgspec.json.decode(answer.content, type=KeptSeats).seats == (0,)
    path, body = f"/api/rooms/{room.code}/seats", {"token": token}
    answer = await http.post(path, json=body, headers={"Cookie": "seat-1=x"})
    assert len(answer.headers.get_list("set-cookie")) == 1


@pytest.mark.parametrize("body", [b"", b'{"token":"short"}', b'{"token":1}', b'{"seat":0}'])
async def test_a_body_that_is_no_seat_is_told_so(http: httpx.AsyncClient, body: bytes):
    room = await opened(http)

    answer = await http.post(f"/api/rooms/{room.code}/seats", content=body)

    assert (answer.status_code, problem_in(answer)) == (400, "bad-request")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_there_is_no_such_room(http: httpx.AsyncClient, method: str):
    answer = await http.request(method, "/api/rooms/ZZZZ/seats")

    assert (answer.status_code, problem_in(answer)) == (404, "no-such-room")


async def test_a_device_that_has_nothing_but_cookies_comes_back_to_all_its_seats(
    http: httpx.AsyncClient,
):
    room = await opened(http)
    for name in ("Anna", "Ben"):
        await keep(http, room.code, await sits(http, room.code, name))
    host = http.base_url.netloc.decode()

    async with line(host, {"type": "resume"}, room.code, brought(http)) as socket:
        table = await heard(socket, "table")
        assert table["mine"] == [0, 1]
        await socket.send('{"type":"face","seat":1}')
        faced = await heard(socket, "table")

    assert isinstance(faced["table"], dict)
    assert faced["table"]["me"] == 1


async def test_who_only_watches_takes_no_seat_along(http: httpx.AsyncClient):
    room = await opened(http)
    await keep(http, room.code, await sits(http, room.code, "Anna"))
    host = http.base_url.netloc.decode()

    async with line(host, {"type": "watch"}, room.code, brought(http)) as socket:
        table = await heard(socket, "table")

    assert table["mine"] == []
