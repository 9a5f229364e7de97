"""A hostile client beside a game of robots: is the server harmed, or the game, or a secret told?

python -m tests.fuzz --frames 1000000
python -m tests.fuzz --frames 20000 --limits

Exits 1 if there was harm, 3 if there was none and too few frames to say that memory does not grow.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import uvloop

from server.limits import Limits
from tests.crash.victim import served
from tests.fuzz.assault import Assault, Figures, Harm, Outcome
from tests.server.phones import built_client
from tests.soak.verdicts import Range, exit_code, slope

WARM_UP = 1 / 3
"""The part of the frames after which memory is judged: until then caches fill."""

KEPT = 256.0
"""Bytes that every frame may leave for good, in entries of the games that still run."""

STEP = 1 << 20
"""Bytes that a server may take at once whatever it is sent, as by a document that is larger."""


def main(arguments: list[str]) -> int:
    """Assault a server as was asked; 1: it came to harm, or did some."""
    wanted = _asked(arguments)
    _say(f"seed {wanted.seed}, limits {'as for strangers' if wanted.limits else 'off'}")
    _say(f"{'frames':>9} {'seconds':>8} {'own MiB':>8} {'fds':>5} threads")
    try:
        with tempfile.TemporaryDirectory() as folder:
            outcome = uvloop.run(
                assaulted(wanted.frames, Path(folder), wanted.seed, limits=wanted.limits, tell=_row)
            )
    except Harm as harm:
        _say(f"FAILED (seed {wanted.seed}): {harm}")
        return 1
    _tell(outcome)
    grown = grown_by(outcome.figures)
    verdict = grown.against(KEPT)
    _say(f"{verdict}: memory grows by {grown.told()} bytes a frame, at most {KEPT:g}")
    return exit_code([verdict])


def grown_by(figures: list[Figures]) -> Range:
    """Bytes that every frame has left for good since caches are full."""
    last = figures[-1].frames
    return slope(
        [(one.frames, one.held.memory) for one in figures if one.frames >= WARM_UP * last], STEP
    )


async def assaulted(
    frames: int,
    folder: Path,
    seed: int,
    *,
    limits: bool = False,
    tell: Callable[[Figures], None] = lambda _: None,
) -> Outcome:
    """What an assault of at least so many frames came to.

    With `limits` this machine has those of any guest, and the robots share them with the client.

    Raises:
        Harm: something was not as it must be.
    """
    client = folder / "client"
    client.mkdir()
    (built_client(client) / "replay.html").write_text("<!doctype html>")
    async with served(folder, Limits(own_machine=limits), client) as victim:
        return await Assault(victim, random.Random(seed), tell).run(frames)


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument("--frames", type=int, default=1_000_000)
    asked.add_argument("--limits", action="store_true", help="as for strangers")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    return asked.parse_args(arguments)


def _row(one: Figures) -> None:
    held = one.held
    _say(
        f"{one.frames:9} {one.seconds:8.1f} {held.memory / 2**20:8.1f} {held.files:5}"
        f" {held.threads:7}"
    )


def _tell(outcome: Outcome) -> None:
    _say(f"sent: {outcome.kinds}")
    _say(f"sockets were closed with: {outcome.closes}")
    _say(f"files: {outcome.before.files} before, {outcome.after.files} after")
    _say(f"the robots' game has {outcome.entries} entries, the client's own {outcome.own_entries}")
    _say(f"{outcome.looked_at} different frames were searched for secrets")


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
