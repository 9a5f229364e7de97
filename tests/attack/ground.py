"""The network of an attack: the house, a laptop with thousands of addresses, and the players here.

The players sit where this process is. Everybody reaches the house by a cable of their own, at its
one address; none of it is loopback, so the house's limits hold for all of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from tests.hosts.machines import Machine, cable, here, lasting, leave_the_network

HOUSE, PORT = "10.78.0.1", 8000
WAY = f"{HOUSE}:{PORT}"

ROBOTS = "10.79.0.2"
PLAYERS = ("10.79.0.11", "10.79.0.12", "10.79.0.13")

FOES = "10.80"
"""How all addresses of the laptop begin: 65,536 of them."""


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
        laptop.own("route", "add", "local", f"{FOES}.0.0/16", "dev", "lo")
        house.own("route", "add", f"{FOES}.0.0/16", "via", "10.78.0.2")

        cable("pk-window", "pk-sofa")
        house.takes("pk-window")
        _joined(house, "pk-window", "10.79.0.1")
        for address in (ROBOTS, *PLAYERS):
            here("address", "add", f"{address}/24", "dev", "pk-sofa")
        here("link", "set", "pk-sofa", "up")
        here("route", "add", HOUSE, "via", "10.79.0.1", "src", ROBOTS)
        yield Ground(house, laptop)


def foe_address(number: int) -> str:
    """The laptop's address of that number, of 65,000."""
    high, low = divmod(number % 65_000, 250)
    return f"{FOES}.{high % 256}.{low + 1}"


def _joined(machine: Machine, device: str, address: str) -> None:
    machine.own("address", "add", f"{address}/24", "dev", device)
    machine.own("link", "set", device, "up")
