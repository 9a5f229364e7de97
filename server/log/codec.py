"""Entries to bytes and back: the only place in the log that knows what an entry is.

A profile is stored whole once. A fact whose profile the room's log has told lately holds the number
of the entry that told it instead.
"""

from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from engine.events import AnyEvent, GameStarted, ProfileChosen, RoomOpened, Undone
from engine.history import SCHEMA, Entry
from engine.profile import Profile
from engine.upcast import STEPS, Shape, upcast
from server.log.base import Stored

ProfileEvent = RoomOpened | ProfileChosen | GameStarted
"""What holds a profile."""


class EntryUnreadable(Exception):  # noqa: N818  # reads as what is the case
    """Stored bytes are no entry that this version understands; the text says which and why."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Entry).decode
_shape_of = msgspec.json.Decoder(dict[str, Any]).decode


class _Schema(msgspec.Struct):
    schema: int


_schema_of = msgspec.json.Decoder(_Schema).decode


class Told:
    """The profiles that the log of one room told last, each with the entry that told it first.

    Whoever wrote and whoever reads has heard the same entries, and so knows the same ones.
    """

    KEPT = 16
    """Profiles that may be referred to. A later version keeps no fewer, or old logs are lost."""

    def __init__(self) -> None:
        self._profiles: OrderedDict[int, Profile] = OrderedDict()

    def __len__(self) -> int:
        return len(self._profiles)

    def hear(self, entry: Entry) -> None:
        """`entry` is the next of the room; the first new profile in it can be referred to."""
        for fact in entry.facts:
            if isinstance(fact, ProfileEvent) and entry.seq not in self._profiles:
                self._learn(entry.seq, fact.profile)

    def where(self, fact: AnyEvent | Undone) -> int | None:
        """The entry that told the profile of `fact`; None: it has none, or none that was told."""
        if not isinstance(fact, ProfileEvent):
            return None
        return next((seq for seq, one in self._profiles.items() if one == fact.profile), None)

    def profile(self, seq: int) -> Profile | None:
        """What entry `seq` told; None: nothing that is still known."""
        return self._profiles.get(seq)

    def _learn(self, seq: int, profile: Profile) -> None:
        if profile not in self._profiles.values():
            self._profiles[seq] = profile
            if len(self._profiles) > self.KEPT:
                self._profiles.popitem(last=False)


def encode(entry: Entry, told: Told | None = None) -> bytes:
    """`entry` as the log stores it, in a room whose log has `told` so much; None: nothing yet."""
    known = {} if told is None else dict(enumerate(map(told.where, entry.facts)))
    if not any(known.values()):
        return _encode(entry)
    shape = msgspec.to_builtins(entry)
    for index, seq in known.items():
        if seq is not None:
            shape["facts"][index]["profile"] = seq
    return _encode(shape)


def entries_of(stored: Iterable[Stored]) -> list[Entry]:
    """The entries of a room of which all are `stored`, from the first.

    Raises:
        EntryUnreadable: as `EntryDecoder.entry` does.
    """
    decoder = EntryDecoder()
    return [decoder.entry(one) for one in stored]


class EntryDecoder:
    """Reads the entries of one room, in their order and from the first."""

    def __init__(self) -> None:
        self.told = Told()
        """By all that was read; whoever writes the next entry refers to it."""

    def entry(self, stored: Stored) -> Entry:
        """The entry that was stored, by this version or an earlier one.

        Raises:
            EntryUnreadable: an unknown schema, another number inside, a profile that was not told,
                or bytes that are no entry.
        """
        try:
            entry = self._read(stored)
        except (msgspec.MsgspecError, LookupError, TypeError, RecursionError) as error:
            raise EntryUnreadable(f"entry {stored.seq} cannot be read: {error}") from error
        if entry.seq != stored.seq:
            raise EntryUnreadable(f"entry {stored.seq} says it is number {entry.seq}")
        self.told.hear(entry)
        return entry

    def _read(self, stored: Stored) -> Entry:
        schema = _schema_of(stored.data).schema
        if schema == SCHEMA:
            with suppress(msgspec.ValidationError):  # as where a number stands for a profile
                return _decode(stored.data)
        elif schema not in STEPS:
            raise EntryUnreadable(
                f"entry {stored.seq} has schema {schema}; "
                f"this version reads {min(STEPS)} to {SCHEMA}"
            )
        shape = upcast(_shape_of(stored.data), schema)
        return msgspec.convert(self._told_whole(shape), Entry)

    def _told_whole(self, entry: Shape) -> Shape:
        """`entry` with the profiles to which it refers."""
        return entry | {"facts": [self._fact_told_whole(fact) for fact in entry["facts"]]}

    def _fact_told_whole(self, fact: object) -> object:
        match fact:
            case {"profile": int(seq), **rest} if not isinstance(seq, bool):
                if (profile := self.told.profile(seq)) is None:
                    raise LookupError(f"entry {seq} tells no profile")
                return rest | {"profile": profile}
            case _:
                return fact
