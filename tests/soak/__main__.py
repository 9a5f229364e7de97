"""Does a server that runs for long stay as it was? A table a line a minute, and a verdict.

python -m tests.soak --rooms 100 --minutes 20 --drop 0.01
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import uvloop

from tests.soak.evening import Sample, Soak, grown_per_ask, growth, is_flat, soaked

HEADS = (
    "minute    asks  asks/s  p50 ms  p99 ms  RSS MiB  fds  threads  lines"
    "  reconnects  games  errors"
)


def main(arguments: list[str]) -> int:
    """Soak a server as was asked; 1: something grew, or something went wrong."""
    wanted = _asked(arguments)
    print(f"seed {wanted.seed}\n{HEADS}", flush=True)  # noqa: T201
    soak = Soak(
        rooms=wanted.rooms,
        seconds=60 * wanted.minutes,
        every=wanted.every,
        think=wanted.think,
        drop=wanted.drop,
        seed=wanted.seed,
        profile=wanted.profile,
    )
    with tempfile.TemporaryDirectory() as folder:
        samples = uvloop.run(soaked(soak, Path(folder), lambda sample: _row(sample, soak.every)))
        said = (Path(folder) / "output").read_text()
    factors, failures, errors = growth(samples), said.count("Traceback"), samples[-1].errors
    told = ", ".join(f"{figure} x{factor:.2f}" for figure, factor in factors.items())
    verdict = "flat" if is_flat(factors) else "NOT FLAT"
    print(f"{verdict}: later half against first: {told}")  # noqa: T201
    print(f"memory grew by {grown_per_ask(samples):.0f} bytes an ask")  # noqa: T201
    print(f"{errors} errors, {failures} tracebacks")  # noqa: T201
    return int(not is_flat(factors) or bool(errors or failures))


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    asked.add_argument("--rooms", type=int, default=100)
    asked.add_argument("--minutes", type=float, default=20.0)
    asked.add_argument("--every", type=float, default=60.0, help="seconds between samples (60)")
    asked.add_argument("--think", type=float, default=2.0, help="seconds of thought (2)")
    asked.add_argument("--drop", type=float, default=0.01, help="probability per second (0.01)")
    asked.add_argument("--profile")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    return asked.parse_args(arguments)


def _row(one: Sample, every: float) -> None:
    print(  # noqa: T201
        f"{one.minute:6.1f} {one.asks:7} {one.asks / every:7.1f} {one.p50_ms:7.2f}"
        f" {one.p99_ms:7.1f} {one.resident / 2**20:8.1f} {one.files:4} {one.threads:8}"
        f" {one.connections:6} {one.reconnects:11} {one.games:6} {one.errors:7}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
