"""Entries to bytes and back: the only place in the log that knows what an entry is."""

from typing import Any

import msgspec

from engine.history import SCHEMA, Entry
from engine.upcast import STEPS, upcast
from server.log.base import Stored


class EntryUnreadable(Exception):  # noqa: N818  # reads as what is the case
    """Stored bytes are no entry that this version understands; the text says which and why."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode
_shape_of = msgspec.json.Decoder(dict[str, Any]).decode


class _Schema(msgspec.Struct):
    schema: int


_schema_of = msgspec.json.Decoder(_Schema).decode


def encode(entry: Entry) -> bytes:
    """`entry` as the log stores it."""
    return _encode(entry)


def decode(stored: Stored) -> Entry:
    """The entry that was stored, by this version or an earlier one.

    Raises:
        EntryUnreadable: an unknown schema, another number inside, or bytes that are no entry.
    """
    try:
        entry = _read(stored)
    except (msgspec.MsgspecError, LookupError, TypeError) as error:
        raise EntryUnreadable(f"entry {stored.seq} cannot be read: {error}") from error
    if entry.seq != stored.seq:
        raise EntryUnreadable(f"entry {stored.seq} says it is number {entry.seq}")
    return entry


def _read(stored: Stored) -> Entry:
    schema = _schema_of(stored.data).schema
    if schema == SCHEMA:
        return _decode(stored.data)
    if schema not in STEPS:
        raise EntryUnreadable(
            f"entry {stored.seq} has schema {schema}; this version reads {min(STEPS)} to {SCHEMA}"
        )
    return msgspec.convert(upcast(_shape_of(stored.data), schema), Entry)
