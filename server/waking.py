"""The time for which the server was awake: a clock that stands still while the server does.

The process may be stopped, the lid of its laptop closed, its event loop held up by something slow.
Whoever spoke meanwhile was not heard, so nobody's silence is counted and nothing runs out.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

TICK = 0.25
"""Seconds between two signs of life of the event loop."""

STALL = 1.0
"""Seconds without a sign of life after which the loop stands still; shorter ones are counted."""

READ_AGAIN = 2
"""How often the sockets are read after a moment before anything is judged by it."""

GRACE = TICK * READ_AGAIN
"""Seconds for which that takes, unless the loop is held up."""


class Clock(Protocol):
    """What the moments of a room are read from, in seconds from anywhere."""

    def __call__(self) -> float: ...

    @property
    def woke(self) -> float:
        """When the server last woke from standing still, by this clock; silences begin there."""
        ...


def _real_time() -> float:
    """Seconds that go on while the machine sleeps, where the system has such a clock."""
    boottime: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)


class WakingClock:
    """Counts the seconds in which the event loop was alive. One for a server.

    It shows no later moment than `STALL` after the loop's last tick: while the loop stands still
    it stands at what was last read from it, and goes on from there.
    """

    def __init__(self, real_time: Callable[[], float] = _real_time) -> None:
        self._real_time = real_time
        self._ticked = real_time()
        self._at_tick = self._read = self._woke = self._ticked
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> float:
        since = self._real_time() - self._ticked
        if since <= STALL:
            self._read = self._at_tick + since
        return self._read

    @property
    def woke(self) -> float:
        """When the loop last woke, by this clock; now, if it has stood still until now."""
        return self._woke if self._real_time() - self._ticked <= STALL else self._read

    def start(self) -> None:
        """It counts the seconds of the running loop from now on."""
        self._ticked = self._real_time()
        self._at_tick = self._read
        self._tick_later()

    def stop(self) -> None:
        """It ticks no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def tick(self) -> None:
        """The loop is alive."""
        now = self._real_time()
        since = now - self._ticked
        if since <= STALL:
            self._read = self._at_tick + since
        else:
            self._woke = self._read
        self._at_tick, self._ticked = self._read, now

    def _tick_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(TICK, self._tick_on)

    def _tick_on(self) -> None:
        self.tick()
        self._tick_later()


class Alarm:
    """Calls `ring` with the moment it was set to, by `clock`; only the last setting counts.

    It rings a little later: what had come in by that moment has been read then, even if the loop
    stood still and its timers are the first to wake.
    """

    def __init__(self, clock: Clock, ring: Callable[[float], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._at: float | None = None
        self._read = 0
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """It rings at `at`; None: never."""
        if self._at == at:
            return
        self._at, self._read = at, 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at is not None:
            self._look_in(at - self._clock(), at)

    def cancel(self) -> None:
        """It never rings."""
        self.set(None)

    def _look_in(self, seconds: float, at: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0.0, seconds), self._look, at)

    def _look(self, at: float) -> None:
        left = at - self._clock()
        if left > 0:  # the clock stood still
            self._look_in(max(left, TICK), at)
        elif self._read < READ_AGAIN:
            self._read += 1
            self._look_in(TICK, at)
        else:
            self._at = self._timer = None
            self._ring(at)


@asynccontextmanager
async def waking_timeout(clock: Clock, seconds: float) -> AsyncIterator[None]:
    """What is inside has so many seconds by `clock`.

    Raises:
        TimeoutError: they are over.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as timeout:
        alarm = Alarm(clock, lambda _at: timeout.reschedule(loop.time()))
        alarm.set(clock() + seconds)
        try:
            yield
        finally:
            alarm.cancel()
