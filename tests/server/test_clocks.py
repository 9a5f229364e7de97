import asyncio

from msgspec.structs import replace

from engine.cards import Seat
from engine.state import Exchanging, Room
from server.clocks import PUT_OFF, Alarm, Clocks
from tests.engine.agreeing import Agreeing
from tests.server.clock import Clock
from tests.support import BIDDING_3, RU_3


def room_between() -> Room:
    return Agreeing(RU_3).room


def exchanging(seconds: int) -> Agreeing:
    """A declarer who has so many seconds to lay away."""
    assert BIDDING_3.exchange is not None
    rules = replace(BIDDING_3, exchange=replace(BIDDING_3.exchange, discard_seconds=seconds))
    table = Agreeing(rules, dealer="C")
    table.deals()
    table.does("A bid 120", "B pass", "C pass", "A take")
    assert isinstance(table.phase, Exchanging)
    return table


def test_deal_3_after_the_dealers_time_alone_anybody_deals():
    clock = Clock()
    clocks = Clocks(clock, dealer_alone=10.0)
    clocks.follow(room_between())
    assert clocks.next_end == clock() + 10

    opened = []
    for seconds in (9.9, 0.1):
        clock.wind(seconds)
        clocks.look()
        opened.append(clocks.anybody_deals)

    assert opened == [False, True]
    assert clocks.next_end is None


def test_exch_7_who_sits_where_is_no_new_phase():
    clock = Clock()
    clocks, table = Clocks(clock, dealer_alone=10.0), exchanging(40)
    clocks.follow(table.room)
    ends = clocks.discard_ends
    clock.wind(5)
    table.hands_over("B", "other")

    clocks.follow(table.room)

    assert clocks.discard_ends == ends == clock() + 35


def test_exch_7_no_clock_runs_out_on_an_empty_chair():
    clock = Clock()
    clocks, table = Clocks(clock, dealer_alone=10.0), exchanging(40)
    clocks.follow(table.room)
    table.kicks("A")
    clocks.follow(table.room)
    clock.wind(60)
    assert not clocks.discard_is_over()
    table.lets_in("A", "Nora", "nora")

    clocks.follow(table.room)

    assert clocks.discard_ends == clock() + 40


def test_exch_7_a_clock_that_came_to_nothing_is_put_off():
    clock = Clock()
    clocks = Clocks(clock, dealer_alone=10.0)
    clocks.follow(exchanging(40).room)
    clock.wind(40)

    assert clocks.discard_is_over()
    assert not clocks.discard_is_over()
    clock.wind(PUT_OFF)
    assert clocks.discard_is_over()


def test_where_nobody_has_to_hurry_no_clock_runs():
    clocks = Clocks(Clock(), dealer_alone=10.0)

    clocks.follow(exchanging(0).room)

    assert clocks.next_end is None
    assert exchanging(0).room.players[Seat(0)] is not None


async def test_only_the_last_setting_of_an_alarm_counts():
    rung: list[str] = []
    clock = Clock()
    alarm = Alarm(clock, lambda: rung.append("x"))

    alarm.set(clock() - 5)
    alarm.set(clock() + 60)
    await asyncio.sleep(0.01)
    assert rung == []
    alarm.set(clock())
    await asyncio.sleep(0.01)
    assert rung == ["x"]
    alarm.set(clock())
    alarm.set(None)
    await asyncio.sleep(0.01)

    assert rung == ["x"]
