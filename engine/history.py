"""An entry of the log: one decision with everything it led to."""

from msgspec import Struct

from engine.events import AnyEvent

SCHEMA = 1
"""Number of the shapes in which facts are stored today."""


class AskId(Struct, frozen=True):
    """Which ask an entry answers: the id a phone gave it, and the key of the player who asked."""

    key: str
    id: str


class Entry(Struct, frozen=True, kw_only=True):
    """The unit of storage, undo and replay. `seq` counts from 1 without holes."""

    seq: int
    facts: tuple[AnyEvent, ...]
    ask: AskId | None = None
    schema: int = SCHEMA
