from math import inf

from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import Act, LayAway
from engine.history import Past
from engine.state import Exchanging
from server.clocks import PUT_OFF, Clocks
from tests.engine.agreeing import Agreeing
from tests.server.clock import Clock
from tests.support import BIDDING_3, RU_3


def clocks_for(table: Agreeing) -> tuple[Clock, Clocks]:
    """The clocks of a room, and the one by which they are wound, ten seconds for the dealer."""
    clock = Clock()
    clocks = Clocks(clock, dealer_alone=10.0)
    clocks.follow(table.past)
    return clock, clocks


def exchanging(seconds: int) -> Agreeing:
    """A declarer who has so many seconds to lay away."""
    assert BIDDING_3.exchange is not None
    rules = replace(BIDDING_3, exchange=replace(BIDDING_3.exchange, discard_seconds=seconds))
    table = Agreeing(rules, dealer="C")
    take_talon(table)
    return table


def take_talon(table: Agreeing) -> None:
    table.deals()
    table.does("A bid 120", "B pass", "C pass", "A take")
    assert isinstance(table.phase, Exchanging)


def lay_away(table: Agreeing) -> None:
    phase = table.phase
    assert isinstance(phase, Exchanging)
    table.obeys(Act(Seat(0), LayAway(phase.hands[0][:2])))


def left(clocks: Clocks, clock: Clock) -> float:
    """Seconds to lay away; infinitely many: no clock runs."""
    return inf if clocks.discard_ends is None else clocks.discard_ends - clock()


def test_deal_3_after_the_dealers_time_alone_anybody_deals():
    clock, clocks = clocks_for(Agreeing(RU_3))
    assert clocks.next_end == clock() + 10

    opened = []
    for seconds in (9.9, 0.1):
        clock.wind(seconds)
        clocks.look(clock())
        opened.append(clocks.anybody_deals)

    assert opened == [False, True]
    assert clocks.next_end is None


def test_deal_3_the_dealers_time_is_that_of_one_dealing_whoever_ends_and_reopens_the_game():
    table = Agreeing(RU_3)
    clock, clocks = clocks_for(table)
    clock.wind(7)
    table.ends("B")
    clocks.follow(table.past)
    ends = [clocks.next_end]
    clock.wind(60)
    table.reopens("A")
    clocks.follow(table.past)
    ends.append(clocks.next_end)

    assert ends == [None, clock() + 3]
    clock.wind(3)
    clocks.look(clock())
    assert clocks.anybody_deals


def test_deal_3_after_a_voided_deal_the_dealer_has_time_alone_again():
    table = Agreeing(RU_3)
    clock, clocks = clocks_for(table)
    clock.wind(10)
    clocks.look(clock())
    table.deals()
    clocks.follow(table.past)
    table.voids("A")

    clocks.follow(table.past)

    assert not clocks.anybody_deals
    assert clocks.next_end == clock() + 10


def test_exch_11_who_sits_where_is_no_new_phase():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    clock.wind(5)
    for seat in "AB":
        table.hands_over(seat, "other" + seat)
        clocks.follow(table.past)

    assert left(clocks, clock) == 35


def test_exch_11_no_clock_runs_out_on_an_empty_chair_and_who_sits_in_has_what_was_left():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    clock.wind(15)
    table.kicks("A")
    clocks.follow(table.past)
    clock.wind(60)
    assert not clocks.discard_is_over(clock())
    table.lets_in("A", "Nora", "nora")

    clocks.follow(table.past)

    assert left(clocks, clock) == 25


def test_exch_11_what_was_used_of_the_time_stays_used_however_often_it_is_taken_back():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    told = []
    for _ in range(3):
        clock.wind(12)
        lay_away(table)
        clocks.follow(table.past)
        assert left(clocks, clock) == inf
        clock.wind(100)
        table.takes_back("A")
        clocks.follow(table.past)
        told.append(left(clocks, clock))

    assert told == [28, 16, 4]
    clock.wind(4)
    assert clocks.discard_is_over(clock())


def test_exch_11_what_was_used_of_the_time_stays_used_when_a_game_is_ended_and_reopened():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    clock.wind(30)
    table.ends("B")
    clocks.follow(table.past)
    assert left(clocks, clock) == inf
    clock.wind(30)
    table.reopens("A")

    clocks.follow(table.past)

    assert left(clocks, clock) == 10


def test_exch_11_the_next_deal_has_the_whole_time_again():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    clock.wind(30)
    table.voids("B")
    clocks.follow(table.past)
    take_talon(table)

    clocks.follow(table.past)

    assert left(clocks, clock) == 40


def test_exch_11_the_log_read_again_gives_no_time_back():
    table = exchanging(40)
    clock, clocks = clocks_for(table)
    clock.wind(30)
    read_again = Past()
    for entry in table.log:
        read_again = read_again.after(entry)

    clocks.follow(read_again)

    assert left(clocks, clock) == 10


def test_exch_7_a_clock_that_came_to_nothing_is_put_off():
    clock, clocks = clocks_for(exchanging(40))
    clock.wind(40)

    assert clocks.discard_is_over(clock())
    assert not clocks.discard_is_over(clock())
    clock.wind(PUT_OFF)
    assert clocks.discard_is_over(clock())


def test_exch_7_what_is_over_since_is_not_over_at_the_moment_that_is_judged():
    clock, clocks = clocks_for(exchanging(40))
    clock.wind(41)

    assert not clocks.discard_is_over(clock() - 2)
    assert clocks.discard_is_over(clock() - 1)


def test_where_nobody_has_to_hurry_no_clock_runs():
    table = exchanging(0)
    _, clocks = clocks_for(table)

    assert clocks.next_end is None
    assert table.room.players[Seat(0)] is not None
