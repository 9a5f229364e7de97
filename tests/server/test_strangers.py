"""Who is remembered of those who came from elsewhere, and for how long."""

import pytest

from server.limits import Limits, Visitor
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


def nothing() -> None:
    """Nobody has to make way here."""


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


def test_whoever_has_used_something_up_is_remembered_in_any_crowd(strangers: Strangers):
    guests = [visitor(strangers, (f"192.168.1.{n}", 1)) for n in range(8)]
    assert strangers.places.take(guests[0], nothing)
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


def test_whoever_is_quiet_is_forgotten(strangers: Strangers, clock: Clock):
    guest = visitor(strangers, HER)
    assert strangers.places.take(guest, nothing)
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


def test_however_many_addresses_speak_so_many_are_remembered(strangers: Strangers):
    guest = visitor(strangers, HER)
    assert strangers.places.take(guest, nothing)
    for n in range(3 * Strangers.MOST):
        visitor(strangers, (f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}", 1)).mistaken()

    assert len(strangers) == Strangers.MOST
    assert visitor(strangers, HER) is guest
