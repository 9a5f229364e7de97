"""A server killed at any moment, and its log damaged on top: is every promise kept?

python -m tests.crash --kills 500 --torn 100
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import uvloop

from tests.crash.kills import MOMENTS, Killed, Moment, killed_often
from tests.crash.torn import Torn, Wreck
from tests.crash.truth import Untrue

EVENING = 50
"""Kills after which others sit down at another server, so that no log is long."""


def main(arguments: list[str]) -> int:
    """Kill and damage as was asked; 1: a promise was broken."""
    wanted = _asked(arguments)
    _say(f"seed {wanted.seed}")
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            killed, torn = uvloop.run(
                crashed(wanted.kills, wanted.torn, wanted.rooms, Path(folder), wanted.seed)
            )
    except Untrue as untrue:
        _say(f"FAILED (seed {wanted.seed}): {untrue}")
        return 1
    _tell(killed, torn)
    _say(f"{time.monotonic() - began:.0f} s")
    return 0


async def crashed(
    kills: int, torn: int, rooms: int, folder: Path, seed: int
) -> tuple[list[Killed], list[Torn]]:
    """Evening after evening until there were so many kills and so many damaged logs.

    Raises:
        Untrue: a promise was broken.
    """
    chance = Random(seed)
    all_killed, all_torn = list[Killed](), list[Torn]()
    evenings = -(-kills // EVENING)
    for number in range(evenings):
        place = folder / str(number)
        place.mkdir()
        share = min(EVENING, kills - number * EVENING)
        killed, evening = await killed_often(share, rooms, place, chance)
        all_killed.append(killed)
        wreck = Wreck(evening, place)
        until = torn * (number + 1) // evenings
        while len(all_torn) < until:
            all_torn.append(await wreck.opened(len(all_torn), chance))
        _say(f"{sum(one.kills.total() for one in all_killed)} kills, {len(all_torn)} damaged logs")
    return all_killed, all_torn


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    asked.add_argument("--kills", type=int, default=500)
    asked.add_argument("--torn", type=int, help="damaged logs (a fifth of the kills)")
    asked.add_argument("--rooms", type=int, default=4)
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = asked.parse_args(arguments)
    if wanted.torn is None:
        wanted.torn = wanted.kills // 5
    return wanted


def _tell(killed: list[Killed], torn: list[Torn]) -> None:
    kills = sum((one.kills for one in killed), Counter[Moment]())
    answers, entries = sum(one.answers for one in killed), sum(one.entries for one in killed)
    _say(f"{kills.total()} kills")
    for moment in MOMENTS:
        _say(f"{kills[moment]:6}  {moment}")
    refusals = sum(one.refusals for one in killed)
    _say(f"{refusals} asks were refused as not stored, and none is among the entries")
    _say(f"{answers} asks were answered, and all are among the {entries} entries")
    mended = sum(one.kept for one in torn)
    _say(f"{len(torn)} damaged logs, {mended} of them mended with the damaged one kept;")
    _say(f"{sum(one.rooms for one in torn)} rooms were left and played on")
    _say(f"{sum(one.cut for one in torn)} of them said that they were restored")
    for damage, times in Counter(one.damage.split(" at ")[0] for one in torn).most_common(20):
        _say(f"{times:6}  {damage}")


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
