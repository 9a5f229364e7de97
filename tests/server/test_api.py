"""The HTTP side, over a real socket."""

import asyncio
import threading
from typing import Any

import httpx
import msgspec
import pytest
import segno

from server.http_messages import Health, Problem, ProfileSummary, RoomOpened, RoomSummary, RuleBook
from server.log import EventLog, LogFailed, MemoryLog, Stored
from server.profiles import load_profiles
from tests.server.phones import CODE, new_token, store_room


async def opened(http: httpx.AsyncClient, **wish: object) -> RoomOpened:
    answer = await http.post("/api/rooms", json={"profile": "ru-3", **wish})
    assert answer.status_code == 201
    return msgspec.json.decode(answer.content, type=RoomOpened)


def problem_in(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/json"
    return msgspec.json.decode(answer.content, type=Problem).error


async def test_a_room_is_opened_and_anybody_may_know_who_sits_there(http: httpx.AsyncClient):
    room = await opened(http)

    answer = await http.get(f"/api/rooms/{room.code.lower()}")

    summary = msgspec.json.decode(answer.content, type=RoomSummary)
    assert summary == RoomSummary(
        code=room.code,
        url=room.url,
        profile="ru-3",
        players=(None, None, None),
        state="gathering",
        deal=0,
        turn=None,
    )


async def test_a_room_opens_with_its_house_rules(http: httpx.AsyncClient, events: EventLog):
    room = await opened(http, house_rules={"step": 10})

    (stored,) = await events.read(room.code)
    assert b'"chosen":{"step":10}' in stored.data


@pytest.mark.parametrize(
    ("body", "status", "problem"),
    [
        (b"", 400, "bad-request"),
        (b"[]", 400, "bad-request"),
        (b'{"profile":"ru-3","extra":1}', 400, "bad-request"),
        (b"\xff", 400, "bad-request"),
        (b'{"profile":"xx-9"}', 422, "unknown-profile"),
        (b'{"profile":"ru-3","house_rules":{"step":7}}', 422, "unknown-house-rule"),
        (b'{"profile":"ru-3"}' + b" " * 20_000, 413, "bad-request"),
    ],
)
async def test_a_room_that_cannot_be_opened_is_told_why(
    http: httpx.AsyncClient, body: bytes, status: int, problem: str
):
    answer = await http.post("/api/rooms", content=body)

    assert (answer.status_code, problem_in(answer)) == (status, problem)


async def test_a_request_that_breaks_off_in_its_body_is_no_fault_of_the_server(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
):
    _, line = await asyncio.open_connection(http.base_url.host, http.base_url.port)
    line.write(b'POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\n{"pro')
    await line.drain()
    await asyncio.sleep(0.1)
    line.close()
    await asyncio.sleep(0.1)

    assert (await http.get("/api/health")).status_code == 200
    assert caplog.records == []


@pytest.mark.parametrize("length", [300, 5000])
async def test_a_host_that_no_picture_can_hold_is_left_out_of_it(
    http: httpx.AsyncClient, length: int
):
    room = await opened(http)

    path = f"/api/rooms/{room.code}/qr.svg"
    answer = await http.get(path, headers={"Host": "a" * length})

    assert answer.status_code == 200
    assert answer.content == (await http.get(path, headers={"Host": "localhost"})).content


async def test_a_picture_is_drawn_beside_the_game(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    room, make = await opened(http), segno.make
    drawing: list[threading.Thread] = []

    def watched(*what: Any, **how: Any) -> segno.QRCode:
        drawing.append(threading.current_thread())
        return make(*what, **how)

    monkeypatch.setattr(segno, "make", watched)
    for _ in range(2):
        await http.get(f"/api/rooms/{room.code}/qr.svg")

    assert len(drawing) == 1
    assert drawing[0] is not threading.current_thread()


@pytest.mark.parametrize("path", ["/api/rooms/KVRT", "/api/rooms/x", "/api/rooms/KVRT/qr.svg"])
async def test_there_is_no_such_room(http: httpx.AsyncClient, path: str):
    answer = await http.get(path)

    assert (answer.status_code, problem_in(answer)) == (404, "no-such-room")


async def test_every_profile_can_be_chosen_with_its_switches(http: httpx.AsyncClient):
    answer = await http.get("/api/profiles")

    profiles = msgspec.json.decode(answer.content, type=list[ProfileSummary])
    assert [profile.id for profile in profiles] == list(load_profiles())
    russian = next(profile for profile in profiles if profile.id == "ru-3")
    barrel = next(rule for rule in russian.house_rules if rule.key == "barrel")
    assert (barrel.values, barrel.default) == ((850, 870, 880, 900), 880)


async def test_the_address_that_worked_for_a_phone_is_the_one_it_shows(http: httpx.AsyncClient):
    answer = await http.post(
        "/api/rooms", json={"profile": "ru-3"}, headers={"Host": "192.168.7.50:8000"}
    )

    room = msgspec.json.decode(answer.content, type=RoomOpened)
    assert room.url == f"http://192.168.7.50:8000/{room.code}"
    picture = await http.get(f"/api/rooms/{room.code}/qr.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<svg" in picture.text


async def test_health_says_what_runs(http: httpx.AsyncClient):
    health = msgspec.json.decode((await http.get("/api/health")).content, type=Health)

    assert (health.status, health.rooms, health.connections) == ("ok", 0, 0)


async def test_a_room_whose_log_does_not_fit_together_says_so(
    http: httpx.AsyncClient, events: EventLog
):
    await events.append("BADX", 1, b"{}")

    answer = await http.get("/api/rooms/BADX")

    assert (answer.status_code, problem_in(answer)) == (500, "room-stopped")


@pytest.mark.parametrize(
    ("method", "path"), [("GET", f"/api/rooms/{CODE}"), ("DELETE", f"/api/rooms/{CODE}/games")]
)
async def test_a_room_that_a_fault_stopped_says_that_the_server_failed(
    http: httpx.AsyncClient,
    events: EventLog,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    path: str,
):
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    await store_room(events)
    monkeypatch.setattr("server.clocks.Clocks.follow", fails)

    answer = await http.request(method, path, headers={"Authorization": f"Bearer {new_token()}"})

    assert (answer.status_code, problem_in(answer)) == (500, "failed")


class TestAFullDisk:
    @pytest.fixture
    def events(self) -> EventLog:
        class FullDisk(MemoryLog):
            async def append(self, room: str, seq: int, data: bytes) -> None:
                raise LogFailed(f"no space for {room} {seq} ({len(data)} bytes)")

        return FullDisk()

    async def test_a_room_that_cannot_be_stored_is_not_opened(self, http: httpx.AsyncClient):
        answer = await http.post("/api/rooms", json={"profile": "ru-3"})

        assert (answer.status_code, problem_in(answer)) == (503, "not-stored")


async def test_a_book_of_rules_holds_the_profile_with_its_house_rules_and_a_worked_score(
    http: httpx.AsyncClient,
):
    chosen = '{"step":10,"four_aces":true}'
    answer = await http.get("/api/profiles/de-3", params={"house_rules": chosen})

    book = msgspec.json.decode(answer.content, type=RuleBook)
    assert book.profile.auction is not None
    assert (book.profile.auction.step, book.profile.meld.four_aces) == (10, 200)
    assert [(one.rank.value, one.points) for one in book.ranks] == [
        ("A", 11),
        ("T", 10),
        ("K", 4),
        ("Q", 3),
        ("J", 2),
        ("9", 0),
    ]
    assert book.total == 120
    assert (book.example.contract, book.example.missed) == (150, 160)
    assert [(share.raw, share.written) for share in book.example.shares] == [
        (154, 150),
        (32, 30),
        (14, 15),
    ]


@pytest.mark.parametrize(
    ("path", "status", "problem"),
    [
        ("/api/profiles/xx-9", 404, "unknown-profile"),
        ("/api/profiles/pl-3?house_rules={%22bolts%22:true}", 422, "unknown-house-rule"),
        ("/api/profiles/pl-3?house_rules=[", 400, "bad-request"),
        ("/api/rooms/KVRT/rules", 404, "no-such-room"),
    ],
)
async def test_there_is_no_such_book(http: httpx.AsyncClient, path: str, status: int, problem: str):
    answer = await http.get(path)

    assert (answer.status_code, problem_in(answer)) == (status, problem)


async def test_the_book_of_a_room_is_what_it_plays_by(http: httpx.AsyncClient):
    wanted = {"profile": "no-4", "house_rules": {"sitter": "opposite"}}
    room = msgspec.json.decode(
        (await http.post("/api/rooms", json=wanted)).content, type=RoomOpened
    )

    answer = await http.get(f"/api/rooms/{room.code}/rules")

    profile = msgspec.json.decode(answer.content, type=RuleBook).profile
    assert (profile.id, profile.table.sitter, profile.chosen) == (
        "no-4",
        "opposite",
        {"sitter": "opposite"},
    )


async def test_a_house_whose_codes_are_used_up_says_that_it_is_full(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    room = await opened(http)
    monkeypatch.setattr("server.rooms.new_code", lambda: room.code)

    answer = await http.post("/api/rooms", json={"profile": "ru-3"})

    assert (answer.status_code, problem_in(answer)) == (503, "full")
    assert int(answer.headers["Retry-After"]) > 0


class TestALogThatCannotBeRead:
    @pytest.fixture
    def events(self) -> EventLog:
        class Unreadable(MemoryLog):
            async def read(self, room: str, *asked: int) -> list[Stored]:
                raise LogFailed(f"a bad sector in {room} after {asked}")

        return Unreadable()

    async def test_says_nothing_of_storing(self, http: httpx.AsyncClient):
        answer = await http.get("/api/rooms/KVRT")

        assert (answer.status_code, problem_in(answer)) == (503, "unreadable")
