"""Requests of a stranger, in front of applications that answer as a room does."""

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.app import create_app
from server.brakes import Brakes
from server.config import Config
from server.limits import Limits, Rate, Visitor
from server.log import MemoryLog
from server.protocol import FRAME_LIMIT, Close
from server.strangers import PLACE, Strangers
from server.turnstile import A_TURN, Rank
from tests.server.clock import Clock
from tests.server.phones import built_client, served

HER = ("192.168.1.20", 50_000)
TAPS_OF_A_DEAL = 60
"""More than anybody has in one: calls, the talon, gifts, and ten cards, each with a ping."""


class Bench:
    """A stranger before `app`."""

    def __init__(self, app: ASGIApp, limits: Limits | None = None) -> None:
        self.clock = Clock()
        self.strangers = Strangers(limits or Limits(), self.clock)
        self.brakes = Brakes(app, self.strangers, self.clock.sleep)
        self.sent: list[Message] = []

    async def asks(
        self, scope: Scope, *frames: Message, client: tuple[str, int] = HER
    ) -> list[Message]:
        """What is answered to a request that consists of `frames`."""
        waiting, sent = list(frames), []

        async def receive() -> Message:
            return waiting.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        await self.brakes({"client": client, **scope}, receive, send)
        return sent

    async def guesses(self, times: int) -> None:
        for _ in range(times):
            await self.asks(summary("ZZZZ"))

    @property
    def questions(self) -> int:
        visitor = self.strangers.visitor(HER)
        assert visitor is not None
        return visitor.questions


def summary(code: str) -> Scope:
    return {"type": "http", "method": "GET", "path": f"/api/rooms/{code}"}


def room_opening() -> Scope:
    return {"type": "http", "method": "POST", "path": "/api/rooms"}


def line(code: str) -> Scope:
    return {"type": "websocket", "path": f"/api/rooms/{code}/socket"}


def frame(text: str = '{"type":"ping","n":1}') -> Message:
    return {"type": "websocket.receive", "text": text}


async def house(scope: Scope, _receive: Receive, send: Send) -> None:
    """Knows room KVRT, and a seat in it."""
    known = "KVRT" in scope["path"]
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        if not known:
            await send({"type": "websocket.close", "code": Close.NO_SUCH_ROOM})
            return
        await send({"type": "websocket.send", "text": "welcome"})
        await send({"type": "websocket.send", "text": "more"})
    else:
        await send({"type": "http.response.start", "status": 200 if known else 404})
        await send({"type": "http.response.body", "body": b"{}"})


async def swallow(_scope: Scope, receive: Receive, _send: Send) -> None:
    """Reads everything."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


async def wrong_token(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": Close.WRONG_TOKEN})


async def test_whoever_mistypes_a_few_times_is_answered_at_once():
    bench = Bench(house)
    await bench.guesses(5)

    assert (await bench.asks(summary("KVRT")))[0]["status"] == 200
    assert bench.clock.slept == [pytest.approx(0.1)]


@pytest.mark.parametrize("scope", [summary("ZZZZ"), line("ZZZZ")])
async def test_whoever_guesses_codes_is_answered_ever_later(scope: Scope):
    bench = Bench(house)
    for _ in range(12):
        await bench.asks(scope)

    assert bench.clock.slept == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.5, 1.5, 1.5])


async def test_whoever_guesses_tokens_is_answered_ever_later():
    bench = Bench(wrong_token)
    for _ in range(12):
        await bench.asks(line("KVRT"))

    assert bench.clock.slept == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.5, 1.5, 1.5])


async def test_a_right_code_is_answered_as_late_as_a_wrong_one():
    late = []
    for code in ("KVRT", "ZZZZ"):
        for ask in (summary, line):
            bench = Bench(house)
            await bench.guesses(7)
            bench.clock.slept.clear()
            await bench.asks(ask(code))
            late.append(bench.clock.slept)

    assert late == [late[0]] * 4
    assert len(late[0]) == 1


async def test_only_the_first_answer_on_a_line_is_held_back():
    bench = Bench(house)
    await bench.guesses(40)
    bench.clock.slept.clear()
    sent = await bench.asks(line("KVRT"))

    assert [message["type"] for message in sent][-2:] == ["websocket.send"] * 2
    assert bench.clock.slept == [1.5]


async def test_a_phone_beside_a_guesser_waits_no_longer_than_a_second_or_so():
    bench = Bench(house, Limits(requests=Rate(1e9, 1e9)))
    await bench.guesses(1000)
    bench.clock.slept.clear()
    await bench.asks(summary("KVRT"))

    assert sum(bench.clock.slept) <= 1.5


async def test_another_address_waits_for_nothing():
    bench = Bench(house, Limits(requests=Rate(1e9, 1e9)))
    await bench.guesses(1000)
    bench.clock.slept.clear()
    for _ in range(10):
        await bench.asks(line("KVRT"), client=("192.168.1.21", 50_000))

    assert bench.clock.slept == []


async def test_other_addresses_of_the_server_are_no_question_about_a_room():
    bench = Bench(house)
    await bench.guesses(40)
    bench.clock.slept.clear()
    for path in ("/", "/KVRT", "/api/profiles", "/api/nothing"):
        await bench.asks({"type": "http", "method": "GET", "path": path})

    assert bench.clock.slept == []


async def test_guessing_side_by_side_is_turned_away_and_told_when_to_come_again():
    async def asks_in_between(scope: Scope, receive: Receive, send: Send) -> None:
        if bench.questions < 9:
            answers.extend(await bench.asks(scope))
        await house(scope, receive, send)

    answers: list[Message] = []
    bench = Bench(house)
    await bench.guesses(40)
    bench.brakes = Brakes(asks_in_between, bench.strangers, bench.clock.sleep)
    await bench.asks(summary("KVRT"))

    starts = [one for one in answers if one["type"] == "http.response.start"]
    assert sorted(one["status"] for one in starts) == [200] * 7 + [429]
    assert (b"retry-after", b"2") in next(one for one in starts if one["status"] == 429)["headers"]
    assert bench.questions == 0


async def test_a_question_that_is_never_answered_waits_no_longer():
    async def fails(_scope: Scope, _receive: Receive, _send: Send) -> None:
        assert bench.questions == 1
        raise ConnectionError

    bench = Bench(fails)
    with pytest.raises(ConnectionError):
        await bench.asks(line("KVRT"))

    assert bench.questions == 0


async def test_twenty_rooms_are_opened_at_once_and_then_one_a_minute():
    bench = Bench(house)
    statuses = [(await bench.asks(room_opening()))[0]["status"] for _ in range(21)]
    refused = (await bench.asks(room_opening()))[0]
    bench.clock.wind(60)
    later = [(await bench.asks(room_opening()))[0]["status"] for _ in range(2)]

    assert [status == 429 for status in statuses] == [False] * 20 + [True]
    assert (b"retry-after", b"60") in refused["headers"]
    assert [status == 429 for status in later] == [False, True]


async def test_ten_phones_that_load_their_pages_at_once_wait_for_nothing():
    bench = Bench(house)
    for _ in range(10 * 30):
        await bench.asks({"type": "http", "method": "GET", "path": "/assets/page.js"})

    assert bench.clock.slept == []


async def test_whoever_asks_without_end_is_answered_more_slowly():
    bench = Bench(house)
    began = bench.clock.now
    for _ in range(800):
        await bench.asks({"type": "http", "method": "GET", "path": "/api/profiles/ru-3"})

    assert bench.clock.now - began == pytest.approx(10)


async def test_what_is_held_back_takes_no_memory():
    async def never(seconds: float) -> None:
        waits.append(seconds)

    waits: list[float] = []
    bench = Bench(swallow)
    bench.brakes = Brakes(swallow, bench.strangers, never)
    long = frame("x" * FRAME_LIMIT)
    refused = 0
    for _ in range(2000):
        answer = await bench.asks(line("KVRT"), long, {"type": "websocket.disconnect"})
        refused += answer == [{"type": "websocket.close"}]

    assert refused == 2000 - 300 - 50 * 4
    assert max(waits) <= 4


async def test_the_taps_of_a_whole_deal_in_one_instant_are_not_delayed():
    bench = Bench(swallow)
    taps = [frame() for _ in range(2 * TAPS_OF_A_DEAL)]
    await bench.asks(line("KVRT"), *taps, {"type": "websocket.disconnect"})

    assert bench.clock.slept == []


async def test_whoever_sends_too_many_frames_is_read_more_slowly_and_heard_all_the_same():
    bench = Bench(swallow)
    began = bench.clock.now
    taps = [frame() for _ in range(420)]
    await bench.asks(line("KVRT"), *taps, {"type": "websocket.disconnect"})

    assert bench.clock.now - began == pytest.approx(10)


async def test_with_many_connections_an_address_is_read_no_faster_than_with_a_few():
    bench = Bench(swallow)
    began = bench.clock.now
    for _ in range(64):
        taps = [frame() for _ in range(60)]
        await bench.asks(line("KVRT"), *taps, {"type": "websocket.disconnect"})

    assert bench.clock.now - began > (64 * 60 - 960) / 121


DEAR = ["archive", "rooms/KVRT/evening", "rooms/KVRT/qr.svg", "rooms/KVRT/games/1/replay"]


@pytest.mark.parametrize("path", DEAR)
async def test_what_is_dear_to_answer_is_asked_for_more_slowly(path: str):
    bench = Bench(house)
    began = bench.clock.now
    for _ in range(70):
        await bench.asks({"type": "http", "method": "GET", "path": f"/api/{path}"})

    assert bench.clock.now - began == pytest.approx(5)


async def test_whoever_asks_side_by_side_for_what_is_dear_is_turned_away():
    bench = Bench(house, Limits(dear=Rate(2, 0.1)))
    sheet = {"type": "http", "method": "GET", "path": "/api/rooms/KVRT/games/1.html"}
    visitor = bench.strangers.visitor(HER)
    assert visitor is not None
    for _ in range(3):
        visitor.dear.take()

    assert (await bench.asks(sheet))[0]["status"] == 429
    assert (await bench.asks(summary("KVRT")))[0]["status"] == 200
    assert bench.clock.slept == []


async def test_the_machine_itself_is_never_slowed():
    bench = Bench(house)
    for _ in range(100):
        await bench.asks(summary("ZZZZ"), client=("127.0.0.1", 50_000))
        await bench.asks(room_opening(), client=("127.0.0.1", 50_000))

    assert bench.clock.slept == []


async def test_the_server_has_these_brakes(tmp_path: Path):
    limits = Limits(own_machine=True, rooms=Rate(1, 1 / 90))
    app = create_app(MemoryLog(), Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host, httpx.AsyncClient(base_url=f"http://{host}") as http:
        first, second = [await http.post("/api/rooms", json={"profile": "ru-3"}) for _ in range(2)]

    assert (first.status_code, second.status_code) == (201, 429)
    assert second.json() == {"error": "too-many"}
    assert 0 < int(second.headers["retry-after"]) <= 90


async def test_whoever_has_filled_the_disk_enough_opens_no_room(tmp_path: Path):
    limits = Limits(own_machine=True, stored=Rate(1000, 1))
    events = MemoryLog()
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host, httpx.AsyncClient(base_url=f"http://{host}") as http:
        first, second = [await http.post("/api/rooms", json={"profile": "ru-3"}) for _ in range(2)]

    assert (first.status_code, second.status_code) == (201, 429)
    assert second.json() == {"error": "too-many"}
    assert int(second.headers["retry-after"]) > 0
    assert len(await events.rooms()) == 1


@pytest.mark.parametrize("full", [True, False])
async def test_a_connection_without_a_place_is_told_that_all_is_full(*, full: bool):
    bench = Bench(house)
    visitor = bench.strangers.visitor(HER)
    assert visitor is not None
    place = bench.strangers.places.take(visitor, lambda: None)
    assert place is not None
    place.refused = full
    there = {"state": {PLACE: place}}

    page, socket = (
        await bench.asks({**summary("KVRT"), **there}),
        await bench.asks({**line("KVRT"), **there}),
    )

    assert page[0]["status"] == (503 if full else 200)
    assert [one.get("code") for one in socket if one["type"] == "websocket.close"] == (
        [Close.FULL] if full else []
    )
    assert ((b"retry-after", b"3") in page[0].get("headers", [])) is full


async def test_so_many_requests_of_an_address_are_answered_at_the_same_time():
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        running.append(len(running))
        most.append(len(running))
        await asyncio.sleep(0)
        await house(scope, receive, send)
        running.pop()

    running: list[int] = []
    most: list[int] = []
    bench = Bench(slow, Limits(answers=3))
    await asyncio.gather(*(bench.asks(summary("KVRT")) for _ in range(20)))

    assert max(most) == 3
    assert len(most) == 20


async def test_what_the_guard_turns_away_is_charged_too(tmp_path: Path):
    limits = Limits(own_machine=True, requests=Rate(2, 1 / 1000))
    app = create_app(MemoryLog(), Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host, httpx.AsyncClient(base_url=f"http://{host}") as http:
        elsewhere = {"Host": "evil.example"}
        statuses = [(await http.get("/", headers=elsewhere)).status_code for _ in range(3)]

    assert statuses == [421, 421, 429]


async def test_an_address_that_asks_for_much_lets_others_go_first():
    async def notes(scope: Scope, _receive: Receive, _send: Send) -> None:
        served_.append(scope["path"])

    served_: list[str] = []
    bench = Bench(notes, Limits(little=Rate(1, 0.001)))
    much = [bench.asks(summary(f"M{number:03}")) for number in range(2 * A_TURN)]
    little = bench.asks(summary("KVRT"), client=("192.168.1.21", 50_000))
    await asyncio.gather(*much, little)

    assert len(served_) == 2 * A_TURN + 1
    assert served_.index("/api/rooms/KVRT") <= A_TURN


def test_who_sits_is_of_the_first_rank_as_long_as_a_table_needs():
    visitor = Visitor(Limits(seated=Rate(2, 1), little=Rate(1, 1)), Clock())

    assert [visitor.rank(seated=True) for _ in range(4)] == [0, 0, 1, 2]
    assert visitor.rank(seated=False) is Rank.OTHERS
