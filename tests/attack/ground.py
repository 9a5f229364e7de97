"""The network of an attack: the house, a laptop with millions of addresses, and the players here.

The players sit where this process is. Everybody reaches the house by a cable of their own, at its
one address; none of it is loopback, so the house's limits hold for all of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network

from msgspec import Struct

from tests.hosts.machines import Machine, cable, here, lasting, leave_the_network

HOUSE, PORT = "10.78.0.1", 8000
WAY = f"{HOUSE}:{PORT}"

ROBOTS = "10.79.0.2"
PLAYERS = ("10.79.0.11", "10.79.0.12", "10.79.0.13")

FOES = IPv4Network("10.128.0.0/9")
"""All of them are addresses of the laptop."""


class Ground(Struct, frozen=True):
    """Where everybody stands."""

    house: Machine
    laptop: Machine


@contextmanager
def ground() -> Iterator[Ground]:
    """The network, with this process in it; the machines are gone afterwards.

    Raises:
        CannotHost: this system has no namespaces for us.
    """
    leave_the_network()
    with lasting(Machine("house")) as house, lasting(Machine("laptop")) as laptop:
        cable("pk-door", "pk-laptop")
        house.takes("pk-door")
        laptop.takes("pk-laptop")
        _joined(house, "pk-door", HOUSE)
        _joined(laptop, "pk-laptop", "10.78.0.2")
        # Every address of that network is the laptop's own, without being named one by one.
        laptop.own("route", "add", "local", str(FOES), "dev", "lo")
        house.own("route", "add", str(FOES), "via", "10.78.0.2")

        cable("pk-window", "pk-sofa")
        house.takes("pk-window")
        _joined(house, "pk-window", "10.79.0.1")
        for address in (ROBOTS, *PLAYERS):
            here("address", "add", f"{address}/24", "dev", "pk-sofa")
        here("link", "set", "pk-sofa", "up")
        here("route", "add", HOUSE, "via", "10.79.0.1", "src", ROBOTS)
        yield Ground(house, laptop)


def foe_address(number: int) -> str:
    """The laptop's address of that number."""
    return str(FOES[number])


def _joined(machine: Machine, device: str, address: str) -> None:
    machine.own("address", "add", f"{address}/24", "dev", device)
    machine.own("link", "set", device, "up")
