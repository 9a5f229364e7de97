"""What is packed comes out whole, and never more of it at once than a part."""

from random import Random

import pytest

from server.packing import PART, in_parts, pack, unpacked

CHANCE = Random(1)
DOCUMENTS = {
    "nothing": b"",
    "a letter": b"a",
    "a part": b"a" * PART,
    "two parts": b"ab" * PART,
    "what is packed to a thousandth": b"a" * 5_000_000,
    "what cannot be packed": CHANCE.randbytes(200_000),
    "a mixture": b"a" * 300_000 + CHANCE.randbytes(50_000) + b"b" * 300_001,
}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
async def test_what_was_packed_is_unpacked_in_small_parts(document: bytes):
    parts = [part async for part in unpacked(pack(document))]

    assert b"".join(parts) == document
    assert all(0 < len(part) <= PART for part in parts)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
async def test_what_was_packed_is_sent_in_small_parts(document: bytes):
    packed = pack(document)
    parts = [part async for part in in_parts(packed)]

    assert b"".join(parts) == packed
    assert all(0 < len(part) <= PART for part in parts)
