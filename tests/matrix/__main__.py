"""Everything that can go wrong, in every phase, for everybody who looks: does the evening go on?

python -m tests.matrix --faults sigkill,reload --phases giving,last --profile ru-3 --seed 5
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from tests.matrix.cell import Cell, Verdict
from tests.matrix.faults import FAULTS
from tests.matrix.matrix import cells, judged
from tests.matrix.phases import PHASES

PROFILES = ("ru-3", "ru-4", "1001-bid-3")
"""One for three, one in which somebody sits out, and one in which cards are laid away."""


def main(arguments: list[str]) -> int:
    """Run the cells that were asked for; 1: something went wrong in one of them."""
    wanted = _asked(arguments)
    print(f"seed {wanted.seed}", flush=True)  # noqa: T201
    chosen = cells(wanted.profile, _names(wanted.phases), _names(wanted.faults))
    with tempfile.TemporaryDirectory() as folder:
        verdicts, senseless = asyncio.run(judged(chosen, Path(folder), str(wanted.seed), _say))
    _tell(verdicts, senseless)
    return int(any(verdict.wrong for verdict in verdicts))


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.matrix")
    asked.add_argument("--faults", default=",".join(fault.name for fault in FAULTS))
    asked.add_argument("--phases", default=",".join(phase.name for phase in PHASES))
    asked.add_argument("--profile", action="append", help="may be said again")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    wanted = asked.parse_args(arguments)
    wanted.profile = wanted.profile or PROFILES
    return wanted


def _names(listed: str) -> list[str]:
    return listed.split(",")


def _tell(verdicts: list[Verdict], senseless: dict[str, list[Cell]]) -> None:
    """What was not run and why, how much went wrong, and how long it took to be back."""
    for reason, left_out in sorted(senseless.items()):
        _say(f"{len(left_out)} cells make no sense: {reason}")
        for place, faults in _by_place(left_out).items():
            _say(f"    {place}: {', '.join(faults)}")
    by_fault: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_fault[verdict.cell.fault.name].append(verdict)
    for fault, ended in by_fault.items():
        _say(f"{fault:>12}: {_summary(ended)}")
    _say(f"{'all':>12}: {_summary(verdicts)}")


def _by_place(cells: Iterable[Cell]) -> dict[str, list[str]]:
    """The faults of `cells`, by where and whom they would strike."""
    places: dict[str, list[str]] = defaultdict(list)
    for cell in cells:
        places[f"{cell.profile.id} {cell.phase.name} {cell.viewer}"].append(cell.fault.name)
    return places


def _summary(verdicts: list[Verdict]) -> str:
    failed = sum(bool(verdict.wrong) for verdict in verdicts)
    told = f"{len(verdicts):4} cells, {failed} failed"
    if not verdicts:
        return told
    slowest = max(verdicts, key=lambda verdict: verdict.seconds)
    usual = median(verdict.seconds for verdict in verdicts)
    return (
        f"{told}, back after {usual * 1000:.0f} ms, at worst {slowest.seconds * 1000:.0f} ms"
        f" ({slowest.cell})"
    )


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
