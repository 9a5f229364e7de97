"""Documents packed by gzip and sent part by part: little of them waits for whoever reads slowly."""

import zlib
from collections.abc import AsyncIterator

BLOCK = 65_536
"""Bytes that are packed at once."""

PART = 16_384
"""Bytes of an answer that are sent at once: no more of it waits for whoever reads slowly."""

_GZIP = 31
"""What zlib calls gzip."""


def pack(document: bytes) -> bytes:
    """`document`, packed."""
    view, packer = memoryview(document), zlib.compressobj(6, wbits=_GZIP)
    blocks = (view[at : at + BLOCK] for at in range(0, len(view), BLOCK))
    return b"".join([*map(packer.compress, blocks), packer.flush()])


async def in_parts(packed: bytes) -> AsyncIterator[bytes]:
    """What was packed, part by part as it is taken."""
    for at in range(0, len(packed), PART):
        yield packed[at : at + PART]


async def unpacked(packed: bytes) -> AsyncIterator[bytes]:
    """What was packed, unpacked part by part as it is taken: a little may become very much."""
    unpacker = zlib.decompressobj(wbits=_GZIP)
    async for some in in_parts(packed):
        rest = some
        while part := unpacker.decompress(rest, PART):
            yield part
            rest = unpacker.unconsumed_tail
