"""Who has been here lately from elsewhere in the network, and how many connections they have."""

import ipaddress
from collections import OrderedDict

from server.limits import Clock, Limits, Visitor
from server.places import Places

PLACE = "place"
"""Where a request or a socket from elsewhere finds, in its state, the place of its connection."""


class Strangers:
    """The addresses that have been here lately; those that are quiet are forgotten.

    There are never more than `MOST`: whoever takes so many addresses can make the one that was
    longest idle forgotten with what it owes, and gains a burst by it, but no memory of ours.
    """

    FEW = 256
    """Addresses that are kept without looking whether they are quiet."""

    MOST = 4096

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self.clock = clock
        self._visitors: OrderedDict[str, Visitor] = OrderedDict()
        """Those that were here last come last."""
        self._look_at = self.FEW
        self.places = Places(limits)

    def __len__(self) -> int:
        return len(self._visitors)

    def visitor(self, client: tuple[str, int] | None) -> Visitor | None:
        """Whoever is at the other end of a connection; None: this machine, which has no limits."""
        address = _group(client[0]) if client else None
        if address is None and not self.limits.own_machine:
            return None
        known = self._visitors.get(address or "")
        if known is None:
            self._forget()
            known = self._visitors[address or ""] = Visitor(self.limits, self.clock)
        else:
            self._visitors.move_to_end(address or "")
        return known

    def _forget(self) -> None:
        if len(self._visitors) >= self._look_at:
            quiet = [at for at, one in self._visitors.items() if one.quiet]
            for at in quiet:
                del self._visitors[at]
            self._look_at = max(self.FEW, 2 * len(self._visitors))
        if len(self._visitors) >= self.MOST:
            idle = next((at for at, one in self._visitors.items() if one.idle), None)
            if idle is not None:  # there are fewer connections than addresses
                del self._visitors[idle]


def _group(client: str) -> str | None:
    """The address, or the network of an IPv6 one, which has billions; None: this machine."""
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return None  # no network address at all, such as a local socket
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return None if address.is_loopback else str(int(address) >> 64)
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)
