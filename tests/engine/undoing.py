"""What counts of a log, found in a way that cannot be wrong: with all of it in memory."""

from collections.abc import Iterable

from engine.events import ReadySet
from engine.evolve import fold
from engine.history import Entry, past_of, spared, standing


def standing_of_all(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that still count; the undoing ones are not among them."""
    kept: list[Entry] = []
    for entry in entries:
        if entry.undone is None:
            kept.append(entry)
        else:
            kept = spared(kept, entry.undone.back_to)
    return kept


def without_ready(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if not isinstance(entry.facts[0], ReadySet)]


def assert_stands(log: list[Entry]) -> None:
    told, reference = list(standing(log)), standing_of_all(log)
    assert without_ready(told) == without_ready(reference)
    assert [entry.seq for entry in told] == sorted({entry.seq for entry in told})
    assert fold(fact for one in told for fact in one.happened) == past_of(log).room
