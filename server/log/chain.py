"""What ties the entries of a room together, so that one that was changed is noticed.

Each entry is stored with its link: a digest over the link before it, its room, its number and its
bytes. An entry that was altered, exchanged, moved to another room or taken out of the middle makes
every later link false.
What is missing at the end cannot be noticed: a shorter log is a good log.
Nor is a link a signature: whoever rewrites the whole rest of a room can reckon the links anew.
"""

from hashlib import blake2b
from struct import Struct
from typing import NamedTuple

LENGTH = 16  # bytes of a link

_HEAD = Struct(">QI")  # the number, the length of the room's name


class Last(NamedTuple):
    """The entry with which a room ends."""

    seq: int
    link: bytes


NOTHING = Last(0, bytes(LENGTH))
"""Stands before the first entry of every room."""


def link(before: bytes, room: str, seq: int, data: bytes) -> bytes:
    """The link of entry `seq` of `room`, which follows the entry with the link `before`."""
    name = room.encode()
    content = b"".join((before, _HEAD.pack(seq, len(name)), name, data))
    return blake2b(content, digest_size=LENGTH).digest()


def extended(before: Last, room: str, data: bytes) -> Last:
    """The end of `room` once `data` follows `before`."""
    seq = before.seq + 1
    return Last(seq, link(before.link, room, seq, data))
