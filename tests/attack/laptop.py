"""The attackers, in a process of their own on the laptop.

python -m tests.attack.laptop TABLE SECONDS SEED ROW [ROW ...]

Prints what was done as a line of JSON.
"""

import asyncio
import json
import os
import resource
import sys
from contextlib import suppress
from random import Random

import uvloop

from tests.attack.foe import Foe
from tests.attack.rows import BY_NAME, Row, first_of

NICE = 10
"""Attackers give way to the house and to the players, who have machines of their own in earnest."""


async def attacked(
    table: str, seconds: float, seed: str, rows: list[Row]
) -> dict[str, dict[str, int]]:
    """What each of `rows` did in so many seconds, all at once."""
    foes = [Foe(first_of(row), table, Random(f"{seed}-{row.name}")) for row in rows]
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*map(_until_stopped, rows, foes))
    return {row.name: dict(foe.did) for row, foe in zip(rows, foes, strict=True)}


async def _until_stopped(row: Row, foe: Foe) -> None:
    """The attack, and again where it came to an end by itself or was beaten off."""
    while True:
        try:
            await row.attack(foe)
        except Exception as error:  # noqa: BLE001  # how a house beats an attack off is its affair
            foe.did[f"ended by {type(error).__name__}"] += 1
        await asyncio.sleep(1)


def main(table: str, seconds: str, seed: str, *names: str) -> None:
    """Attack, then say what was done."""
    os.nice(NICE)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    did = uvloop.run(attacked(table, float(seconds), seed, [BY_NAME[name] for name in names]))
    sys.stdout.write(json.dumps(did) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
