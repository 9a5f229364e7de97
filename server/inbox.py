"""What waits to be done in one room, in the order in which it came."""

import asyncio

from msgspec import Struct

from engine.rejections import Reason
from server.audience import Attendee
from server.clocks import PUT_OFF
from server.limits import Account
from server.protocol import Ask, Claim, Join
from server.room_log import RoomStopped
from server.waking import Alarm, Clock

INBOX = 256
"""Asks that may wait in one room; more make their senders wait."""


class Asking(Struct, frozen=True):
    """An ask, and with whose eyes its device looked when it came."""

    attendee: Attendee
    facing: str | None
    ask: Ask

    @property
    def held(self) -> tuple[str, ...]:
        """The keys of the device's seats, first the one it faced."""
        keys = self.attendee.keys
        return keys if self.facing is None else (self.facing, *keys)


class Arriving(Struct, frozen=True):
    """A hello that needs a chair, who pays for it, and where its answer is awaited."""

    hello: Join | Claim
    account: Account | None
    admitted: asyncio.Future[Reason | None]

    def answer(self, reason: Reason | None) -> None:
        """It is admitted, or told why not; the first answer counts."""
        if not self.admitted.done():
            self.admitted.set_result(reason)

    def turn_away(self, code: str) -> None:
        """Without an answer by now it learns that room `code` is closed."""
        if not self.admitted.done():
            self.admitted.set_exception(RoomStopped(f"room {code} is closed"))


class TimeIsUp(Struct, frozen=True):
    """Something in the room may have run out by the moment `at`.

    Whatever came until then stands before it in the inbox. What runs out while the room is busy is
    not judged yet: what speaks against it may stand behind.
    """

    at: float


class Inbox:
    """Everybody puts something in; one keeper takes it out. Its moments are those of `clock`."""

    def __init__(self, code: str, clock: Clock) -> None:
        self._code = code
        self._now = clock
        self._alarm = Alarm(clock, self.ring)
        self._rung = False
        self._closed = False
        self._waiting: asyncio.Queue[Asking | Arriving | TimeIsUp] = asyncio.Queue(INBOX)

    async def ask(self, attendee: Attendee, ask: Ask) -> None:
        """`ask` waits, as its device looks now."""
        await self._waiting.put(Asking(attendee, attendee.facing, ask))

    async def admit(self, hello: Join | Claim, account: Account | None) -> Reason | None:
        """The answer to `hello`, once it was its turn.

        Raises:
            RoomStopped: the room was closed before it could answer.
        """
        admitted: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        arriving = Arriving(hello, account, admitted)
        if not self._closed:
            await self._waiting.put(arriving)
        if self._closed:  # perhaps while the inbox was full
            arriving.turn_away(self._code)
        return await admitted

    def ring(self, at: float) -> None:
        """Time has passed: what had run out by `at` waits to be judged."""
        if self._rung:
            return
        if self._waiting.full():  # the act that somebody waits for may be among what waits
            self._alarm.set(self._now() + PUT_OFF)
        else:
            self._rung = True
            self._waiting.put_nowait(TimeIsUp(at))

    def ring_at(self, at: float | None) -> None:
        """It rings by itself at `at`, and no other time; None: never."""
        self._alarm.set(at)

    async def next(self) -> Asking | Arriving | TimeIsUp:
        """What has waited longest, as soon as there is something."""
        first = await self._waiting.get()
        if isinstance(first, TimeIsUp):
            self._rung = False
        return first

    def close(self) -> None:
        """Whoever waits at the door or comes now learns that the room is closed."""
        self._closed = True
        self._alarm.cancel()
        while not self._waiting.empty():
            if isinstance(waiting := self._waiting.get_nowait(), Arriving):
                waiting.turn_away(self._code)
