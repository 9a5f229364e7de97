"""A game of nobody: names become letters, by the chairs on which the game began."""

from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from msgspec.structs import replace

from engine.events import AnyEvent, PlayerSeated, Undone
from engine.games import steps
from engine.history import Entry


class Anonymous:
    """The entries of a room with other names: A, B, C and D began a game, others come after them.

    Whoever goes over them goes over `entries`, the room's from the first, each time anew.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """

    def __init__(self, entries: Iterable[Entry], number: int) -> None:
        self._entries = entries
        self._players = _players(entries, number)

    def __iter__(self) -> Iterator[Entry]:
        letters = {name: _letter(index) for index, name in enumerate(self._players)}
        for entry in self._entries:
            yield replace(entry, facts=tuple(_renamed(fact, letters) for fact in entry.facts))


def _players(entries: Iterable[Entry], number: int) -> list[str]:
    """Who sat there when game `number` began; each name once."""
    for step in steps(entries):
        if step.begins and step.game == number:
            return list(dict.fromkeys(one.name for one in step.room.players if one is not None))
    return []


def _renamed(fact: AnyEvent | Undone, letters: dict[str, str]) -> AnyEvent | Undone:
    """`fact` with a letter for its name, a new one for a new name."""
    if not isinstance(fact, PlayerSeated):
        return fact
    return replace(fact, name=letters.setdefault(fact.name, _letter(len(letters))))


def _letter(index: int) -> str:
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"Player {index + 1}"
