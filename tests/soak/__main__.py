"""Does a server that runs for long stay as it was? A table, line by line, and verdicts.

python -m tests.soak --rooms 100 --minutes 20 --drop 0.01

Exits 1 if something grew or went wrong, 3 if the run was too short to say that nothing did.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import uvloop

from tests.soak.evening import Sample, Soak, soaked
from tests.soak.judging import judged
from tests.soak.verdicts import SURE, exit_code

SAMPLES = 60
"""So many lines a soak has, however long it is, if nothing else is asked for."""

HEADS = (
    "minute    asks  asks/s  p50 ms  floor  p99 ms  floor  own MiB  fds  threads  lines"
    "  reconnects  games  errors"
)


def main(arguments: list[str]) -> int:
    """Soak a server as was asked; 1: something grew, or something went wrong."""
    wanted = _asked(arguments)
    print(f"seed {wanted.seed}\n{HEADS}", flush=True)  # noqa: T201
    seconds = 60 * wanted.minutes
    soak = Soak(
        rooms=wanted.rooms,
        seconds=seconds,
        every=wanted.every or seconds / SAMPLES,
        think=wanted.think,
        drop=wanted.drop,
        seed=wanted.seed,
        profile=wanted.profile,
    )
    with tempfile.TemporaryDirectory() as folder:
        samples = uvloop.run(soaked(soak, Path(folder), lambda sample: _row(sample, soak.every)))
        said = (Path(folder) / "output").read_text()
    failures, errors = said.count("Traceback"), samples[-1].errors
    print(f"ranges are {SURE:.0%} sure")  # noqa: T201
    verdicts = judged(samples)
    for one in verdicts:
        print(f"{one.verdict}: {one.says}")  # noqa: T201
    print(f"{errors} errors, {failures} tracebacks")  # noqa: T201
    return 1 if errors or failures else exit_code([one.verdict for one in verdicts])


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--rooms", type=int, default=100)
    asked.add_argument("--minutes", type=float, default=20.0)
    asked.add_argument("--every", type=float, help="seconds between samples (a 60th of the time)")
    asked.add_argument("--think", type=float, default=2.0, help="seconds of thought (2)")
    asked.add_argument("--drop", type=float, default=0.01, help="probability per second (0.01)")
    asked.add_argument("--profile")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    return asked.parse_args(arguments)


def _row(one: Sample, every: float) -> None:
    print(  # noqa: T201
        f"{one.minute:6.1f} {one.asks:7} {one.asks / every:7.1f} {one.p50_ms:7.2f}"
        f" {one.floor_p50_ms:6.2f} {one.p99_ms:7.1f} {one.floor_p99_ms:6.1f}"
        f" {one.memory / 2**20:8.1f} {one.files:4} {one.threads:8}"
        f" {one.connections:6} {one.reconnects:11} {one.games:6} {one.errors:7}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
