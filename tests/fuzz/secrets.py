"""Whether anybody was told a card that they may not know, held against the log of the room."""

import re
from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from engine.cards import Card, Seat
from engine.history import Entry
from engine.views import Viewer
from tests.server.knowledge import learned

_CARD = re.compile(rb'"([SHDC][AKQJT987])"')

UPDATE, PROPOSALS = b'{"type":"update"', b'{"type":"proposals"'
"""How the messages begin that show a running deal; the sheet shows those that are over."""

_parts = msgspec.json.Decoder(list[Raw]).decode


class _Update(Struct, frozen=True):
    seq: int
    game: Raw
    glimpses: Raw


_update = msgspec.json.Decoder(_Update).decode

Names = frozenset[str]


class Secrets:
    """What each viewer of one room knows after each entry, as far as the log was read."""

    def __init__(self, players: int) -> None:
        self._viewers: tuple[Viewer, ...] = (None, *map(Seat, range(players)))
        self._now: dict[Viewer, set[Card]] = {viewer: set() for viewer in self._viewers}
        self._known: list[dict[Viewer, Names]] = []
        self._remember()

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self._known) - 1

    def read_on(self, entries: Iterable[Entry]) -> None:
        """`entries` follow those that were read."""
        for entry in entries:
            for fact in entry.happened:
                self._now = {
                    viewer: learned(known, viewer, fact) for viewer, known in self._now.items()
                }
            self._remember()

    def told(self, viewer: Viewer, shown: int, frame: bytes) -> Names:
        """The cards in `frame` that `viewer`, who was shown entry `shown` before, may not know.

        The log is read as far as what the frame shows.
        """
        leaked: Names = frozenset()
        for part in map(bytes, _parts(frame)):
            if part.startswith(UPDATE):
                update = _update(part)
                leaked |= _cards(update.game) - self._known[update.seq][viewer]
                since = self._known[min(shown, update.seq) : update.seq + 1]
                leaked |= _cards(update.glimpses).difference(*(one[viewer] for one in since))
                shown = update.seq
            elif part.startswith(PROPOSALS):
                leaked |= _cards(part) - self._known[shown][viewer]
        return leaked

    def _remember(self) -> None:
        self._known.append(
            {viewer: frozenset(card.value for card in known) for viewer, known in self._now.items()}
        )


def _cards(part: bytes | Raw) -> Names:
    return frozenset(found.decode() for found in _CARD.findall(bytes(part)))
