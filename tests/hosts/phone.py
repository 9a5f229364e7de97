"""A robot's phone in a process of its own: plays for a while, and tells what it was answered.

python -m tests.hosts.phone 10.77.0.1:8000 KVRT Anna 30
"""

import asyncio
import secrets
import sys
import time
from random import Random

import msgspec
from msgspec import Struct

from server.protocol import Done, Join
from tests.matrix.device import Device, Lost

SILENCE = 3.0
"""Seconds without an answer after which a phone takes its line for dead."""

PAUSE = 0.2
"""Seconds between two looks at whether somebody wants something of it."""


class Told(Struct, frozen=True):
    """What a phone knows in the end: its last entry, what was done for it, and how it fared."""

    token: str
    seq: int
    done: dict[str, int]
    """Entries by the ids of the asks that led to them."""
    lines: int
    """Connections it had."""
    longest: float
    """Seconds from taking a line for dead to the whole view, at most."""


async def plays(device: Device, seconds: float) -> Told:
    """What the phone knows after it has played for so long, and then only looked on."""
    chance, until = Random(), time.monotonic() + seconds
    lines, longest = 0, 0.0
    lost_at: float | None = None
    while True:
        try:
            async with asyncio.timeout(SILENCE):
                await device.comes(remembers=True)
            if device.claim is not None:
                device.sits()
            lines += 1
            if lost_at is not None:
                longest, lost_at = max(longest, time.monotonic() - lost_at), None
            await _used(device, chance, until)
            done = {i: one.seq for i, one in device.answers.items() if isinstance(one, Done)}
            return Told(device.token or "", device.update.seq, done, lines, longest)
        except (Lost, TimeoutError):
            lost_at = lost_at or time.monotonic()


async def _used(device: Device, chance: Random, until: float) -> None:
    """The phone was used until the time was over, and a while longer to see the rest."""
    for number in range(1 << 30):
        over = time.monotonic() - until
        if over > SILENCE:
            return
        wish = None if over > 0 else device.wish(chance)
        async with asyncio.timeout(SILENCE):
            if wish is not None:
                await device.asks(wish)
            await device.echoes(number)
        if wish is None:
            await asyncio.sleep(PAUSE)


def main(way: str, code: str, name: str, seconds: str) -> None:
    """Play, then print what is known."""
    device = Device(code, way)
    device.claim = Join(name=name, token=secrets.token_urlsafe(16))
    told = asyncio.run(plays(device, float(seconds)))
    sys.stdout.write(msgspec.json.encode(told).decode() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
