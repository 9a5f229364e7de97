"""Lets so many messages of strangers in with each turn of the event loop, and few-askers first.

However many speak in the same instant, a turn stays short. What waits is bounded: nothing further
is read from a connection whose message waits.
"""

import asyncio
from collections import deque

A_TURN = 8
"""Messages and requests in one turn; one costs the processor half a millisecond and less."""


class Turnstile:
    """Used from one event loop."""

    def __init__(self, a_turn: int = A_TURN) -> None:
        self._a_turn = a_turn
        self._left = a_turn
        self._turns = False
        """Whether another turn is on its way."""
        self._first: deque[asyncio.Future[None]] = deque()
        self._then: deque[asyncio.Future[None]] = deque()

    async def enter(self, *, first: bool) -> None:
        """It is the caller's turn; `first`: before all who are not."""
        if self._left > 0:  # then nobody waits
            self._left -= 1
            self._go_on()
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._first if first else self._then).append(waiting)
        await waiting

    def _go_on(self) -> None:
        if not self._turns:
            self._turns = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """A turn of the loop is over: the next of those who wait enter."""
        self._turns = False
        self._left = self._a_turn
        while self._left > 0 and (self._first or self._then):
            waiting = (self._first or self._then).popleft()
            if not waiting.done():  # it hung up
                waiting.set_result(None)
                self._left -= 1
        if self._left < self._a_turn:
            self._go_on()
