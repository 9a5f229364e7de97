"""One room's log, and where the room stands by it."""

from collections import deque
from collections.abc import Iterable

from engine.events import AnyEvent, Undone
from engine.evolve import LogCorrupt
from engine.history import AskId, Entry, Past
from engine.rejections import Reason
from engine.state import Room
from server.asked import ENTRIES_KEPT, Asked
from server.limits import Account
from server.log import EventLog, Stored
from server.log.base import SLICE
from server.log.codec import EntryDecoder, EntryUnreadable, Told, encode
from server.protocol import Close
from server.room_bounds import is_change, refusal
from server.turns import Turns


class RoomStopped(Exception):  # noqa: N818  # reads as what is the case
    """The room's log does not fit together. Nothing was touched; the operator has to look."""

    code = Close.ROOM_STOPPED
    """What the connections in the room are closed with."""


class RoomFailed(RoomStopped):
    """Faults of ours stopped the room. Its log is as it was."""

    code = Close.FAILED


class RoomLog:
    """What is stored of a room and what that comes to. One keeper writes it."""

    def __init__(self, code: str, events: EventLog, turns: Turns | None = None) -> None:
        self.code = code
        self.past = Past()
        self.restored: int | None = None
        """The last entry, if the log was cut after it and nothing was stored since."""
        self.asked = Asked()
        self.size = 0
        """Bytes of all entries."""
        self._events = events
        self._turns = turns or Turns()
        self._told = Told()

    @property
    def room(self) -> Room:
        """Where the room stands.

        Raises:
            RoomStopped: it was not read, or has stopped since.
        """
        if self.past.room is None:
            raise RoomStopped(f"room {self.code} is not loaded")
        return self.past.room

    async def read(self) -> bool:
        """The room is as the log says; False: the log knows no such room.

        Until all is read it stands where it did. Other rooms are read in turn with it, and hardly
        anything of the log is in memory at a time.

        Raises:
            RoomStopped: its entries cannot be read or do not follow each other, or there are fewer
                of them than before.
            LogFailed: the log cannot be read now.
        """
        found = _Found()
        try:
            await self._read_into(found)
        except (EntryUnreadable, LogCorrupt) as error:
            raise RoomStopped(
                f"room {self.code} is stopped, its log was not touched: {error}"
            ) from error
        if found.past.seq < self.past.seq:
            raise RoomStopped(
                f"room {self.code} is stopped: its log ends with entry {found.past.seq}, "
                f"and entry {self.past.seq} was shown"
            )
        if found.past.room is None:
            return False
        self.restored = await self._events.mended(self.code)
        self.past, self.size, self._told = found.past, found.size, found.decoder.told
        self.asked.read(found.latest)
        return True

    async def _read_into(self, found: "_Found") -> None:
        """All entries are in `found`, those too that are stored meanwhile."""
        job, more = self._turns.job(), True
        while more:
            async with job.turn():
                stored = await self._events.read(self.code, found.past.seq)
                for one in stored:
                    found.take(one)
                    await job.breathe()
            more = len(stored) == SLICE

    async def write(
        self, facts: Iterable[AnyEvent | Undone], ask: AskId | None, account: Account | None = None
    ) -> Entry | Reason | None:
        """`facts` are the next entry, and the room stands after it; None: they change nothing.

        What changes nothing is not stored. What does not fit never is. What is stored is charged to
        `account`; for what there is no place any more, or no account good enough, the answer is why
        not.

        Raises:
            Conflict: somebody else wrote first.
            LogFailed: it is not stored, and the room stands where it did.
            LogCorrupt: the facts do not fit.
        """
        entry = Entry(seq=self.past.seq + 1, facts=tuple(facts), ask=ask)
        after = self.past.after(entry)
        if after.room == self.past.room:
            return None
        if reason := refusal(entry.facts, self.past, self.size, account):
            return reason
        data = encode(entry, self._told)
        await self._events.append(self.code, entry.seq, data)
        self.size += len(data)
        if account is not None:
            account.charge(len(data), change=is_change(entry.facts))
        self._told.hear(entry)
        self.past, self.restored = after, None
        self.asked.stored(entry)
        return entry


class _Found:
    """What the entries of a room come to, as far as they were read."""

    def __init__(self) -> None:
        self.past = Past()
        self.size = 0
        self.decoder = EntryDecoder()
        self.latest: deque[Entry] = deque(maxlen=ENTRIES_KEPT)

    def take(self, stored: Stored) -> None:
        """`stored` is the next one."""
        entry = self.decoder.entry(stored)
        self.past = self.past.after(entry)
        self.size += len(stored.data)
        self.latest.append(entry)
