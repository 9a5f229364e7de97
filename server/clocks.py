"""What runs out in a room by itself. The engine has no time; after a restart it begins again."""

from collections.abc import Callable

from engine.history import Past
from engine.state import Between, Exchanging

PUT_OFF = 1.0
"""Seconds after which a clock looks again, when what it has to say cannot be heard or stored."""


class Allowance:
    """So many seconds for one thing, once in a deal: what was used of them stays used (EXCH-11).

    They run only while it is waited for, by `clock`.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._deal: int | None = None
        self._left = 0.0
        self.ends: float | None = None
        """When they are over; None: they do not run."""

    def runs(self, deal: int, seconds: float) -> None:
        """They run: `seconds`, or what is left of those of this `deal`."""
        if deal != self._deal:
            self._deal, self._left, self.ends = deal, seconds, None
        if self.ends is None:
            self.ends = self._clock() + self._left

    def rests(self) -> None:
        """They do not run now."""
        if self.ends is not None:
            self._left, self.ends = max(0.0, self.ends - self._clock()), None


class Clocks:
    """One for the dealer alone (DEAL-3), one for a declarer who may forget to lay away (EXCH-7).

    All moments are those of `clock`.
    """

    def __init__(self, clock: Callable[[], float], dealer_alone: float) -> None:
        self._clock = clock
        self._seconds_alone = dealer_alone
        self._alone = Allowance(clock)
        self._discard = Allowance(clock)
        self.anybody_deals = False
        """The dealer had time enough alone."""

    @property
    def discard_ends(self) -> float | None:
        """When the declarer has forgotten to lay away; None: never."""
        return self._discard.ends

    @property
    def next_end(self) -> float | None:
        """The next moment at which something runs out."""
        alone = None if self.anybody_deals else self._alone.ends
        return min((end for end in (alone, self.discard_ends) if end is not None), default=None)

    def follow(self, past: Past) -> None:
        """The clocks run for what the room waits for, and go on where they were in this deal.

        Neither going back nor who sits where winds them up. While the declarer's chair is empty
        none runs out; somebody else may deal for an absent dealer.
        """
        if past.room is not None and isinstance(past.room.phase, Between):
            self._alone.runs(past.begun, self._seconds_alone)
        else:
            self._alone.rests()
            self.anybody_deals = False
        if seconds := _discard_seconds(past):
            self._discard.runs(past.begun, seconds)
        else:
            self._discard.rests()

    def look(self, at: float) -> None:
        """Whoever may deal by the moment `at` may do so."""
        if self._alone.ends is not None and self._alone.ends <= at:
            self.anybody_deals = True

    def discard_is_over(self, at: float) -> bool:
        """Whether the declarer has forgotten to lay away by the moment `at`.

        It is said once, and again a little later if nothing came of it.
        """
        if self._discard.ends is None or self._discard.ends > at:
            return False
        self._discard.ends = self._clock() + PUT_OFF
        return True


def _discard_seconds(past: Past) -> int:
    """Seconds for the declarer who sits there and is to lay away; 0: for ever, or nobody is."""
    phase = past.room.phase if past.room else None
    if past.room is None or not isinstance(phase, Exchanging):
        return 0
    rules = phase.game.profile.exchange
    return rules.discard_seconds if rules and past.room.players[phase.declarer] else 0
