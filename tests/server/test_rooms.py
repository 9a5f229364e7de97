import asyncio
from contextlib import asynccontextmanager
from typing import Any

import pytest

import server.rooms
import server.waking
from engine.rejections import Reason
from server.identity import read_code
from server.log import LogFailed, MemoryLog, Stored
from server.profiles import load_profiles
from server.protocol import Close, EndGame, Join, Presence
from server.room_log import RoomFailed, RoomStopped
from server.rooms import CODES_TRIED, FORGOTTEN_KEPT, NoCodeLeft, Rooms
from server.waking import WakingClock
from tests.server.games import TOKENS, dealt, keep, stored
from tests.server.phones import CODE, Phone, new_token, seated, store_room
from tests.support import DE_3


@asynccontextmanager
async def house(events: MemoryLog | None = None, *, idle: float = 300.0):
    clock = WakingClock()
    clock.start()
    rooms = Rooms(events or MemoryLog(), load_profiles(), clock=clock, idle=idle)
    try:
        yield rooms
    finally:
        await rooms.close()
        clock.stop()


@pytest.fixture
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has run out is judged a moment later."""
    monkeypatch.setattr(server.waking, "TICK", 0.005)


async def test_a_room_is_stored_when_it_is_opened_and_found_by_its_code():
    events = MemoryLog()
    async with house(events) as rooms:
        code = await rooms.open(DE_3)
        keeper = await rooms.find(code)

        assert read_code(code) == code
        assert len(await events.read(code)) == 1
        assert keeper is not None
        assert keeper.state.profile == DE_3


async def test_there_is_no_room_that_nobody_opened():
    async with house() as rooms:
        assert await rooms.find("KVRT") is None
        assert len(rooms) == 0


async def test_a_room_is_loaded_from_the_log_when_somebody_asks_for_it():
    events = MemoryLog()
    async with house(events) as rooms:
        code = await rooms.open(DE_3)
        keeper = await rooms.find(code)
        assert keeper is not None
        assert await keeper.admit(Join(name="Anna", token=(token := new_token()))) is None
    async with house(events) as rooms:
        keeper = await rooms.find(code)

        assert keeper is not None
        assert keeper.seat_of(token) is not None


async def test_all_who_ask_at_once_get_the_same_keeper():
    events = MemoryLog()
    await store_room(events)
    async with house(events) as rooms:
        keepers = await asyncio.gather(*(rooms.find(CODE) for _ in range(20)))

        assert len({id(keeper) for keeper in keepers}) == 1


@pytest.mark.usefixtures("in_no_time")
async def test_a_room_nobody_looks_at_is_let_go_and_found_again():
    events = MemoryLog()
    await store_room(events)
    async with house(events, idle=0.02) as rooms:
        first = await rooms.find(CODE)
        assert first is not None
        late = Phone(first)
        async with asyncio.timeout(5):
            while len(rooms):  # noqa: ASYNC110  # nothing else tells
                await asyncio.sleep(0.001)
        assert late.outbox.closing is Close.IDLE

        again = await rooms.find(CODE)

        assert again is not None
        assert again is not first


@pytest.mark.usefixtures("in_no_time")
async def test_a_room_with_somebody_at_its_door_is_kept():
    events = MemoryLog()
    await store_room(events)
    async with house(events, idle=0.02) as rooms:
        keeper = await rooms.find(CODE)
        assert keeper is not None
        keeper.visitors += 1
        await asyncio.sleep(0.1)

        assert len(rooms) == rooms.connections == 1


async def test_however_many_rooms_are_looked_up_so_many_stay_in_memory(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(server.rooms, "RESTING", 3)
    async with house() as rooms:
        codes = [await rooms.open(DE_3) for _ in range(9)]
        played, left, *others = codes
        here = await rooms.find(played)
        was_here = await rooms.find(left)
        assert here is not None
        assert was_here is not None
        here.visitors += 1
        for code in others[:3]:
            await rooms.find(code)
        assert await rooms.find(played) is here
        assert len(rooms) == 4

        back = await rooms.find(left)
        assert back is not None
        for code in others[3:5]:
            await rooms.find(code)
        rooms.rest(back)
        for code in others[5:]:
            await rooms.find(code)

        assert len(rooms) == 4
        assert await rooms.find(played) is here
        assert await rooms.find(left) is back


async def test_a_room_whose_game_may_go_on_stays_in_memory_however_many_are_looked_up(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(server.rooms, "RESTING", 1)
    events = MemoryLog()
    await keep(events, stored(dealt()))
    async with house(events) as rooms:
        keeper = await rooms.find(CODE)
        assert keeper is not None
        anna, ben = Phone(keeper, TOKENS[0]), Phone(keeper, TOKENS[1])
        await anna.asks(EndGame())
        await ben.answers(agree=True)
        for _ in range(3):
            await rooms.find(await rooms.open(DE_3))

        assert rooms.covers(CODE, 1)


async def test_whoever_comes_and_goes_again_and_again_leaves_one_timer(
    monkeypatch: pytest.MonkeyPatch,
):
    loop, timers = asyncio.get_running_loop(), list[asyncio.TimerHandle]()
    set_timer = loop.call_later

    def call_later(*when_and_what: Any) -> asyncio.TimerHandle:
        timers.append(set_timer(*when_and_what))
        return timers[-1]

    monkeypatch.setattr(loop, "call_later", call_later)
    events = MemoryLog()
    await store_room(events)
    async with house(events) as rooms:
        keeper = await rooms.find(CODE)
        assert keeper is not None
        for _ in range(100):
            rooms.rest(keeper)

        waiting = [timer for timer in timers if not timer.cancelled()]
        assert len(waiting) == 3  # this, the next look around, and the clock's tick
    assert all(timer.cancelled() for timer in timers)


async def test_a_broken_log_stops_its_room_and_no_other():
    events = MemoryLog()
    await store_room(events)
    await events.append("BADX", 1, b"{}")
    async with house(events) as rooms:
        with pytest.raises(RoomStopped):
            await rooms.find("BADX")

        assert await rooms.find(CODE) is not None


async def test_phones_are_told_when_the_server_restarts():
    events = MemoryLog()
    await store_room(events)
    async with house(events) as rooms:
        keeper = await rooms.find(CODE)
        assert keeper is not None
        phone = Phone(keeper)

    assert phone.outbox.closing is Close.RESTARTING


async def test_a_log_that_raises_what_it_should_not_stops_its_room_and_no_other():
    class Broken(MemoryLog):
        async def append(self, room: str, seq: int, data: bytes) -> None:
            if seq > 1:
                raise RuntimeError("a bug")
            await super().append(room, seq, data)

    events = Broken()
    await store_room(events)
    async with house(events) as rooms:
        keeper, other = await rooms.find(CODE), await rooms.find(await rooms.open(DE_3))
        assert keeper is not None
        assert other is not None
        phone, elsewhere = Phone(keeper), Phone(other)
        joins = [keeper.admit(Join(name="Anna", token=new_token())) for _ in range(4)]
        answers = await asyncio.wait_for(asyncio.gather(*joins, return_exceptions=True), 5)

        assert answers[:3] == [Reason.FAILED] * 3
        assert isinstance(answers[3], RoomStopped)
        assert phone.outbox.closing is Close.FAILED
        assert elsewhere.outbox.closing is None
        with pytest.raises(RoomStopped):
            await keeper.admit(Join(name="Late", token=new_token()))


async def test_a_room_that_cannot_be_loaded_is_not_read_again_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    class Counting(MemoryLog):
        reads = 0

        async def read(self, room: str, *asked: int) -> list[Stored]:
            self.reads += 1
            return await super().read(room, *asked)

    events = Counting()
    await events.append("BADX", 1, b"{}")
    async with house(events) as rooms:
        for _ in range(9):
            with pytest.raises(RoomStopped, match="BADX"):
                await rooms.find("BADX")
        assert events.reads == 1
        assert len(caplog.records) == 1

        monkeypatch.setattr("server.rooms.STOPPED_FOR", 0.0)
        await rooms.forget("BADX")
        await store_room(events, code="LATE")
        await events.append("LATE", 2, b"{}")
        for _ in range(2):
            with pytest.raises(RoomStopped):
                await rooms.find("LATE")
        assert events.reads == 3


async def test_a_fault_while_a_room_is_loaded_stops_that_room(monkeypatch: pytest.MonkeyPatch):
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    events = MemoryLog()
    await store_room(events)
    async with house(events) as rooms:
        with monkeypatch.context() as patch:
            patch.setattr("server.clocks.Clocks.follow", fails)
            with pytest.raises(RoomFailed):
                await rooms.find(CODE)
        with pytest.raises(RoomFailed):
            await rooms.find(CODE)

        assert await rooms.find(await rooms.open(DE_3)) is not None


async def test_a_house_whose_codes_are_used_up_opens_no_room_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    tried = list[str]()

    def new_code() -> str:
        tried.append(CODE)
        return CODE

    monkeypatch.setattr("server.rooms.new_code", new_code)
    async with house() as rooms:
        assert await rooms.open(DE_3) == CODE
        tried.clear()
        with pytest.raises(NoCodeLeft):
            await rooms.open(DE_3)
        assert len(tried) == CODES_TRIED

        await rooms.forget(CODE)
        with pytest.raises(NoCodeLeft):  # somebody may still have it open
            await rooms.open(DE_3)
    assert "in use" in caplog.text


async def test_a_new_room_is_not_stopped_by_what_stopped_the_one_before_it(
    monkeypatch: pytest.MonkeyPatch,
):
    events = MemoryLog()
    await events.append(CODE, 1, b"{}")
    monkeypatch.setattr("server.rooms.new_code", lambda: CODE)
    async with house(events) as rooms:
        with pytest.raises(RoomStopped):
            await rooms.find(CODE)
        await events.forget(CODE)  # by whoever runs the server

        assert await rooms.open(DE_3) == CODE
        assert await rooms.find(CODE) is not None


async def test_of_the_codes_of_forgotten_rooms_the_latest_are_not_given_again(
    monkeypatch: pytest.MonkeyPatch,
):
    codes = [f"{n:04}" for n in range(FORGOTTEN_KEPT + 1)]
    async with house() as rooms:
        for code in codes:
            await rooms.forget(code)

        given = iter([codes[-1], codes[1], codes[0]])
        monkeypatch.setattr("server.rooms.new_code", lambda: next(given))
        assert await rooms.open(DE_3) == codes[0]


async def test_a_log_that_cannot_be_read_is_no_reason_to_say_there_is_no_room():
    class Unreadable(MemoryLog):
        async def read(self, room: str, *asked: int) -> list[Stored]:
            raise LogFailed(f"a bad sector in {room} after {asked}")

    async with house(Unreadable()) as rooms:
        with pytest.raises(LogFailed):
            await rooms.find(CODE)


async def test_a_room_that_is_forgotten_is_gone_for_who_is_there_and_who_comes():
    events = MemoryLog()
    await store_room(events)
    async with house(events) as rooms:
        keeper = await rooms.find(CODE)
        assert keeper is not None
        watcher = Phone(keeper)
        await watcher.hears()

        await rooms.forget(CODE)

        assert await watcher.outbox.frame() is None
        assert watcher.outbox.closing is Close.NO_SUCH_ROOM
        assert await rooms.find(CODE) is None
        assert await events.read(CODE) == []
        assert len(rooms) == 0


async def test_a_room_that_is_forgotten_while_it_is_loaded_is_gone_too():
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    class Slow(MemoryLog):
        async def read(self, room: str, *asked: int) -> list[Stored]:
            found = await super().read(room, *asked)
            has_read.set()
            await goes_on.wait()
            return found

    events = Slow()
    await store_room(events)
    async with house(events) as rooms:
        loading = asyncio.create_task(rooms.find(CODE))
        await has_read.wait()

        await rooms.forget(CODE)

        goes_on.set()
        assert await loading is None
        assert len(rooms) == 0


async def test_the_code_of_a_room_that_is_forgotten_is_not_given_again(monkeypatch):
    events = MemoryLog()
    codes = iter([CODE, CODE, "ABCD"])
    monkeypatch.setattr("server.rooms.new_code", lambda: next(codes))
    async with house(events) as rooms:
        assert await rooms.open(DE_3) == CODE
        await rooms.forget(CODE)

        assert await rooms.open(DE_3) == "ABCD"


async def test_a_room_that_could_not_be_forgotten_goes_on():
    class Full(MemoryLog):
        async def forget(self, room: str) -> None:
            raise LogFailed(f"{room} stays")

    events = Full()
    await store_room(events)
    async with house(events) as rooms:
        with pytest.raises(LogFailed):
            await rooms.forget(CODE)

        assert await rooms.find(CODE) is not None


async def test_a_room_that_cannot_be_looked_at_does_not_end_the_look_around(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("server.rooms.LOOK_EVERY", 0.01)
    monkeypatch.setattr("server.presence.QUIET_AFTER", 0.1)
    async with house() as rooms:
        broken = await rooms.find(await rooms.open(DE_3))
        whole = await rooms.find(await rooms.open(DE_3))
        assert broken is not None
        assert whole is not None
        broken.close(Close.RESTARTING)
        (anna,) = await seated(whole, "Anna")

        while anna.last(Presence).players[0] == "here" if anna.messages else True:
            await anna.hears()

        assert caplog.text.count(f"room {broken.code}: who is near is not known") == 1
