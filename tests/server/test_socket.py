"""Connections over real sockets: what a stranger's frames do, and what they do not."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from starlette.types import Message
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect

import server.socket
import server.waking
from engine.commands import SetReady
from server.app import create_app
from server.config import Config
from server.limits import Limits, Rate
from server.log import EventLog, LogFailed, MemoryLog, Stored
from server.outbox import ANSWERS_WAITING
from server.profiles import load_profiles
from server.protocol import PROTOCOL, Close, Done, ServerMessage, Update, Welcome
from server.rooms import Rooms
from server.socket import WATCHERS, serve
from tests.server.clock import Clock
from tests.server.phones import CODE, built_client, new_token, seated, served, store_room

GREETING = Welcome(protocol=PROTOCOL, build="b", epoch="e", code=CODE, url="http://k")
_read = msgspec.json.Decoder(list[ServerMessage]).decode


@pytest.fixture
async def events() -> EventLog:
    events = MemoryLog()
    await store_room(events)
    return events


@pytest.fixture
async def host(events: EventLog, tmp_path: Path) -> AsyncIterator[str]:
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as address:
        yield address


@asynccontextmanager
async def line(
    host: str,
    hello: object = None,
    code: str = CODE,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[ClientConnection]:
    address = f"ws://{host}/api/rooms/{code}/socket"
    async with connect(address, compression=None, additional_headers=headers) as socket:
        if hello is not None:
            await socket.send(json.dumps(hello))
        yield socket


def join(name: str, token: str | None = None) -> dict[str, str]:
    return {"type": "join", "name": name, "token": token or new_token()}


async def closed_with(socket: ClientConnection) -> int | None:
    await asyncio.wait_for(socket.wait_closed(), 5)
    return socket.close_code


async def heard(socket: ClientConnection, kind: str) -> dict[str, object]:
    while True:
        for message in json.loads(await asyncio.wait_for(socket.recv(), 5)):
            if message["type"] == kind:
                return dict(message)


async def test_a_join_is_welcomed_and_shown_the_room_in_one_frame(host: str):
    async with line(host, join("Anna")) as socket:
        frame = _read(await socket.recv())

    assert [type(message).__name__ for message in frame] == [
        "Welcome",
        "Table",
        "Sheet",
        "Presence",
        "Update",
        "Proposals",
    ]


async def test_the_seat_comes_back_with_its_token(host: str):
    token = new_token()
    async with line(host, join("Anna", token)) as socket:
        await heard(socket, "welcome")
    async with line(host, {"type": "resume", "tokens": [token]}) as socket:
        table = await heard(socket, "table")

    assert isinstance(table["table"], dict)
    assert table["table"]["me"] == 0


async def test_a_name_that_is_no_name_is_told_and_another_may_be_said(host: str):
    async with line(host, join("   ")) as socket:
        assert (await heard(socket, "not_seated"))["reason"] == "name-empty"
        await socket.send(json.dumps(join("Anna")))
        await heard(socket, "welcome")


@pytest.mark.parametrize("code", ["ZZZZ", "x", "KVRTT"])
async def test_there_is_no_such_room(host: str, code: str):
    async with line(host, code=code) as socket:
        assert await closed_with(socket) == Close.NO_SUCH_ROOM


async def test_a_token_nobody_has_opens_nothing(host: str):
    async with line(host, {"type": "resume", "tokens": [new_token()]}) as socket:
        assert await closed_with(socket) == Close.WRONG_TOKEN


async def test_a_room_that_is_stopped_says_so(host: str, events: EventLog):
    await events.append("BADX", 1, b"{}")
    async with line(host, {"type": "watch"}, "BADX") as socket:
        assert await closed_with(socket) == Close.ROOM_STOPPED


async def test_a_room_whose_log_cannot_be_read_now_says_that_and_not_that_it_is_stopped(
    tmp_path: Path,
):
    class Unreadable(MemoryLog):
        async def read(self, room: str, *asked: int) -> list[Stored]:
            raise LogFailed(f"a bad sector in {room} after {asked}")

    app = create_app(Unreadable(), Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as address, line(address) as socket:
        assert await closed_with(socket) == Close.UNREADABLE


async def test_a_room_that_a_fault_stopped_says_so_to_whoever_comes(
    host: str, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("server.clocks.Clocks.follow", fails)
    for _ in range(2):
        async with line(host) as socket:
            assert await closed_with(socket) == Close.FAILED


async def test_a_frame_that_cannot_be_made_ends_its_own_line(
    host: str, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    async with line(host, {"type": "watch"}) as watcher, line(host, join("Anna")) as anna:
        await heard(watcher, "welcome")
        await heard(anna, "welcome")
        with monkeypatch.context() as patch:
            patch.setattr("server.outbox._encode", fails)
            await anna.send('{"type":"ping","n":5}')
            assert await closed_with(anna) == Close.FAILED

        await watcher.send('{"type":"ping","n":6}')
        assert (await heard(watcher, "pong"))["n"] == 6


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", Close.BAD_FRAME),
        (b"\x00\x01", Close.BAD_FRAME),
        ('{"type":"watch"}', Close.BAD_FRAME),
        ('{"type":"ask","id":"12345678","action":{"type":"fly"}}', Close.BAD_FRAME),
        (
            '{"type":"ask","id":"12345678","action":{"type":"play_card","card":"ZZ"}}',
            Close.BAD_FRAME,
        ),
        (
            '{"type":"ask","id":"12345678","seat":1,"action":{"type":"pass"}}',
            Close.BAD_FRAME,
        ),
        ("x" * 16_385, 1009),
    ],
)
async def test_a_bad_frame_closes_its_own_line_and_harms_nobody(
    host: str, events: EventLog, frame: str | bytes, code: int
):
    async with line(host, join("Anna")) as anna, line(host, join("Ben")) as ben:
        await heard(anna, "welcome")
        await heard(ben, "welcome")
        before = await events.read(CODE)

        await ben.send(frame)

        assert await closed_with(ben) == code
        await anna.send('{"type":"ping","n":5}')
        assert (await heard(anna, "pong"))["n"] == 5
        assert await events.read(CODE) == before


async def test_an_ask_before_the_hello_closes_the_line(host: str):
    async with line(host) as socket:
        await socket.send('{"type":"ask","id":"12345678","action":{"type":"pass"}}')
        assert await closed_with(socket) == Close.NO_HELLO


async def test_an_act_out_of_turn_is_refused_with_its_id(host: str, events: EventLog):
    async with line(host, join("Anna")) as anna:
        await heard(anna, "welcome")
        before = await events.read(CODE)
        await anna.send('{"type":"ask","id":"12345678","action":{"type":"pass"}}')

        refused = await heard(anna, "refused")

        assert (refused["id"], refused["reason"]) == ("12345678", "wrong-phase")
        assert await events.read(CODE) == before


async def test_a_frame_that_is_replayed_is_answered_again_and_stored_once(
    host: str, events: EventLog
):
    ask = '{"type":"ask","id":"12345678","action":{"type":"set_ready","ready":true}}'
    async with line(host, join("Anna")) as anna:
        await heard(anna, "welcome")
        answers = []
        for _ in range(5):
            await anna.send(ask)
            answers.append(await heard(anna, "done"))

    assert answers == [answers[0]] * 5
    assert len(await events.read(CODE)) == 3


async def test_a_phone_that_takes_nothing_slows_nobody_and_then_sees_the_newest(events: EventLog):
    rooms = Rooms(events, load_profiles(), clock=Clock())
    gate = asyncio.Event()
    sent: list[Message] = []

    async def receive() -> Message:
        if not sent:
            return {"type": "websocket.connect"}
        if len(sent) == 1:
            sent.append({})
            return {"type": "websocket.receive", "text": '{"type":"watch"}'}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "websocket.send":
            await gate.wait()

    slow = WebSocket({"type": "websocket", "headers": [], "path": "/"}, receive, send)
    serving = asyncio.create_task(serve(slow, rooms, CODE, GREETING))
    keeper = await rooms.find(CODE)
    assert keeper is not None
    (anna,) = await seated(keeper, "Anna")
    for n in range(500):
        assert isinstance(await anna.asks(SetReady(ready=bool(n % 2))), Done)
    newest = keeper.seq
    gate.set()
    while len(sent) < 4:  # noqa: ASYNC110  # the second frame comes when it comes
        await asyncio.sleep(0)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await rooms.close()

    last = _read(sent[-1]["text"])
    assert [message.seq for message in last if isinstance(message, Update)] == [newest]


class Device:
    """A socket on which `says` is said, and nothing more."""

    def __init__(self, *says: str) -> None:
        self._says = [{"type": "websocket.receive", "text": one} for one in says]
        self._says.insert(0, {"type": "websocket.connect"})
        self.heard: list[ServerMessage] = []
        self.closed: int | None = None
        scope = {"type": "websocket", "headers": [], "path": "/"}
        self.socket = WebSocket(scope, self._receive, self._send)

    async def _receive(self) -> Message:
        if not self._says:
            await asyncio.Event().wait()
        return self._says.pop(0)

    async def _send(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.heard += _read(message["text"])
        if message["type"] == "websocket.close":
            self.closed = message["code"]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server looks after a moment whether the time for a hello is over."""
    monkeypatch.setattr(server.socket, "HELLO_TIME", 0.01)
    monkeypatch.setattr(server.waking, "TICK", 0.005)


@pytest.mark.usefixtures("soon")
async def test_who_says_nothing_is_hung_up_on_for_the_time_in_which_the_server_was_awake(
    events: EventLog,
):
    clock, device = Clock(), Device()
    rooms = Rooms(events, load_profiles(), clock=clock)
    serving = asyncio.create_task(serve(device.socket, rooms, CODE, GREETING))
    await asyncio.sleep(0.05)
    before = device.closed
    clock.wind(0.01)

    await asyncio.wait_for(serving, 5)
    await rooms.close()

    assert (before, device.closed) == (None, Close.NO_HELLO)


@pytest.mark.usefixtures("soon")
async def test_a_hello_that_was_said_in_time_may_take_the_server_longer():
    class SlowDisk(MemoryLog):
        stores = asyncio.Event()
        waits = asyncio.Event()

        async def append(self, room: str, seq: int, data: bytes) -> None:
            if seq > 1:
                self.waits.set()
                await self.stores.wait()
            await super().append(room, seq, data)

    events, clock, device = SlowDisk(), Clock(), Device(json.dumps(join("Anna")))
    await store_room(events)
    rooms = Rooms(events, load_profiles(), clock=clock)
    serving = asyncio.create_task(serve(device.socket, rooms, CODE, GREETING))
    await events.waits.wait()
    clock.wind(60)
    await asyncio.sleep(0.05)
    events.stores.set()
    async with asyncio.timeout(5):
        while not device.heard:  # noqa: ASYNC110  # the frame comes when it comes
            await asyncio.sleep(0)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await rooms.close()

    assert isinstance(device.heard[0], Welcome)


async def test_everybody_is_told_when_the_server_stops(events: EventLog, tmp_path: Path):
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as address:
        socket = await connect(f"ws://{address}/api/rooms/{CODE}/socket")
        await socket.send(json.dumps(join("Anna")))
        await heard(socket, "welcome")

    assert await closed_with(socket) == Close.RESTARTING


async def test_whoever_is_hung_up_on_is_listened_to_no_longer(events: EventLog):
    rooms = Rooms(events, load_profiles(), clock=Clock())
    gate = asyncio.Event()
    said: list[int] = []

    async def receive() -> Message:
        if not said:
            said.append(0)
            return {"type": "websocket.connect"}
        await asyncio.sleep(0)
        said.append(len(said))
        return {"type": "websocket.receive", "text": f'{{"type":"ping","n":{len(said)}}}'}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            await gate.wait()

    deaf = WebSocket({"type": "websocket", "headers": [], "path": "/"}, receive, send)
    await asyncio.wait_for(serve(deaf, rooms, CODE, GREETING), 5)
    await rooms.close()

    assert len(said) < 2 * ANSWERS_WAITING


async def test_a_claim_watches_until_the_table_has_agreed_and_then_plays_on(host: str):
    token = new_token()
    async with line(host, join("Anna")) as anna, line(host, join("Ben")) as ben:
        await heard(anna, "welcome")
        await heard(ben, "welcome")
        claim = {"type": "claim", "seat": 1, "token": token}
        async with line(host, claim) as new:
            told = {message["type"]: message for message in json.loads(await new.recv())}
            (asked,) = told["proposals"]["proposals"]
            (seen,) = await waiting(ben)
            answer = {"type": "answer", "proposal": seen["id"], "agree": True}
            ask = {"type": "ask", "id": "answer-0", "action": answer}
            await ben.send(json.dumps(ask))
            playing = await heard(new, "table")

            assert (told["table"]["mine"], playing["mine"]) == ([], [1])
            assert asked["sign"] == seen["sign"]
            assert await closed_with(ben) == Close.SEAT_GONE


async def waiting(socket: ClientConnection) -> list[dict[str, object]]:
    """What waits for consent, as soon as something does."""
    while True:
        proposals = (await heard(socket, "proposals"))["proposals"]
        assert isinstance(proposals, list)
        if proposals:
            return proposals


async def test_a_claim_that_cannot_be_is_told_and_another_hello_may_be_said(host: str):
    async with line(host, {"type": "claim", "seat": 1, "token": new_token()}) as socket:
        assert (await heard(socket, "not_seated"))["reason"] == "chair-free"
        await socket.send('{"type":"watch"}')
        await heard(socket, "welcome")


async def test_to_face_before_the_hello_closes_the_line(host: str):
    async with line(host) as socket:
        await socket.send('{"type":"face","seat":0}')
        assert await closed_with(socket) == Close.NO_HELLO


async def test_a_text_that_is_no_text_is_closed_by_the_line_itself(host: str):
    async with line(host, join("Anna")) as socket:
        await heard(socket, "welcome")
        await socket.send(b"\xff", text=True)
        assert await closed_with(socket) == 1007


async def test_the_connections_of_an_address_pay_together_for_what_is_stored(
    events: EventLog, tmp_path: Path
):
    limits = Limits(own_machine=True, changes=Rate(3, 0.001))
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    ready = {"type": "ask", "id": "ask-0001", "action": {"type": "set_ready", "ready": True}}
    async with (
        served(app) as host,
        line(host, join("Anna")) as anna,
        line(host, join("Ben")) as ben,
    ):
        for socket in (anna, ben):
            await heard(socket, "welcome")
        await anna.send(json.dumps(ready))
        assert (await heard(anna, "done"))["seq"] == 4
        await ben.send(json.dumps(ready))
        assert (await heard(ben, "refused"))["reason"] == "too-many"
        async with line(host, join("Carla")) as carla:
            assert (await heard(carla, "not_seated"))["reason"] == "too-many"

    assert len(await events.read(CODE)) == 4


class TestADamagedLog:
    @pytest.fixture
    async def events(self) -> EventLog:
        class Mended(MemoryLog):
            async def mended(self, room: str) -> int | None:
                entries = len(await self.read(room))
                return entries if entries == 1 else None

        events = Mended()
        await store_room(events)
        return events

    async def test_the_welcome_says_where_the_room_goes_on_until_it_does(self, host: str):
        async with line(host, {"type": "watch"}) as first:
            assert (await heard(first, "welcome"))["restored"] == 1
            async with line(host, join("Anna")) as anna:
                assert (await heard(anna, "welcome"))["restored"] is None
            async with line(host, {"type": "watch"}) as later:
                assert (await heard(later, "welcome"))["restored"] is None


async def test_so_many_look_on_in_a_room(events: EventLog, tmp_path: Path):
    limits = Limits(own_machine=True, watchers=WATCHERS + 9)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host, AsyncExitStack() as stack:
        for _ in range(WATCHERS):
            watcher = await stack.enter_async_context(line(host, {"type": "watch"}))
            await heard(watcher, "welcome")
        async with line(host, {"type": "watch"}) as further:
            assert await closed_with(further) == Close.FULL
        async with line(host, join("Anna")) as player:
            await heard(player, "welcome")


async def test_of_an_address_so_many_look_on_and_whoever_sits_is_none_of_them(
    events: EventLog, tmp_path: Path
):
    limits = Limits(own_machine=True, watchers=1)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    async with served(app) as host, line(host, {"type": "watch"}) as watcher:
        await heard(watcher, "welcome")
        async with line(host, {"type": "watch"}) as further:
            assert await closed_with(further) == Close.FULL
        async with line(host, join("Anna")) as anna, line(host, join("Ben")) as ben:
            await heard(anna, "welcome")
            await heard(ben, "welcome")


async def test_who_looks_on_makes_way_for_a_player_who_comes_back(events: EventLog, tmp_path: Path):
    limits = Limits(own_machine=True, all_connections=8)
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path), limits)
    hers = new_token()
    async with served(app) as host, AsyncExitStack() as stack:
        async with line(host, join("Anna", hers)) as anna:
            await heard(anna, "welcome")
        watchers = []
        for _ in range(7):
            watcher = await stack.enter_async_context(line(host, {"type": "watch"}))
            await heard(watcher, "welcome")
            watchers.append(watcher)
        async with line(host, {"type": "resume", "tokens": [hers]}) as anna:
            await heard(anna, "welcome")
            assert await closed_with(watchers[-1]) == Close.FULL
