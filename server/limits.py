"""How much one address may ask of the machine. Nothing here waits or speaks: others do as told."""

import math
from asyncio import Semaphore
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from server.turnstile import Rank

Clock = Callable[[], float]
"""Seconds since whenever; it never goes back."""


VISITOR = "visitor"
"""Under which the state of a request holds who sent it; None: this machine."""


class Rate(Struct, frozen=True):
    """So much at once, and then so much a second."""

    burst: float
    per_second: float


class Limits(Struct, frozen=True, kw_only=True):
    """What an address may do before it has to wait or is turned away.

    A table of honest phones stays far below all of it, also when a router makes them one address.
    """

    own_machine: bool = False
    """Whether they hold for requests from this machine itself, its robots and its proxy."""
    connections: int = 64
    all_connections: int = 800
    """At most; fewer where the system lets a process open few files."""
    watchers: int = 16
    connects: Rate = Rate(100, 10)
    """New connections; the page of a phone opens six."""
    requests: Rate = Rate(300, 50)  # a page is about twenty
    rooms: Rate = Rate(20, 1 / 60)
    received: Rate = Rate(1 << 20, 1 << 18)
    """Bytes, of requests as well as of messages."""
    answers: int = 32
    """Requests that are answered at the same time; a browser makes six."""
    frames: Rate = Rate(120, 30)  # of one connection
    all_frames: Rate = Rate(960, 120)
    seated: Rate = Rate(120, 60)
    """Messages of those of an address who sit at a table that go before all else."""
    little: Rate = Rate(30, 4)
    """Messages and requests of an address that go before those of addresses that ask for more."""
    stored: Rate = Rate(32 << 20, (16 << 20) / 86_400)  # bytes of entries; twice that on the disk
    changes: Rate = Rate(500, 1 / 2)
    """Entries that the next tap may undo."""
    dear: Rate = Rate(60, 2)
    """Requests that take a tenth of a second of the processor and more."""
    mistakes: Rate = Rate(5, 1 / 30)
    """Wrong codes and tokens that cost nothing."""
    first_delay: float = 0.1  # seconds, for the answer after those; doubles with every further one
    longest_delay: float = 1.5
    questions: int = 8
    """Answers about rooms that wait at the same time for an address that is being delayed."""
    longest_wait: float = 4.0
    """Seconds for which a flood is held back at a time, since what waits takes memory."""


class Bucket:
    """Fills at a rate and may be overdrawn; who overdraws waits until it is made good."""

    __slots__ = ("_clock", "_deepest", "_kept", "_rate", "_then")  # an address has nine

    def __init__(self, rate: Rate, clock: Clock, deepest: float = -math.inf) -> None:
        self._rate = rate
        self._clock = clock
        self._deepest = deepest
        self._then = clock()
        self._kept = rate.burst

    @property
    def level(self) -> float:
        """What is left; below zero: what is owed."""
        since = self._clock() - self._then
        return min(self._rate.burst, self._kept + since * self._rate.per_second)

    @property
    def full(self) -> bool:
        return self.level == self._rate.burst

    def take(self, amount: float = 1) -> float:
        """`amount` is taken in any case; the seconds to wait until it has flowed in."""
        level = self.level
        self._then, self._kept = self._clock(), max(level - amount, self._deepest)
        return max(0.0, -self._kept) / self._rate.per_second

    def wait(self, amount: float = 1) -> float:
        """Seconds until `amount` can be taken without owing; nothing is taken."""
        return max(0.0, amount - self.level) / self._rate.per_second


class Account:
    """What an address may still have stored. All that a room knows of an address."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._stored = Bucket(limits.stored, clock)
        self._changes = Bucket(limits.changes, clock)

    @property
    def wait(self) -> float:
        """Seconds until it may have anything stored."""
        return self._stored.wait()

    @property
    def full(self) -> bool:
        return self._stored.full and self._changes.full

    def pays(self, *, change: bool) -> bool:
        """Whether it may have one more entry stored; a `change` is one that may be undone."""
        return not self.wait and not (change and self._changes.wait())

    def charge(self, size: int, *, change: bool) -> None:
        """An entry of so many bytes was stored for it."""
        self._stored.take(size)
        if change:
            self._changes.take()


def account_in(scope: Mapping[str, Any]) -> Account | None:
    """Of whoever sent the request of `scope`; None: of this machine, which has no limits."""
    visitor: Visitor | None = scope.get("state", {}).get(VISITOR)
    return None if visitor is None else visitor.account


class Visitor:
    """One address and what it has used up."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self.connects = _held_back(limits.connects, limits, clock)
        self.requests = Bucket(limits.requests, clock)
        self.rooms = Bucket(limits.rooms, clock)
        self.account = Account(limits, clock)
        self.dear = Bucket(limits.dear, clock)
        self.received = _held_back(limits.received, limits, clock)
        self.frames = _held_back(limits.all_frames, limits, clock)
        self._seated = Bucket(limits.seated, clock, deepest=-1)
        self._little = Bucket(limits.little, clock, deepest=-1)
        # No deeper than the longest delay: whoever guessed for a day is forgiven in minutes.
        doublings = math.ceil(math.log2(limits.longest_delay / limits.first_delay))
        self._mistakes = Bucket(limits.mistakes, clock, deepest=-doublings)
        self.answering = Semaphore(limits.answers)
        self.connections = 0
        self.watchers = 0
        self.questions = 0

    def rank(self, *, seated: bool) -> Rank:
        """The rank of what it asks now, by a device that is `seated` or not; it is counted."""
        if seated and not self._seated.take():
            return Rank.SEATED
        return Rank.OTHERS if self._little.take() else Rank.MODEST

    def mistaken(self) -> None:
        """It named a room or a token that does not exist."""
        self._mistakes.take()

    @property
    def delay(self) -> float:
        """Seconds by which its next answer about any room is held back, right or wrong."""
        left = self._mistakes.level
        if left >= 1:
            return 0.0
        return min(
            math.ldexp(self._limits.first_delay, math.ceil(-left)), self._limits.longest_delay
        )

    @property
    def crowded(self) -> bool:
        """Whether a further question about a room is one too many."""
        return self.delay > 0 and self.questions >= self._limits.questions

    @property
    def flooding(self) -> bool:
        """Whether a further request is one too many."""
        return self.requests.wait() > self._limits.longest_wait

    @property
    def overtaxing(self) -> bool:
        """Whether a further request for what is dear to answer is one too many."""
        return self.dear.wait() > self._limits.longest_wait

    @property
    def idle(self) -> bool:
        """Whether it has nothing open."""
        return self.connections == self.questions == 0

    @property
    def quiet(self) -> bool:
        """Whether nothing would change if it were forgotten."""
        return (
            self.idle
            and self.connects.full
            and self.requests.full
            and self.rooms.full
            and self.account.full
            and self.dear.full
            and self.received.full
            and self.frames.full
            and self._seated.full
            and self._little.full
            and self._mistakes.full
        )


def _held_back(rate: Rate, limits: Limits, clock: Clock) -> Bucket:
    """For what waits until it has flowed in, and never longer than it may be held back."""
    return Bucket(rate, clock, deepest=-rate.per_second * limits.longest_wait)
