"""A fault of ours in one ask is one answer: whatever call of our own code raises, once.

What is tried here is the fault itself, so our code is made to raise: at the n-th call that the room
makes for an ask, whichever that is. Nobody lists the calls, nor the wishes.
"""

import asyncio
import logging
import random
import sys
from pathlib import Path
from types import FrameType
from typing import Any, Self, get_args

import msgspec
import pytest
from starlette.types import Message
from starlette.websockets import WebSocket

from engine.commands import SetReady
from engine.events import GameWon
from engine.history import Past, past_of
from engine.rejections import Reason
from engine.views import Viewer, game_view, sheet_view, table_view
from server import shown
from server.chairs import seat_of
from server.log import Conflict, EventLog, LogFailed, MemoryLog, Stored
from server.log.codec import entries_of
from server.profiles import load_profiles
from server.protocol import (
    PROTOCOL,
    Ask,
    Close,
    Done,
    EndGame,
    Hello,
    Join,
    NotSeated,
    Presence,
    Proposals,
    Refused,
    ServerMessage,
    Settled,
    Sheet,
    Table,
    Talk,
    Update,
    Watch,
    Welcome,
    Wish,
)
from server.room import FAULTS, RoomKeeper
from server.room_log import RoomFailed, RoomStopped
from server.room_writer import TRIES
from server.rooms import Rooms
from server.shown import Scene
from server.socket import serve
from server.waking import WakingClock
from tests.server.clock import Clock
from tests.server.games import kept
from tests.server.occasions import (
    Device,
    Occasion,
    granted_by_the_rules,
    granted_by_the_table,
    table,
)
from tests.server.phones import CODE, Phone, dealt, new_token, passes, running, seated, store_room
from tests.support import A

ROOT = Path(__file__).parents[2]
OURS = (str(ROOT / "engine"), str(ROOT / "server"))

KEEPS = {
    *("run", "_goes_well", "_answer", "_admit", "_run"),
    *("serve", "_read", "_write", "_frame_to_send"),
}
"""What holds a fault in; nothing of our own holds it."""

BEFORE = {"open", "__init__", "<genexpr>"}
"""What that does first. A generator that is let go raises to nobody."""

CALLS = 16
"""Calls of each ask that are made to fail, by chance."""

SEED = random.randrange(10**6)


@pytest.fixture(autouse=True)
def _seed() -> None:
    print(f"seed {SEED}")  # noqa: T201


class Fault:
    """In every task but this one, call number `at` of our own code raises."""

    def __init__(self, at: int = 0) -> None:
        self.at = at
        self.calls = 0
        self.where = ""

    def __enter__(self) -> Self:
        self._mine, self._before = asyncio.current_task(), sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._before)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not _is_ours(frame):
            return
        if asyncio.current_task() in (None, self._mine):
            return
        self.calls += 1
        if self.calls == self.at:
            self.where = f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"
            raise RuntimeError("a fault")


def _is_ours(frame: FrameType) -> bool:
    """Whether it is code of ours that has somebody above it to hold what it raises."""
    names = (one.f_code.co_name for one in (frame, frame.f_back) if one is not None)
    return frame.f_code.co_filename.startswith(OURS) and (KEEPS | BEFORE).isdisjoint(names)


async def works() -> None:
    """The room has done what waits: a log in memory is never waited for."""
    for _ in range(50):
        await asyncio.sleep(0)


async def drained(phone: Phone) -> None:
    """The phone has heard what waits, up to its end."""
    while not phone.outbox.closing and await phone.catches_up():
        pass
    if phone.outbox.closing:
        while (frame := await phone.outbox.frame()) is not None:
            phone._heard(frame)  # noqa: SLF001


def traces(caplog: pytest.LogCaptureFixture) -> int:
    """How often a fault was written down with where it happened."""
    ours = (record for record in caplog.records if record.name.startswith("server"))
    return sum(record.exc_info is not None for record in ours)


async def truth(events: EventLog) -> Past:
    return past_of(entries_of(await kept(events, CODE)))


async def assert_all_see(events: EventLog, keeper: RoomKeeper, *phones: Phone) -> None:
    """Whoever is not hung up on has on the screen what the log folds to."""
    past = await truth(events)
    assert past.room is not None
    assert keeper.state == past.room
    for phone in phones:
        await drained(phone)
        if phone.outbox.closing:
            continue
        viewer, update = seat_of(past.room, phone.attendee.facing), phone.last(Update)
        assert (update.seq, update.game) == (past.seq, game_view(past.room, viewer))
        assert phone.last(Table).table == table_view(past.room, viewer)
        assert phone.last(Sheet).sheet == sheet_view(past.room, past.taken_back)
        assert [one.id for one in phone.last(Proposals).proposals] == open_in(keeper)


def open_in(keeper: RoomKeeper) -> list[str]:
    return [proposal.id for proposal in keeper._talk.open]  # noqa: SLF001


async def occasions(kind: type) -> list[Occasion]:
    if kind not in get_args(Talk):
        return [granted_by_the_rules(kind)]
    found = await granted_by_the_table()
    return [occasion for (said, _), occasion in found.items() if said is kind]


@pytest.mark.parametrize("kind", get_args(Wish), ids=lambda kind: kind.__name__)
async def test_whatever_raises_the_asker_has_one_answer_and_the_table_plays_on(
    kind: type, caplog: pytest.LogCaptureFixture
):
    chance = random.Random(SEED)
    for occasion in await occasions(kind):
        calls = await answered_once(occasion, 0, caplog)
        assert calls > CALLS
        for at in {1, calls, *chance.sample(range(1, calls + 1), CALLS)}:
            await answered_once(occasion, at, caplog)


async def answered_once(occasion: Occasion, at: int, caplog: pytest.LogCaptureFixture) -> int:
    """How many calls the ask took, of which the one numbered `at` raised; 0: none."""
    caplog.clear()
    events = MemoryLog()
    async with table(events, occasion.log, occasion.first) as (keeper, devices):
        asker = devices[occasion.said.seat]
        ask = Ask(id="asked-once", action=asker.wish(occasion.said))
        seq, proposals, (key,) = keeper.seq, open_in(keeper), asker.attendee.keys
        settled = [len(device.all(Settled)) for device in devices]

        with Fault(at) as fault:
            await keeper.ask(asker.attendee, ask)
            await works()
        await assert_all_see(events, keeper, *devices)
        answers = [one for one in asker.all(Done) + asker.all(Refused) if one.id == ask.id]

        where = f"seed {SEED}: {occasion.said.kind.__name__}, call {at}: {fault.where}"
        assert len(answers) == 1, where
        if keeper.seq > seq:
            assert keeper.seq == seq + 1, where
            assert answers == [Done(id=ask.id, seq=keeper.seq)], where
        elif isinstance(answers[0], Refused):
            assert answers[0].reason is Reason.FAILED, where
            assert open_in(keeper) == proposals, where
            assert [len(one.all(Settled)) for one in devices] == settled, where
            assert fault.where, where
        assert traces(caplog) == bool(fault.where), where
        hung_up = [one for one in devices if one.outbox.closing is Close.FAILED]
        assert len(hung_up) <= bool(fault.where), where

        back, now = Device(keeper, key), keeper.seq
        assert await back.asks(ask.action, ask.id) == answers[0], where
        assert keeper.seq == now, where
        later = await back.asks(ask.action)
        assert later != Refused(id=later.id, reason=Reason.FAILED), where
        await assert_all_see(events, keeper, back, *devices)
    return fault.calls


# What is stored, and how the log may fail at it.


class Breaking(MemoryLog):
    """A log at which an append fails as no log should: before or after it has stored."""

    def __init__(self) -> None:
        super().__init__()
        self.breaks: str | None = None

    async def append(self, room: str, seq: int, data: bytes) -> None:
        breaks, self.breaks = self.breaks, None
        if breaks == "before":
            raise RuntimeError("a fault")
        await super().append(room, seq, data)
        if breaks == "after":
            raise RuntimeError("a fault")


@pytest.mark.parametrize("breaks", ["before", "after"])
async def test_a_log_that_raises_what_it_should_not_is_asked_what_it_has(
    breaks: str, caplog: pytest.LogCaptureFixture
):
    events, stored = Breaking(), breaks == "after"
    await store_room(events)
    async with running(events) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        events.breaks = breaks
        answer = await anna.asks(SetReady(ready=True), "ready-00")
        again = await anna.asks(SetReady(ready=True), "ready-00")

        assert (
            answer
            == again
            == (
                Done(id="ready-00", seq=4)
                if stored
                else Refused(id="ready-00", reason=Reason.FAILED)
            )
        )
        assert len(await kept(events, CODE)) == 3 + stored
        assert traces(caplog) == 1
        await assert_all_see(events, keeper, anna, ben)
        assert isinstance(await ben.asks(SetReady(ready=True)), Done)


async def test_facts_that_do_not_fit_are_a_fault_and_are_not_stored(
    monkeypatch: pytest.MonkeyPatch,
):
    events = MemoryLog()
    await store_room(events)
    async with running(events) as keeper:
        (anna,) = await seated(keeper, "Anna")
        with monkeypatch.context() as patch:
            patch.setattr("server.room_writer.decide", lambda *_: (GameWon(winners=(A,)),))
            answer = await anna.asks(SetReady(ready=True))

        assert answer == Refused(id=answer.id, reason=Reason.FAILED)
        assert len(await kept(events, CODE)) == 2
        assert isinstance(await anna.asks(SetReady(ready=True)), Done)


# Arrivals.


def hello_of(kind: type, token: str) -> Hello:
    """A hello of `kind`, by a device that sits with `token` where a hello can say so."""
    said: dict[str, Any] = {"seat": 1, "name": "Nora", "token": new_token(), "tokens": (token,)}
    fields = kind.__struct_fields__  # type: ignore[attr-defined]
    return kind(**{name: said[name] for name in fields if name in said})  # type: ignore[no-any-return]


class Line:
    """A connection without a network: what is said on it, and what came back."""

    def __init__(self, rooms: Rooms, hello: Hello) -> None:
        self.said: asyncio.Queue[Message] = asyncio.Queue()
        self.heard: list[ServerMessage] = []
        self.closed: int | None = None
        self.say({"type": "websocket.connect"})
        self.say({"type": "websocket.receive", "text": msgspec.json.encode(hello).decode()})
        socket = WebSocket(
            {"type": "websocket", "headers": [], "path": "/"}, self.said.get, self._hears
        )
        greeting = Welcome(protocol=PROTOCOL, build="b", epoch="e", code=CODE, url="http://k")
        self.serving = asyncio.create_task(serve(socket, rooms, CODE, greeting))

    def say(self, message: Message) -> None:
        self.said.put_nowait(message)

    def last(self, kind: type[Any]) -> Any:
        return next((one for one in reversed(self.heard) if isinstance(one, kind)), None)

    async def _hears(self, message: Message) -> None:
        if message["type"] == "websocket.send":
            self.heard += msgspec.json.decode(message["text"], type=list[ServerMessage])
        elif message["type"] == "websocket.close":
            self.closed = message["code"]

    async def ends(self) -> None:
        self.say({"type": "websocket.disconnect", "code": 1001})
        await self.serving


@pytest.mark.parametrize("kind", get_args(Hello), ids=lambda kind: kind.__name__)
async def test_whatever_raises_at_a_hello_the_others_play_on_and_it_can_be_said_again(
    kind: type, caplog: pytest.LogCaptureFixture
):
    chance = random.Random(SEED)
    calls = await greeted(kind, 0, caplog)
    assert calls > CALLS
    for at in {1, calls, *chance.sample(range(1, calls + 1), CALLS)}:
        await greeted(kind, at, caplog)


async def greeted(kind: type, at: int, caplog: pytest.LogCaptureFixture) -> int:
    """How many calls the hello took, of which the one numbered `at` raised; 0: none."""
    caplog.clear()
    events = MemoryLog()
    await store_room(events)
    rooms = Rooms(events, load_profiles(), clock=WakingClock())
    keeper = await rooms.find(CODE)
    assert keeper is not None
    phones = await seated(keeper, "Anna", "Ben")
    watcher, (anna, ben) = Phone(keeper), phones
    hello = hello_of(kind, str(anna.token))

    with Fault(at) as fault:
        line = Line(rooms, hello)
        await works()
    where = f"seed {SEED}: {kind.__name__}, call {at}: {fault.where}"
    past = await truth(events)
    assert past.room is not None
    answer = line.last(NotSeated)
    if line.closed is not None:
        assert (line.closed, bool(fault.where)) == (Close.FAILED, True), where
    elif answer is not None:
        assert (answer.reason, bool(fault.where)) == (Reason.FAILED, True), where
        assert past.seq == 3, where
    else:
        assert line.heard, where
        table = line.last(Table).table
        assert line.last(Update).seq == past.seq, where
        assert table == table_view(past.room, table.me), where
        assert line.last(Presence) is not None, where
    assert traces(caplog) == bool(fault.where), where
    await assert_all_see(events, keeper, ben, watcher, *([anna] if kind is Watch else []))
    await line.ends()

    again = Line(rooms, hello)
    await works()
    assert again.last(Welcome) is not None, where
    assert again.closed is None, where
    assert isinstance(await ben.asks(SetReady(ready=True)), Done), where
    await again.ends()
    await rooms.close()
    return fault.calls


# What time does.


async def test_whatever_raises_when_time_is_up_the_table_plays_on(
    caplog: pytest.LogCaptureFixture,
):
    chance = random.Random(SEED)
    calls = await time_is_up(0, caplog)
    assert calls > CALLS
    for at in {1, calls, *chance.sample(range(1, calls + 1), CALLS)}:
        await time_is_up(at, caplog)


async def time_is_up(at: int, caplog: pytest.LogCaptureFixture) -> int:
    """How many calls it took that a game ended for want of others; number `at` raised."""
    caplog.clear()
    events, clock = MemoryLog(), Clock()
    await store_room(events)
    async with running(events, clock=clock) as keeper:
        anna, *others = await dealt(keeper)
        await passes(clock, keeper, 31, anna)
        await anna.asks(EndGame())
        before = keeper.seq
        clock.wind(25)
        keeper.hear(anna.attendee)

        with Fault(at) as fault:
            keeper.ring(clock())
            await works()

        where = f"seed {SEED}: call {at}: {fault.where}"
        assert keeper.seq in (before, before + 1), where
        assert keeper.seq > before or fault.where, where
        assert traces(caplog) == bool(fault.where), where
        await assert_all_see(events, keeper, anna, *others)
        answer = await anna.asks(EndGame())
        assert answer != Refused(id=answer.id, reason=Reason.FAILED), where
    return fault.calls


async def test_what_always_fails_when_it_is_agreed_to_is_given_up_and_stops_no_room(
    monkeypatch: pytest.MonkeyPatch,
):
    clock = Clock()
    async with running(clock=clock) as keeper:
        anna, *_ = await dealt(keeper)
        await passes(clock, keeper, 31, anna)
        await anna.asks(EndGame())
        monkeypatch.setattr("server.room_writer.decide", _fails)
        for _ in range(2 * FAULTS):
            await passes(clock, keeper, 25, anna)
        monkeypatch.undo()

        assert open_in(keeper) == []
        assert isinstance(await anna.asks(EndGame()), Done)


# Again and again.


def _fails(*_: object) -> None:
    raise RuntimeError("a fault")


async def at_a_table(events: EventLog) -> tuple[Rooms, RoomKeeper, list[Phone]]:
    """A house with one room, in which two sit."""
    await store_room(events)
    rooms = Rooms(events, load_profiles(), clock=WakingClock())
    keeper = await rooms.find(CODE)
    assert keeper is not None
    return rooms, keeper, await seated(keeper, "Anna", "Ben")


async def test_a_room_that_fails_three_times_in_a_row_is_stopped_and_everybody_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    events = MemoryLog()
    rooms, keeper, (anna, ben) = await at_a_table(events)
    with monkeypatch.context() as patch:
        patch.setattr("server.room_writer.decide", _fails)
        answers = [await phone.asks(SetReady(ready=True)) for phone in (anna, ben, anna)]
        await works()

    assert [answer.reason for answer in answers if isinstance(answer, Refused)] == [
        Reason.FAILED
    ] * 3
    assert [phone.outbox.closing for phone in (anna, ben)] == [Close.FAILED] * 2
    last = caplog.records[-1]
    assert (last.levelno, last.exc_info) == (logging.ERROR, None)
    assert last.message.startswith(f"room {CODE} is stopped after entry 3")
    with pytest.raises(RoomFailed):
        await rooms.find(CODE)

    monkeypatch.setattr("server.rooms.STOPPED_FOR", 0.0)
    rooms._stopped[CODE] = (0.0, RoomFailed())  # noqa: SLF001  # the while is over
    again = await rooms.find(CODE)
    assert again is not None
    assert again is not keeper
    assert isinstance(await Phone(again, anna.token).asks(SetReady(ready=True)), Done)
    await rooms.close()


async def test_what_goes_well_between_two_faults_lets_the_room_go_on(
    monkeypatch: pytest.MonkeyPatch,
):
    async with running() as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        for n in range(3 * FAULTS):
            with monkeypatch.context() as patch:
                patch.setattr("server.room_writer.decide", _fails)
                for _ in range(FAULTS - 1):
                    await anna.asks(SetReady(ready=True))

            assert isinstance(await ben.asks(SetReady(ready=bool(n % 2 == 0))), Done)


async def test_an_ask_that_failed_and_is_sent_again_is_no_further_fault(
    monkeypatch: pytest.MonkeyPatch,
):
    async with running() as keeper:
        (anna,) = await seated(keeper, "Anna")
        with monkeypatch.context() as patch:
            patch.setattr("server.room_writer.decide", _fails)
            answers = [await anna.asks(SetReady(ready=True), "ask-0000") for _ in range(9)]

        assert answers == [Refused(id="ask-0000", reason=Reason.FAILED)] * 9
        assert isinstance(await anna.asks(SetReady(ready=True)), Done)


async def test_a_watcher_who_cannot_be_answered_is_hung_up_on_and_the_room_goes_on(
    monkeypatch: pytest.MonkeyPatch,
):
    async with running() as keeper:
        (anna,) = await seated(keeper, "Anna")
        watcher = Phone(keeper)
        monkeypatch.setattr(watcher.outbox, "post", _fails)
        await keeper.ask(watcher.attendee, Ask(id="ask-0000", action=SetReady(ready=True)))
        await works()

        assert watcher.outbox.closing is Close.FAILED
        assert isinstance(await anna.asks(SetReady(ready=True)), Done)


async def test_a_room_that_cannot_be_shown_at_all_is_stopped_and_the_asker_told_the_truth(
    monkeypatch: pytest.MonkeyPatch,
):
    rooms, _, (anna, _) = await at_a_table(MemoryLog())
    monkeypatch.setattr("server.stage.Stage.show", _fails)

    answer = await anna.asks(SetReady(ready=True), "ask-0000")
    await works()

    assert answer == Done(id="ask-0000", seq=4)
    assert anna.outbox.closing is Close.FAILED
    await rooms.close()


async def test_what_fails_once_to_be_shown_to_one_is_shown_to_it_whole(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    events = MemoryLog()
    await store_room(events)
    async with running(events) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        faults = iter([RuntimeError("a fault")])

        def update_of(scene: Scene, viewer: Viewer, *facts: Any) -> Update:
            if viewer == anna.me and (fault := next(faults, None)):
                raise fault
            return shown.update_of(scene, viewer, *facts)

        await anna.catches_up()
        monkeypatch.setattr("server.audience.update_of", update_of)
        assert isinstance(await ben.asks(SetReady(ready=True)), Done)

        assert traces(caplog) == 1
        assert anna.outbox.closing is None
        await assert_all_see(events, keeper, anna, ben)


async def test_whoever_cannot_be_shown_the_room_is_hung_up_on_and_the_others_see_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    events = MemoryLog()
    await store_room(events)
    async with running(events) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        watcher = Phone(keeper)

        def update_of(scene: Scene, viewer: Viewer, *facts: Any) -> Update:
            if viewer == anna.me:
                raise RuntimeError("a fault")
            return shown.update_of(scene, viewer, *facts)

        await anna.catches_up()
        monkeypatch.setattr("server.audience.update_of", update_of)
        assert isinstance(await ben.asks(SetReady(ready=True)), Done)
        assert isinstance(await ben.asks(SetReady(ready=False)), Done)

        await drained(anna)
        assert anna.last(Update).seq == 3
        assert anna.outbox.closing is Close.FAILED
        assert traces(caplog) == 1
        await assert_all_see(events, keeper, ben, watcher)


# The log that is read again.


class Racing(MemoryLog):
    """A log in which somebody else always writes first, or that has lost something."""

    def __init__(self) -> None:
        super().__init__()
        self.tries = 0
        self.races = False
        self.kept: int | None = None
        self.unreadable = False

    async def append(self, room: str, seq: int, data: bytes) -> None:
        self.tries += 1
        if self.races or self.kept is not None or self.unreadable:
            raise Conflict(room, seq)
        await super().append(room, seq, data)

    async def read(self, room: str, *asked: int) -> list[Stored]:
        if self.unreadable:
            raise LogFailed("a bad sector")
        found = await super().read(room, *asked)
        return [one for one in found if self.kept is None or one.seq <= self.kept]


async def test_a_race_that_is_always_lost_ends():
    events = Racing()
    await store_room(events)
    async with running(events) as keeper:
        (anna,) = await seated(keeper, "Anna")
        events.races, events.tries = True, 0

        answer = await anna.asks(SetReady(ready=True))
        assert (answer, events.tries) == (Refused(id=answer.id, reason=Reason.FAILED), TRIES)
        join = Join(name="Ben", token=new_token())
        assert await keeper.admit(join) is Reason.FAILED
        assert events.tries == 2 * TRIES

        events.races = False
        assert isinstance(await anna.asks(SetReady(ready=True)), Done)


@pytest.mark.parametrize("kept", [0, 1, 2])
async def test_a_log_that_has_lost_what_was_shown_ends_the_room(
    kept: int, caplog: pytest.LogCaptureFixture
):
    events = Racing()
    rooms, _, (anna, ben) = await at_a_table(events)
    events.kept = kept

    await anna.keeper.ask(anna.attendee, Ask(id="ask-0000", action=SetReady(ready=True)))
    await works()

    assert [phone.outbox.closing for phone in (anna, ben)] == [Close.ROOM_STOPPED] * 2
    assert caplog.records[-1].message.startswith(f"room {CODE} is stopped")
    with pytest.raises(RoomStopped):
        await rooms.find(CODE)
    await rooms.close()


async def test_a_log_that_cannot_be_read_again_sends_its_phones_away_to_come_back():
    events = Racing()
    rooms, keeper, (anna, _) = await at_a_table(events)
    events.unreadable = True
    await keeper.ask(anna.attendee, Ask(id="ask-0000", action=SetReady(ready=True)))
    await works()
    assert anna.outbox.closing is Close.UNREADABLE

    events.unreadable = False
    again = await rooms.find(CODE)
    assert again is not None
    assert isinstance(await Phone(again, anna.token).asks(SetReady(ready=True), "ask-0000"), Done)
    await rooms.close()
