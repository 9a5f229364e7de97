"""The connections that strangers may have at a time: in fair shares, and with a reserve for seats.

A place is *loose* until its device has shown that it sits at a table. When all open places are
taken, an address that holds few takes one from the address that holds most, so nobody shuts others
out by holding many. Beyond the open places lies the reserve: whoever gets in there has a moment to
show a seat, or goes again. There are never more seats than open places, so nobody fills the reserve
with seats at tables of their own.
"""

from collections.abc import Callable

from server.limits import Limits, Visitor

TURNED_AWAY = 32
"""Connections without a place that are told so at the same time; further ones hear nothing."""

PARTY = 12
"""Places of an address that sit and do not count against it: a party behind one router."""


class Place:
    """One connection of `visitor`; `make_way` ends it when somebody else needs the place."""

    def __init__(self, places: "Places", visitor: Visitor, make_way: Callable[[], None]) -> None:
        self._places = places
        self.visitor = visitor
        self.make_way = make_way
        self.refused = False
        """It is none: the connection is there to be told so."""
        self.reserved = False
        """It lies beyond the open places."""
        self.sits = False
        self.watches = False

    def sit(self) -> bool:
        """Its device sits at a table, and is never sent away for one that does not.

        False: there is no place for it, for its address sits at too many tables already.
        """
        return self._places.sit(self)

    def watch(self) -> bool:
        """Whether its device may look on; False: enough devices of its address do."""
        if self.watches:
            return True
        if self.reserved or self.visitor.watchers >= self._places.limits.watchers:
            return False
        self.watches = True
        self.visitor.watchers += 1
        return True

    def watch_no_longer(self) -> None:
        """Its device does not look on, or has a seat by now: another one of its address may."""
        self.visitor.watchers -= self.watches
        self.watches = False

    def end_unless_it_sits(self) -> None:
        """The connection ends if it has no place, or one of the reserve and shows no seat."""
        if self.refused or (self.reserved and self._places.are_taken):
            self.end()

    def end(self) -> None:
        """The connection is ended."""
        make_way = self.make_way
        self.leave()
        make_way()

    def leave(self) -> None:
        """The connection is gone, or has to go. May be said twice."""
        self._places.leave(self)
        self.make_way = _nothing  # it knows the line, which knows its place


class Places:
    """All places, and who holds them."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open = limits.all_connections - limits.all_connections // 8
        self._loose = _Shares()
        self._seated = _Shares()
        self._refused: set[Place] = set()

    def __len__(self) -> int:
        return len(self._loose) + len(self._seated)

    @property
    def are_taken(self) -> bool:
        """Whether a part of the reserve is in use."""
        return len(self) > self._open

    def take(self, visitor: Visitor, make_way: Callable[[], None]) -> Place | None:
        """A place for a new connection of `visitor`, or a refused one; None: not even that.

        A loose place of the address that holds most of them may have had to make way.
        """
        place = Place(self, visitor, make_way)
        if visitor.connections < self.limits.connections and self._has_room_for(visitor):
            place.reserved = len(self) >= self._open
            visitor.connections += 1
            self._loose.add(place)
            return place
        if len(self._refused) >= TURNED_AWAY:
            return None
        place.refused = True
        self._refused.add(place)
        return place

    def _has_room_for(self, visitor: Visitor) -> bool:
        if len(self) >= self._open:
            held = self._loose.of(visitor) + self._beyond_a_party(visitor)
            self._free(self._loose, more_than=held + 1)
        return len(self) < self.limits.all_connections

    def sit(self, place: Place) -> bool:
        """Whether the device behind `place`, which sits at a table, has a place.

        If it got in by the reserve, a loose place makes way for it, or one that sits of an address
        that holds more such places. Whoever sits at many tables is not worth more than a page that
        is being loaded.
        """
        if place.sits or place not in self._loose:
            return True
        self._loose.drop(place)
        place.sits = True
        self._seated.add(place)
        if place.reserved and self.are_taken and not self._makes_way_for(place.visitor):
            self._seated.drop(place)
            place.sits = False
            self._loose.add(place)
            return False
        place.watch_no_longer()
        place.reserved = False
        return True

    def _makes_way_for(self, visitor: Visitor) -> bool:
        return self._free(self._loose, more_than=self._beyond_a_party(visitor)) or self._free(
            self._seated, more_than=self._seated.of(visitor)
        )

    def _beyond_a_party(self, visitor: Visitor) -> int:
        return max(0, self._seated.of(visitor) - PARTY)

    def leave(self, place: Place) -> None:
        """The connection of `place` is gone, or has to go."""
        self._refused.discard(place)
        shares = self._seated if place.sits else self._loose
        if place in shares:
            shares.drop(place)
            place.visitor.connections -= 1
            place.watch_no_longer()

    def _free(self, shares: "_Shares", more_than: int) -> bool:
        """Whether the newest place of an address made way that holds `more_than` so many."""
        place = shares.newest_of_greediest(more_than)
        if place is None:
            return False
        place.end()
        return True


def _nothing() -> None:
    """Who is gone has made way."""


class _Shares:
    """Places by who holds them. Who holds most is found without looking at everybody."""

    def __init__(self) -> None:
        self._held: dict[Visitor, dict[Place, None]] = {}
        self._holders: dict[int, dict[Visitor, None]] = {}
        """By how many they hold."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, place: Place) -> bool:
        return place in self._held.get(place.visitor, ())

    def of(self, visitor: Visitor) -> int:
        return len(self._held.get(visitor, ()))

    def add(self, place: Place) -> None:
        self._change(place.visitor, lambda held: held.setdefault(place), 1)

    def drop(self, place: Place) -> None:
        self._change(place.visitor, lambda held: held.pop(place), -1)

    def newest_of_greediest(self, more_than: int) -> Place | None:
        most = max(self._holders, default=0)
        if most <= more_than:
            return None
        return next(reversed(self._held[next(iter(self._holders[most]))]))

    def _change(
        self, visitor: Visitor, change: Callable[[dict[Place, None]], object], by: int
    ) -> None:
        held = self._held.setdefault(visitor, {})
        self._forget(visitor, len(held))
        change(held)
        self._count += by
        if held:
            self._holders.setdefault(len(held), {})[visitor] = None
        else:
            del self._held[visitor]

    def _forget(self, visitor: Visitor, count: int) -> None:
        holders = self._holders.get(count, {})
        holders.pop(visitor, None)
        if not holders:
            self._holders.pop(count, None)
