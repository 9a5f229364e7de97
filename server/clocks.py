"""What runs out in a room by itself. The engine has no time; after a restart it begins again."""

import asyncio
from collections.abc import Callable

from engine.cards import Seat
from engine.state import Between, Exchanging, Phase, Room

PUT_OFF = 1.0
"""Seconds after which a clock looks again, when what it has to say cannot be heard or stored."""


class Clocks:
    """One for the dealer alone (DEAL-3), one for a declarer who may forget to lay away (EXCH-7).

    All moments are those of `clock`.
    """

    def __init__(self, clock: Callable[[], float], dealer_alone: float) -> None:
        self._clock = clock
        self._dealer_alone = dealer_alone
        self._phase: Phase | None = None
        self._declarer: Seat | None = None
        self._deal_opens: float | None = None
        self.anybody_deals = False
        """The dealer had time enough alone."""
        self.discard_ends: float | None = None
        """When the declarer has forgotten to lay away; None: never."""

    @property
    def next_end(self) -> float | None:
        """The next moment at which something runs out."""
        ends = (self._deal_opens, self.discard_ends)
        return min((end for end in ends if end is not None), default=None)

    def follow(self, room: Room) -> None:
        """The clocks run for the phase of `room`.

        Who sits where is no new phase; but while the declarer's chair is empty none runs out.
        """
        declarer = _forgetful(room)
        if room.phase is self._phase and declarer == self._declarer:
            return
        self._phase, self._declarer = room.phase, declarer
        self.anybody_deals, self._deal_opens, self.discard_ends = False, None, None
        if isinstance(room.phase, Between):
            self._deal_opens = self._clock() + self._dealer_alone
        elif declarer is not None:
            self.discard_ends = self._clock() + _discard_seconds(room)

    def look(self) -> None:
        """Whoever may deal now may do so."""
        if self._deal_opens is not None and self._deal_opens <= self._clock():
            self.anybody_deals, self._deal_opens = True, None

    def discard_is_over(self) -> bool:
        """Whether the declarer has forgotten to lay away.

        It is said once, and again a little later if nothing came of it.
        """
        if self.discard_ends is None or self.discard_ends > self._clock():
            return False
        self.discard_ends = self._clock() + PUT_OFF
        return True


class Alarm:
    """Calls `ring` at the moment it is set to, by `clock`; only the last setting counts."""

    def __init__(self, clock: Callable[[], float], ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """It rings at `at`; None: never."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, at - self._clock()), self._ring)


def _forgetful(room: Room) -> Seat | None:
    """The declarer who sits there and has so many seconds to lay away."""
    if not isinstance(room.phase, Exchanging) or not _discard_seconds(room):
        return None
    return room.phase.declarer if room.players[room.phase.declarer] else None


def _discard_seconds(room: Room) -> int:
    """Seconds to lay away by the rules of the game (EXCH-7); 0: for ever."""
    rules = room.phase.game.profile.exchange if isinstance(room.phase, Exchanging) else None
    return rules.discard_seconds if rules else 0
