"""What an address may do, by a clock that is wound by hand."""

import pytest

from server.limits import Account, Bucket, Limits, Rate, Strangers, Visitor
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


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.20", "192.168.1.20", True),
        ("192.168.1.20", "192.168.1.21", False),
        ("::ffff:192.168.1.20", "192.168.1.20", True),
        ("2001:db8:0:1::5", "2001:db8:0:1:ffff::6", True),
        ("2001:db8:0:1::5", "2001:db8:0:2::5", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
    ],
)
def test_an_ipv6_network_is_one_address(strangers: Strangers, one: str, other: str, *, same: bool):
    assert (visitor(strangers, (one, 1)) is visitor(strangers, (other, 2))) is same


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "a socket"])
def test_the_machine_itself_has_no_limits_unless_it_should(clock: Clock, host: str):
    assert Strangers(Limits(), clock).visitor((host, 1)) is None
    assert Strangers(Limits(), clock).visitor(None) is None
    assert Strangers(Limits(own_machine=True), clock).visitor((host, 1)) is not None


def test_an_address_has_so_many_connections_and_all_have_so_many(clock: Clock):
    strangers = Strangers(Limits(connections=2, all_connections=3), clock)
    her, him = visitor(strangers, HER), visitor(strangers, HIM)

    assert [strangers.opened(her) for _ in range(3)] == [True, True, False]
    assert not strangers.opened(him)
    strangers.closed(her)
    strangers.closed(him)
    assert strangers.opened(him)


def test_whoever_has_used_something_up_is_remembered_in_any_crowd(strangers: Strangers):
    guests = [visitor(strangers, (f"192.168.1.{n}", 1)) for n in range(8)]
    strangers.opened(guests[0])
    guests[1].questions += 1
    guests[2].requests.take()
    guests[3].rooms.take()
    guests[4].received.take()
    guests[5].mistaken()
    guests[6].account.charge(1, change=False)
    guests[7].account.charge(0, change=True)
    for n in range(4 * Strangers.FEW):
        visitor(strangers, (f"10.0.{n >> 8}.{n & 255}", 1))

    assert [visitor(strangers, (f"192.168.1.{n}", 1)) for n in range(8)] == guests


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


def test_whoever_is_quiet_is_forgotten(strangers: Strangers, clock: Clock):
    guest = visitor(strangers, HER)
    strangers.opened(guest)
    guesser = visitor(strangers, HIM)
    guesser.mistaken()
    for n in range(100_000):
        visitor(strangers, (f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}", 1)).received.take(100)
        clock.wind(0.001)

    assert len(strangers) <= 2 * Strangers.FEW
    assert visitor(strangers, HER) is guest
    for n in range(Strangers.FEW * 2):
        visitor(strangers, (f"10.250.{n >> 8 & 255}.{n & 255}", 1))
    assert visitor(strangers, HIM) is not guesser
