"""Lets so many messages of strangers in with each turn of the event loop, and few-askers first.

However many speak in the same instant, a turn stays short. What waits is bounded: nothing further
is read from a connection whose message waits.
"""

import asyncio
from collections import deque

A_TURN = 8
"""Messages and requests in one turn; one costs the processor half a millisecond and less."""

OF_OTHERS = 2
"""Those of them that may come from addresses which ask for much."""


class Turnstile:
    """Used from one event loop."""

    def __init__(self, a_turn: int = A_TURN, of_others: int = OF_OTHERS) -> None:
        self._a_turn, self._of_others = a_turn, of_others
        self._left, self._left_for_others = a_turn, of_others
        self._turns = False
        """Whether another turn is on its way."""
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    async def enter(self, *, first: bool) -> None:
        """It is the caller's turn; `first`: before all who are not."""
        if self._left > 0 and (first or self._left_for_others > 0):  # then nobody like it waits
            self._count(first=first)
        else:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            (self._first if first else self._others).append(waiting)
            await waiting

    def _count(self, *, first: bool) -> None:
        self._left -= 1
        self._left_for_others -= not first
        if not self._turns:
            self._turns = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """A turn of the loop is over: the next of those who wait enter."""
        self._turns = False
        self._left, self._left_for_others = self._a_turn, self._of_others
        while self._first and self._left > 0:
            self._let_in(self._first, first=True)
        while self._others and self._left > 0 and self._left_for_others > 0:
            self._let_in(self._others, first=False)

    def _let_in(self, waiting: deque[asyncio.Future[None]], *, first: bool) -> None:
        if not (next_one := waiting.popleft()).done():  # else it hung up
            next_one.set_result(None)
            self._count(first=first)
