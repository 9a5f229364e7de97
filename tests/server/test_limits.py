"""What an address may do, by a clock that is wound by hand."""

import pytest

from server.limits import Account, Bucket, Limits, Rate, Visitor
from server.strangers import Strangers
from tests.server.clock import Clock

HER = ("192.168.1.20", 50_000)
HIM = ("192.168.1.21", 50_000)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def strangers(clock: Clock) -> Strangers:
    return Strangers(Limits(), clock)


def visitor(strangers: Strangers, client: tuple[str, int]) -> Visitor:
    found = strangers.visitor(client)
    assert found is not None
    return found


def test_a_burst_is_free_and_then_it_flows(clock: Clock):
    bucket = Bucket(Rate(3, 2), clock)

    assert [bucket.take() for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    clock.wind(1.5)
    assert bucket.level == 1
    clock.wind(60)
    assert (bucket.level, bucket.full) == (3, True)


def test_what_would_have_to_be_waited_for_is_not_taken(clock: Clock):
    bucket = Bucket(Rate(1, 0.5), clock)
    bucket.take()

    assert [bucket.wait(), bucket.wait()] == [2, 2]


def test_whoever_mistypes_a_few_times_does_not_notice(strangers: Strangers):
    her = visitor(strangers, HER)
    for _ in range(5):
        assert her.delay == 0
        her.mistaken()


def test_whoever_goes_on_guessing_waits_longer_each_time_up_to_a_limit(strangers: Strangers):
    her = visitor(strangers, HER)
    delays = []
    for _ in range(12):
        her.mistaken()
        delays.append(her.delay)

    assert delays[:9] == pytest.approx([0, 0, 0, 0, 0.1, 0.2, 0.4, 0.8, 1.5])
    assert set(delays[8:]) == {1.5}


def test_whoever_guessed_for_a_day_is_forgiven_in_minutes(strangers: Strangers, clock: Clock):
    her = visitor(strangers, HER)
    for _ in range(80_000):
        her.mistaken()
        clock.wind(1)

    clock.wind(120)
    assert her.delay > 0
    clock.wind(30)
    assert her.delay == 0


def test_one_address_does_not_pay_for_another(strangers: Strangers):
    for _ in range(100):
        visitor(strangers, HER).mistaken()
        visitor(strangers, HER).rooms.take()

    assert visitor(strangers, HER).delay > 0
    assert visitor(strangers, HIM).delay == 0
    assert visitor(strangers, HIM).rooms.full


def test_only_so_many_questions_wait_for_an_address_that_guesses(strangers: Strangers):
    her = visitor(strangers, HER)
    crowded = []
    for mistakes, questions in ((0, 60), (5, 8), (0, 7)):
        for _ in range(mistakes):
            her.mistaken()
        her.questions = questions
        crowded.append(her.crowded)

    assert crowded == [False, True, False]


def test_an_address_has_so_many_bytes_stored_and_then_waits_for_more(clock: Clock):
    account = Account(Limits(stored=Rate(100, 10)), clock)

    account.charge(99, change=False)
    assert account.pays(change=False)
    account.charge(200, change=False)
    assert not account.pays(change=False)
    assert account.wait == pytest.approx(20)
    clock.wind(account.wait)
    assert account.pays(change=False)


def test_whoever_may_change_no_more_may_still_go_on(clock: Clock):
    account = Account(Limits(changes=Rate(1, 0.5)), clock)

    account.charge(1, change=True)
    assert account.pays(change=False)
    assert not account.pays(change=True)
    clock.wind(2)
    assert account.pays(change=True)
