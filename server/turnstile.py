"""Lets so many messages of strangers in with each turn of the event loop: who sits goes first.

However many speak in the same instant, a turn stays short. What waits is bounded: nothing further
is read from a connection whose message waits.
"""

import asyncio
from collections import deque
from enum import IntEnum

A_TURN = 4
"""Messages and requests in one turn; one costs the processor half a millisecond and less."""

OF_OTHERS = 1
"""Those of them that may come from addresses which ask for much."""


class Rank(IntEnum):
    """Who goes before whom."""

    SEATED = 0
    """Devices that sit at a table, as much as a table asks for."""
    MODEST = 1
    """Addresses that ask for little, such as the page of a phone that is loaded."""
    OTHERS = 2


class Turnstile:
    """Used from one event loop."""

    def __init__(self, a_turn: int = A_TURN, of_others: int = OF_OTHERS) -> None:
        self._a_turn, self._of_others = a_turn, of_others
        self._left, self._left_for_others = a_turn, of_others
        self._turns = False
        """Whether another turn is on its way."""
        self._waiting: dict[Rank, deque[asyncio.Future[None]]] = {rank: deque() for rank in Rank}

    async def enter(self, rank: Rank) -> None:
        """It is the caller's turn, after all of a lower rank who wait."""
        if self._may_enter(rank):  # then nobody like it waits
            self._count(rank)
        else:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[rank].append(waiting)
            await waiting

    def _may_enter(self, rank: Rank) -> bool:
        return self._left > 0 and (rank is not Rank.OTHERS or self._left_for_others > 0)

    def _count(self, rank: Rank) -> None:
        self._left -= 1
        self._left_for_others -= rank is Rank.OTHERS
        if not self._turns:
            self._turns = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """A turn of the loop is over: the next of those who wait enter."""
        self._turns = False
        self._left, self._left_for_others = self._a_turn, self._of_others
        for rank, waiting in self._waiting.items():
            while waiting and self._may_enter(rank):
                if not (first := waiting.popleft()).done():  # else it hung up
                    first.set_result(None)
                    self._count(rank)
