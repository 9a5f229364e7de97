"""Long work on the event loop: in turns, and in pieces so short that nobody who plays waits for it.

One job works at a time. The next turn goes to the job that has worked least so far, so a short one
never waits for all of a long one. What a job needs in memory for its turn no other holds then.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count

PIECE = 0.003
"""Seconds after which whoever works lets everything else that is ready go first."""


class Turns:
    """Whose turn it is, of all jobs of one event loop. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._taken = False
        self._coming = count()
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    def job(self) -> "Job":
        """Work that has not begun."""
        return Job(self, self._clock)

    async def take(self, worked: float) -> None:
        """It is the turn of a job that has `worked` so many seconds, until `end`.

        Before it is, everything else that was ready has happened.
        """
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (worked, next(self._coming), mine))
        self._call_next()
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # the turn was given to somebody who is gone by now
                self.end()
            raise

    def end(self) -> None:
        """The turn is over, and the next one is that of whoever has worked least."""
        self._taken = False
        self._call_next()

    def _call_next(self) -> None:
        """Later, for whoever comes in the same moment is to be compared too."""
        if not self._taken:
            self._taken = True
            asyncio.get_running_loop().call_soon(self._give)

    def _give(self) -> None:
        while self._waiting:
            *_, first = heappop(self._waiting)
            if not first.done():
                first.set_result(None)
                return
        self._taken = False


class Job:
    """Something that is done in turns."""

    def __init__(self, turns: Turns, clock: Callable[[], float]) -> None:
        self._turns = turns
        self._clock = clock
        self._worked = 0.0
        self._breathed = 0.0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Inside, no other job works. Whoever works there calls `breathe` often."""
        await self._turns.take(self._worked)
        began = self._breathed = self._clock()
        try:
            yield
        finally:
            self._worked += self._clock() - began
            self._turns.end()

    async def breathe(self) -> None:
        """If this went on for a while, everything else that was ready has happened."""
        if self._clock() - self._breathed >= PIECE:
            await asyncio.sleep(0)
            self._breathed = self._clock()
