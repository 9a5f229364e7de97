"""What every log promises, whether it lies in memory, in a file or on several nodes.

A log is a numbered sequence of byte strings for each room.
Numbers begin at 1 and have no holes, so the number of the last entry is the length of the log,
and whoever appends says which number the entry must get.
Two writers who both believe to be next therefore collide instead of mixing their entries.

- **Stored, then acknowledged.** When `append` returns, the entry outlives a killed process and a
  power cut.
- **One order.** Whoever reads a room, at any time and on any node, sees a beginning of the same
  sequence; what was read once never changes and never goes away.
  The exception is a disk that lost it: when the log is opened, a room whose entries no longer are
  what was stored is cut to its last good one, and `mended` says so.
- **Own writes are seen.** A `read` begun after `append` returned contains that entry.
- **Rooms are independent.** Neither a conflict nor a slow reader in one room delays another.
- **A room is read in slices.** However long its log is, nobody holds all of it at once.
- **The loser reloads.** After `Conflict` a writer reads what it has missed, or drops what it knows
  and reads everything; it never merges and never tries the same bytes under another number
  without judging them again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

SLICE = 256
"""Entries that are read at once where nobody says how many."""


class Stored(NamedTuple):
    """An entry as the log holds it; what the bytes mean is not the log's business."""

    seq: int
    data: bytes


class Conflict(Exception):  # noqa: N818  # the word of the glossary
    """`seq` is not the next number of `room`: somebody else wrote first, or a number was skipped.

    Nothing was stored.
    """

    def __init__(self, room: str, seq: int) -> None:
        super().__init__(f"room {room}: {seq} is not the next number")
        self.room = room
        self.seq = seq


class LogFailed(Exception):  # noqa: N818  # reads as what happened
    """The log could not do it now, for a reason that may pass, such as a full disk.

    Everything acknowledged before is untouched, and the log works again by itself once the cause
    is gone.
    The entry of a failed `append` has been shown to no reader.
    Should it surface after all, after a crash of a disk that failed and took nothing more, or from
    another node that did receive it, it does so under its own number, so the writer's next
    `append` ends in `Conflict`.
    """


class LogUnusable(Exception):  # noqa: N818  # reads as what is the case
    """The log could not be opened; the text is a sentence for the one who runs the server."""


class Damaged(Exception):  # noqa: N818  # reads as what is the case
    """A file is no whole log: the text says where, and never what an entry holds."""


class EventLog(Protocol):
    """The log of all rooms. Used from one event loop; whoever opened it closes it."""

    async def append(self, room: str, seq: int, data: bytes) -> None:
        """`data` is entry number `seq` of `room`, for good.

        When the caller is cancelled while waiting, the entry may be stored even so, now or a
        moment later; the writer's next `append` then ends in `Conflict`.

        Raises:
            Conflict: `seq` is not one more than the room's last number.
            LogFailed: the entry is not acknowledged, also since it is longer than a log can hold.
        """

    async def read(self, room: str, after: int = 0, most: int = SLICE) -> list[Stored]:
        """The next entries of `room` above number `after`, in order, and no more than `most`.

        They are fewer only where the room ends, so there are none behind its end or for an unknown
        room. It takes as long as what is returned, wherever in the room that lies.

        Raises:
            LogFailed: it could not be read.
        """

    async def end(self, room: str) -> int:
        """The last number of `room`; 0: the log knows no such room.

        It takes no longer for a long room.

        Raises:
            LogFailed: it could not be read.
        """

    def follow(self, room: str, after: int = 0) -> AsyncIterator[Stored]:
        """The entries above `after`, those yet to come included, each exactly once and in order.

        It never ends by itself, and sees what others append as well as what we append.
        A follower that falls behind holds nobody up and keeps nothing in memory:
        it reads what it has missed.

        Raises:
            LogFailed: it could not be read; follow again from the last number received.
        """

    async def rooms(self) -> list[str]:
        """The rooms that have at least one entry, in alphabetical order.

        Raises:
            LogFailed: it could not be read.
        """

    async def ends(self) -> dict[str, int]:
        """The last number of every room that has at least one entry.

        Raises:
            LogFailed: it could not be read.
        """

    async def forget(self, room: str) -> None:
        """`room` has no entries, for good; what was appended before is gone too.

        Whoever follows the room is not told.

        Raises:
            LogFailed: the room is as it was.
        """

    async def mended(self, room: str) -> int | None:
        """The last entry of `room` if damage was cut off behind it and nothing appended since.

        None otherwise, as for a room that was never damaged.

        Raises:
            LogFailed: it could not be read.
        """


class Bells:
    """Wakes those who follow a room when something was appended to it."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def ring(self, room: str) -> None:
        for bell in self._waiting.get(room, ()):
            bell.set()

    async def follow(
        self, room: str, after: int, read: Callable[[str, int], Awaitable[list[Stored]]]
    ) -> AsyncIterator[Stored]:
        """What `read` finds above `after`, now and after each ring."""
        with self._hung_up(room) as bell:
            while True:
                # Before reading: a ring during the read must lead to another one.
                bell.clear()
                while found := await read(room, after):
                    for stored in found:
                        after = stored.seq
                        yield stored
                await bell.wait()

    @contextmanager
    def _hung_up(self, room: str) -> Iterator[asyncio.Event]:
        bell = asyncio.Event()
        self._waiting.setdefault(room, set()).add(bell)
        try:
            yield bell
        finally:
            self._waiting[room].discard(bell)
            if not self._waiting[room]:
                del self._waiting[room]
