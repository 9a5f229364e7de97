"""A hostile laptop attacks a server in every way we know, while others play; a line a way.

python -m tests.attack                                  # every kind, one after the other
python -m tests.attack --rows ready,storm --seconds 20
python -m tests.attack --all --minutes 60               # all kinds at once, again and again
"""

import argparse
import asyncio
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.attack.ground import ground
from tests.attack.memory import allotted
from tests.attack.rows import BY_NAME, ROWS
from tests.attack.siege import besieged
from tests.attack.trial import MIB, Bounds, Pantry, Terms, Verdict, tried
from tests.hosts.machines import CannotHost

HEADS = (
    f"{'kind':22} {'RSS':>5} {'group':>6} {'p50':>6} {'p99':>7} {'worst':>7} {'answers':>7}"
    f" {'page':>7} {'back':>7} {'entries':>8} {'KiB':>7} {'CPU s':>6}  verdict"
)


def main(arguments: list[str]) -> int:
    """Attack as was asked; 1: something was not as it should be, 2: not possible here."""
    wanted = _asked(arguments)
    _say(f"seed {wanted.seed}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the machines go in any case
    try:
        return asyncio.run(_attacked(wanted))
    except CannotHost as problem:
        _say(f"not possible here: {problem}")
        return 2


def _asked(arguments: list[str]) -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    asked.add_argument("--rows", help="some kinds, by their names")
    asked.add_argument("--list", action="store_true", help="say which kinds there are")
    asked.add_argument("--seconds", type=float, default=8.0, help="for each kind (8)")
    asked.add_argument("--all", action="store_true", help="all kinds at once")
    asked.add_argument("--minutes", type=float, default=60.0, help="with --all (60)")
    asked.add_argument("--limit", type=int, default=256, help="MiB that the server has (256)")
    asked.add_argument("--mib", type=float, default=128.0, help="MiB that it may need (128)")
    asked.add_argument("--wait", type=float, default=250.0, help="ms a player may wait (250)")
    asked.add_argument("--untimed", action="store_true", help="judge no times")
    asked.add_argument("--folder", type=Path, help="a new one, for logs and what servers said")
    asked.add_argument("--seed", default=str(random.SystemRandom().randrange(1 << 32)))
    wanted = asked.parse_args(arguments)
    names = wanted.rows.split(",") if wanted.rows else list(BY_NAME)
    if unknown := set(names) - set(BY_NAME):
        asked.error(f"there is no kind {', '.join(unknown)}; see --list")
    if wanted.list:
        _say("\n".join(f"{row.name:22} {row.does}" for row in ROWS))
        asked.exit()
    wanted.rows = [BY_NAME[name] for name in names]
    return wanted


async def _attacked(wanted: argparse.Namespace) -> int:
    bounds = Bounds(int(wanted.mib * MIB), None if wanted.untimed else wanted.wait)
    with (
        _folder(wanted.folder) as folder,
        ground() as there,
        allotted(wanted.limit * MIB) as keeper,
    ):
        _say(f"the server has {wanted.limit} MiB: {keeper.says}")
        terms = Terms(there, keeper, bounds, wanted.seed)
        pantry = Pantry(folder / "pantry")
        if wanted.all:
            return await besieged(wanted.rows, 60 * wanted.minutes, folder, terms, _say)
        _say(HEADS)
        wrong = 0
        for row in wanted.rows:
            place = folder / row.name
            place.mkdir()
            await pantry.lay([row], place / "data")
            seconds = max(wanted.seconds, row.seconds)
            verdict = await tried(row, seconds, place, terms)
            _say(_line(verdict))
            wrong += bool(verdict.wrong)
        _say(f"{wrong} of {len(wanted.rows)} kinds are not as they should be")
        return int(bool(wrong))


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    """The folder that was wanted, which stays; else one that is gone afterwards."""
    if wanted is not None:
        wanted.mkdir(parents=True)
        yield wanted
        return
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def _line(one: Verdict) -> str:
    figures = one.figures
    group = "-" if one.group is None else f"{one.group / MIB:.0f}"
    page, back = (
        "no" if ms is None else f"{ms:.0f}" for ms in (one.reloaded.page, one.reloaded.back)
    )
    did = " ".join(f"{count} {what}" for what, count in one.did.items())
    return (
        f"{one.name:22} {one.resident / MIB:5.0f} {group:>6} {figures.p50:6.1f} {figures.p99:7.1f}"
        f" {figures.worst:7.1f} {figures.answers:7} {page:>7} {back:>7} {one.written.entries:8}"
        f" {one.written.size / 1024:7.0f} {one.cpu:6.1f}  {'; '.join(one.wrong) or 'ok'}  ({did})"
    )


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
