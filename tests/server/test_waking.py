"""The server's clock while the server does not run, and what rings by it."""

import asyncio
import time

import pytest

from server import waking
from server.waking import STALL, TICK, Alarm, WakingClock, waking_timeout
from tests.server.clock import Clock


class Machine:
    """Real time, and a loop that ticks while it is awake."""

    def __init__(self) -> None:
        self.time = 5000.0
        self.clock = WakingClock(lambda: self.time)
        self.began = self.clock()

    def runs(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            self.time += TICK
            self.clock.tick()

    def stands_still(self, seconds: float) -> None:
        self.time += seconds

    @property
    def shown(self) -> float:
        return self.clock() - self.began

    @property
    def woke(self) -> float:
        return self.clock.woke - self.began


def test_while_the_loop_is_alive_its_seconds_are_counted():
    machine = Machine()
    machine.runs(60)
    machine.stands_still(STALL)

    before = machine.shown
    machine.clock.tick()

    assert before == machine.shown == 60 + STALL
    assert machine.woke == 0


@pytest.mark.parametrize("seconds", [STALL + 0.01, 35, 9 * 3600])
def test_however_long_the_loop_stands_still_that_is_no_time(seconds: float):
    machine = Machine()
    machine.runs(60)
    machine.stands_still(seconds)

    asleep = (machine.shown, machine.woke)  # before anything ticked
    machine.clock.tick()
    awake = (machine.shown, machine.woke)
    machine.runs(10)

    assert [asleep, awake] == [(60, 60)] * 2
    assert (machine.shown, machine.woke) == (70, 60)


def test_the_clock_never_goes_back():
    machine, shown = Machine(), []
    for seconds in (0.9, 0.05, 0.04, 35, 0, 0.9, 0.2, 3):
        machine.stands_still(seconds)
        shown.append(machine.shown)
        if seconds in (0, 3):
            machine.clock.tick()

    assert shown == sorted(shown)


def test_one_waking_after_the_other_is_told():
    machine = Machine()
    for _ in range(3):
        machine.runs(5)
        machine.stands_still(2)
        machine.clock.tick()

    assert (machine.shown, machine.woke) == (15, 15)


@pytest.mark.usefixtures("in_no_time")
async def test_it_ticks_by_itself_from_its_start_to_its_stop():
    machine = Machine()
    machine.stands_still(3600)
    machine.clock.start()
    started = machine.shown
    machine.stands_still(STALL)
    while machine.clock() == machine.clock.woke:  # noqa: ASYNC110  # nothing else tells
        await asyncio.sleep(0.001)
    machine.clock.stop()

    machine.stands_still(3600)
    await asyncio.sleep(0.02)

    assert started == 0
    assert machine.woke == STALL


@pytest.fixture
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop ticks more often than anybody could wait for."""
    monkeypatch.setattr(waking, "TICK", 0.002)


async def rung(moments: list[float]) -> list[float]:
    """The moments to which alarms rang, once one has."""
    while not moments:  # noqa: ASYNC110  # nothing else tells
        await asyncio.sleep(0.001)
    return moments


@pytest.mark.usefixtures("in_no_time")
async def test_an_alarm_rings_once_and_says_for_which_moment():
    clock, moments = Clock(), list[float]()
    alarm = Alarm(clock, moments.append)
    alarm.set(clock() - 5)
    await rung(moments)
    await asyncio.sleep(0.02)

    assert moments == [clock() - 5]
    alarm.set(clock() - 5)
    moments.clear()
    assert await rung(moments) == [clock() - 5]


@pytest.mark.usefixtures("in_no_time")
async def test_only_the_last_setting_of_an_alarm_counts():
    clock, moments = Clock(), list[float]()
    first, second = Alarm(clock, moments.append), Alarm(clock, moments.append)

    first.set(clock() - 5)
    first.set(clock() + 60)
    second.set(clock() - 4)
    second.set(clock() - 4)
    assert await rung(moments) == [clock() - 4]
    second.set(clock() - 3)
    second.cancel()
    await asyncio.sleep(0.02)

    assert moments == [clock() - 4]
    first.cancel()


@pytest.mark.usefixtures("in_no_time")
async def test_an_alarm_waits_for_a_clock_that_stands_still():
    clock, moments = Clock(), list[float]()
    alarm = Alarm(clock, moments.append)
    alarm.set(clock() + 0.001)
    await asyncio.sleep(0.03)
    assert moments == []

    clock.wind(0.001)

    assert await rung(moments) == [clock()]


@pytest.mark.usefixtures("in_no_time")
async def test_what_lay_in_a_socket_while_the_loop_stood_still_is_read_before_an_alarm_rings():
    clock, happened = Clock(), list[str]()
    said = asyncio.Event()

    async def answers(came: asyncio.StreamReader, line: asyncio.StreamWriter) -> None:
        await came.readline()
        happened.append("read")
        line.close()
        said.set()

    server = await asyncio.start_server(answers, "127.0.0.1", 0)
    _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    alarm = Alarm(clock, lambda _at: happened.append("rung"))
    alarm.set(clock() + 0.01)
    clock.wind(1)
    writer.write(b"I am here\n")

    time.sleep(0.1)  # noqa: ASYNC251  # so the loop stands still
    async with server:
        await said.wait()
        while len(happened) < 2:  # noqa: ASYNC110  # nothing else tells
            await asyncio.sleep(0.001)

    writer.close()
    assert happened == ["read", "rung"]


@pytest.mark.usefixtures("in_no_time")
async def test_who_is_waited_for_has_the_seconds_for_which_the_server_was_awake():
    clock = Clock()

    async def says_nothing() -> None:
        async with waking_timeout(clock, 5):
            clock.wind(5)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await says_nothing()
    async with waking_timeout(clock, 0.001):
        await asyncio.sleep(0.03)
    async with waking_timeout(clock, 0.001):
        clock.wind(5)
