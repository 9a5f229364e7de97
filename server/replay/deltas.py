"""What makes one document out of another, small enough to be sent for every step of a game.

`{}` changes nothing. An object says what becomes of some fields, or of some elements of an array by
their index; an index behind the end adds an element. A list of one is a new value. Any other value
is the new value itself. PROTOCOL.md tells clients the same.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

Patch = Any
"""A patch before it is encoded: objects, lists of one, and values that msgspec encodes."""

SAME: Patch = {}


def whole(document: object) -> Patch:
    """The patch that makes `document` of anything."""
    if document is None or isinstance(document, str | int | Enum):
        return document
    return [document]


def delta(before: object, after: object) -> Patch:
    """The patch that makes `after` of `before`; both are what our message types are made of."""
    return SAME if before is after or before == after else _difference(before, after)


def _difference(before: object, after: object) -> Patch:
    """The patch between two that are not the same."""
    if isinstance(after, Struct) and type(before) is type(after):
        return _changes(after.__struct_encode_fields__, astuple(before), astuple(after))
    if isinstance(after, tuple) and isinstance(before, tuple) and _grows(before, after):
        added = enumerate(after[len(before) :], len(before))
        changed = _changes(range(len(before)), before, after)
        return changed | {str(at): whole(element) for at, element in added}
    return whole(after)


def _changes(
    names: Iterable[str | int], before: Iterable[object], after: Iterable[object]
) -> dict[str, Patch]:
    """The patches for what differs, by name or number."""
    pairs = zip(names, before, after, strict=False)
    return {
        str(name): _difference(old, new)
        for name, old, new in pairs
        if old is not new and old != new
    }


def _grows(before: tuple[object, ...], after: tuple[object, ...]) -> bool:
    """Whether naming elements is likely to be shorter than all of them."""
    return 0 < len(before) <= len(after) and isinstance(after[-1], Struct)


def applied(document: Any, patch: Patch) -> Any:  # noqa: ANN401  # decoded JSON, of any shape
    """`document` after `patch`, both decoded; what clients do, for those who check it."""
    match patch:
        case [value]:
            return value
        case dict() if isinstance(document, list):
            longer = dict(enumerate(document))
            for index, change in patch.items():
                longer[int(index)] = applied(longer.get(int(index)), change)
            return list(longer.values())
        case dict():
            return {
                **document,
                **{name: applied(document[name], change) for name, change in patch.items()},
            }
        case _:
            return patch
