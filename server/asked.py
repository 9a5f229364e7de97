"""How asks were answered, so that one that is sent again is answered again and not done again."""

from collections import OrderedDict, deque
from collections.abc import Iterable

from engine.history import AskId, Entry
from engine.rejections import Reason

KEPT = 256
"""Answers without an entry that are remembered in a room."""

ENTRIES_KEPT = 128
"""Entries whose asks are remembered: more than a table asks for while one device is silent."""

Outcome = int | Reason
"""The number of the last entry once it was done, or why nothing was."""


class Asked:
    """The latest asks of one room: those that led to an entry, and apart from them the others.

    So nobody makes the house forget what was done by asking for what cannot be.
    """

    def __init__(self) -> None:
        self._stored: OrderedDict[AskId, int] = OrderedDict()
        self._others: OrderedDict[AskId, Outcome] = OrderedDict()

    def read(self, entries: Iterable[Entry]) -> None:
        """What the log says of asks is so; `entries` are its last ones, or all."""
        self._stored.clear()
        for entry in deque(entries, ENTRIES_KEPT):
            self.stored(entry)

    def stored(self, entry: Entry) -> None:
        """The ask of `entry`, if it had one, led to it."""
        if entry.ask is not None:
            self._stored[entry.ask] = entry.seq
            if len(self._stored) > ENTRIES_KEPT:
                self._stored.popitem(last=False)

    def answered(self, ask: AskId, outcome: Outcome) -> None:
        """`ask` was answered so.

        What failed for want of disk space, or came too soon, is not kept: it may be asked again
        under the same id.
        """
        if ask in self._stored or outcome in (Reason.NOT_STORED, Reason.TOO_MANY):
            return
        self._others[ask] = outcome
        if len(self._others) > KEPT:
            self._others.popitem(last=False)

    def answer_to(self, ask: str, keys: Iterable[str]) -> Outcome | None:
        """How ask `ask` of the device that holds `keys` was answered; None: not yet.

        With whichever of its seats the device asked: when it asks again it may face another.
        """
        for key in keys:
            known = self._stored.get(AskId(key, ask)) or self._others.get(AskId(key, ask))
            if known is not None:
                return known
        return None
