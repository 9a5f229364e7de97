"""Entries as earlier schemas stored them, brought to today's shape before anything else sees them.

Each step knows one schema and leads to the next. A step is never edited once its schema was
released: what was stored by it stays as it is for ever.
"""

from collections.abc import Callable, Mapping
from typing import Any

Shape = dict[str, Any]
"""An entry as JSON says it."""


def upcast(entry: Shape, schema: int) -> Shape:
    """`entry`, which was stored under `schema`, in today's shape.

    Raises:
        LookupError, TypeError: it is no entry of that schema.
    """
    while step := STEPS.get(schema):
        entry = step(entry)
        schema += 1
    return entry


def _from_1(entry: Shape) -> Shape:
    """A game that began did not say when."""
    facts = [
        fact | {"at": None} if fact["type"] == "game_started" else fact for fact in entry["facts"]
    ]
    return entry | {"facts": facts, "schema": 2}


def _from_2(entry: Shape) -> Shape:
    """Every profile stood in its fact whole; no number stood for one."""
    return entry | {"schema": 3}


STEPS: Mapping[int, Callable[[Shape], Shape]] = {1: _from_1, 2: _from_2}
"""What leads on from each schema that is not today's."""
