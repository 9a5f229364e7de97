"""The matrix: which cells there are, and all of them run against one server."""

import asyncio
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine.history import Entry, past_of
from server.identity import CODE_LENGTH, CODE_LETTERS
from server.log import SqliteLog
from server.log.codec import encode
from server.profiles import load_profiles
from tests.matrix.cell import Cell, Run, Verdict
from tests.matrix.faults import FAULTS
from tests.matrix.phases import PHASES, prepared
from tests.matrix.server import Served
from tests.matrix.viewers import VIEWERS

TOGETHER = 24
"""Tables that one restart strikes at most."""


TELL_EVERY = 100
"""Cells after which it is told how far it is."""


class Judged(NamedTuple):
    """How the cells ended, and why some of them do not exist."""

    verdicts: list[Verdict]
    senseless: dict[str, list[Cell]]


def cells(profiles: Iterable[str], phases: Sequence[str], faults: Sequence[str]) -> list[Cell]:
    """Every viewer in those phases of those profiles, struck by those faults.

    Raises:
        KeyError: there is no such profile, phase or fault.
    """
    by_profile = load_profiles()
    by_phase = {phase.name: phase for phase in PHASES}
    by_fault = {fault.name: fault for fault in FAULTS}
    return [
        Cell(by_profile[profile], by_phase[phase], by_fault[fault], viewer)
        for fault, profile, phase, viewer in itertools.product(faults, profiles, phases, VIEWERS)
    ]


async def judged(
    chosen: Iterable[Cell], folder: Path, seed: str, tell: Callable[[str], None] = lambda _: None
) -> Judged:
    """Every cell that makes sense was run, on games prepared in `folder`.

    `tell` hears of what is wrong at once, and now and then how far it is.
    """
    served, plays, result = Served(folder), _Plays(seed), Judged([], defaultdict(list))
    runs: list[Run] = []
    codes = map("".join, itertools.product(CODE_LETTERS, repeat=CODE_LENGTH))
    for cell in chosen:
        if reason := plays.senseless(cell):
            result.senseless[reason].append(cell)
        else:
            runs.append(Run(cell, served, next(codes), plays.of(cell), seed))
    await _store(served.data, runs)
    await served.start()
    try:
        for group in _groups(runs):
            for verdict in await _run(group, served):
                result.verdicts.append(verdict)
                if verdict.wrong:
                    tell(f"FAILED {verdict.cell}: {verdict.wrong}")
                if len(result.verdicts) % TELL_EVERY == 0:
                    tell(f"{len(result.verdicts)} of {len(runs)} cells")
    finally:
        await served.stop()
    return result


class _Plays:
    """The log of every phase, played once."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._played: dict[tuple[str, str], list[Entry]] = {}

    def of(self, cell: Cell) -> list[Entry]:
        key = (cell.profile.id, cell.phase.name)
        if key not in self._played:
            self._played[key] = prepared(cell.profile, cell.phase, Random(f"{self._seed} {key}"))
        return self._played[key]

    def senseless(self, cell: Cell) -> str | None:
        if reason := cell.phase.missing(cell.profile):
            return reason
        room = past_of(self.of(cell)).room
        assert room is not None
        return cell.senseless(room)


async def _store(data: Path, runs: list[Run]) -> None:
    """Every run finds its room in the log."""
    log = SqliteLog(data)
    try:
        await asyncio.gather(
            *(log.append(run.code, one.seq, encode(one)) for run in runs for one in run.entries)
        )
    finally:
        log.close()


def _groups(runs: list[Run]) -> Iterator[list[Run]]:
    """Runs that are struck together: one by one, or by one restart."""
    for fault, same in itertools.groupby(runs, key=lambda run: run.cell.fault):
        at_once = TOGETHER if fault.house else 1
        together = list(same)
        for at in range(0, len(together), at_once):
            yield together[at : at + at_once]


async def _run(group: list[Run], served: Served) -> list[Verdict]:
    async with AsyncExitStack() as stack:
        for run in group:
            await run.begins(stack)
        await group[0].cell.fault.happens(served)
        for run in group:
            await run.ends()
    return [run.verdict for run in group]
