"""One room's log, and where the room stands by it."""

from collections.abc import Iterable

from engine.events import AnyEvent, Undone
from engine.evolve import LogCorrupt
from engine.history import AskId, Entry, Past, past_of
from engine.rejections import Reason
from engine.state import Room
from server.asked import Asked
from server.limits import Account
from server.log import EventLog
from server.log.codec import EntryDecoder, EntryUnreadable, Told, encode
from server.protocol import Close
from server.room_bounds import is_change, refusal


class RoomStopped(Exception):  # noqa: N818  # reads as what is the case
    """The room's log does not fit together. Nothing was touched; the operator has to look."""

    code = Close.ROOM_STOPPED
    """What the connections in the room are closed with."""


class RoomFailed(RoomStopped):
    """Faults of ours stopped the room. Its log is as it was."""

    code = Close.FAILED


class RoomLog:
    """What is stored of a room and what that comes to. One keeper writes it."""

    def __init__(self, code: str, events: EventLog) -> None:
        self.code = code
        self.past = Past()
        self.restored: int | None = None
        """The last entry, if the log was cut after it and nothing was stored since."""
        self.asked = Asked()
        self.size = 0
        """Bytes of all entries."""
        self._events = events
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

        Until all is read it stands where it did.

        Raises:
            RoomStopped: its entries cannot be read or do not follow each other, or there are fewer
                of them than before.
            LogFailed: the log cannot be read now.
        """
        stored, decoder = await self._events.read(self.code), EntryDecoder()
        try:
            entries = [decoder.entry(one) for one in stored]
            past = past_of(entries)
        except (EntryUnreadable, LogCorrupt) as error:
            raise RoomStopped(
                f"room {self.code} is stopped, its log was not touched: {error}"
            ) from error
        if past.seq < self.past.seq:
            raise RoomStopped(
                f"room {self.code} is stopped: its log ends with entry {past.seq}, "
                f"and entry {self.past.seq} was shown"
            )
        if past.room is None:
            return False
        self.restored = await self._events.mended(self.code)
        self.past, self._told = past, decoder.told
        self.size = sum(len(one.data) for one in stored)
        self.asked.read(entries)
        return True

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
