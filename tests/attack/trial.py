"""One kind of input tried on a server of its own, beside two tables that play."""

import asyncio
import shutil
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import msgspec
from msgspec import Struct

from server.rehearse.report import Answer
from tests.attack.ground import Ground
from tests.attack.house import Held, House
from tests.attack.lengthened import Lies
from tests.attack.memory import LOOK_EVERY, Keeper
from tests.attack.players import Figures, Reloaded
from tests.attack.rows import Row
from tests.attack.tables import playing, reload_amid
from tests.crash.truth import Truth, Untrue, rows_in

HANGS = 60.0
"""Seconds after which something that should happen does not."""

SETTLES = 1.0
"""Seconds before an attack and after it, in which the players are measured too."""

MIB = 1 << 20


class Bounds(Struct, frozen=True):
    """What a server may need; None: that is not judged."""

    memory: int
    """Bytes that lie in RAM."""
    wait: float | None
    """Milliseconds that a player of another table waits at most."""


class Terms(Struct, frozen=True):
    """What all kinds are tried with."""

    ground: Ground
    keeper: Keeper
    bounds: Bounds
    seed: str


class Verdict(Struct, frozen=True, kw_only=True):
    """What came of an attack."""

    name: str
    resident: int
    """Bytes of the server that lay in RAM at most."""
    group: int | None
    """Bytes of its cgroup at most, with what the system keeps of files."""
    figures: Figures
    reloaded: Reloaded
    written: Held
    """By the attackers, that is in neither of the players' rooms."""
    held: int
    """Answers to players and robots that were looked for in the log."""
    cpu: float
    """Processor seconds of the server."""
    did: dict[str, int]
    wrong: tuple[str, ...]
    """Why it is not as it should be."""


class Pantry:
    """Data folders with what lies there before a server starts, each made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[Lies, Path] = {}

    async def lay(self, rows: Iterable[Row], data: Path) -> None:
        """`data` holds what all of `rows` need."""
        needed = list(dict.fromkeys(row.lies for row in rows if row.lies is not None))
        if len(needed) == 1:
            shutil.copytree(await self._kept(needed[0]), data)
            return
        for lies in needed:
            await lies(data)

    async def _kept(self, lies: Lies) -> Path:
        if lies not in self._made:
            self._made[lies] = self._folder / str(len(self._made))
            await lies(self._made[lies])
        return self._made[lies]


async def tried(row: Row, seconds: float, folder: Path, terms: Terms) -> Verdict:
    """What came of `row`, on a new server with its games in `folder`."""
    house = House(terms.ground.house, folder, terms.keeper, row.files)
    try:
        await house.start()
        before = house.holds()
        with playing(folder) as (players, robots):
            await players.sit()
            await asyncio.sleep(SETTLES)
            await players.begin()
            house.forget_peaks()
            cpu = house.cpu_seconds
            attack = attacking([row], seconds, players.code, terms)
            reloading = asyncio.create_task(reload_amid(players, seconds, house))
            did = await told(attack, seconds, house)
            reloaded = await reloading
            await asyncio.sleep(SETTLES)
            cpu = max(0.0, house.cpu_seconds - cpu)
            figures, lives = await players.figures(), house.lives
            answers = await players.end()
            robots_play = robots.play
        house.kill()
        answers += robots.answered()
    finally:
        house.kill()
    wrong = [
        *([] if lives else ["the server died"]),
        *([] if robots_play or not lives else ["the robots gave up"]),
        *judged(terms.bounds, house.peak, figures, reloaded),
        *lost(house.data, answers),
        *faults(house.said),
    ]
    return Verdict(
        name=row.name,
        resident=house.peak,
        group=house.group_peak,
        figures=figures,
        reloaded=reloaded,
        written=house.holds(but={one.room for one in answers}).since(before),
        held=len(answers),
        cpu=cpu,
        did=did.get(row.name, {}),
        wrong=tuple(wrong),
    )


def attacking(rows: Sequence[Row], seconds: float, code: str, terms: Terms) -> Popen[str]:
    """The process of the attackers, all of `rows` at once; the players' table is `code`."""
    names = [row.name for row in rows]
    return terms.ground.laptop.runs("tests.attack.laptop", code, str(seconds), terms.seed, *names)


def judged(bounds: Bounds, resident: int, figures: Figures, reloaded: Reloaded) -> list[str]:
    """Which figures are over their bounds."""
    wrong = []
    if resident > bounds.memory:
        wrong.append(f"{resident / MIB:.0f} MiB")
    if bounds.wait is None:
        return wrong
    if figures.worst > bounds.wait:
        wrong.append(f"a player waited {figures.worst:.0f} ms")
    if figures.lost:
        wrong.append(f"players lost {figures.lost} lines")
    if reloaded.page is None:
        wrong.append("a player who reloads has no page")
    if reloaded.back is None:
        wrong.append("a player who reloads is not back")
    return wrong


def lost(data: Path, answers: Iterable[Answer]) -> list[str]:
    """Which rooms' logs do not hold what their players were answered."""
    by_room = defaultdict[str, list[Answer]](list)
    for answer in answers:
        by_room[answer.room].append(answer)
    wrong = []
    for room, own in by_room.items():
        truth = Truth(room)
        try:
            truth.read_on(rows_in(data, room))
            truth.hold_answers(own)
        except Untrue as broken:
            wrong.append(str(broken))
    return wrong or ([] if by_room else ["nothing was played"])


def faults(said: str) -> list[str]:
    """The last line of the last trace in what a server printed, if there is one."""
    found = said.count("Traceback")
    if not found:
        return []
    last = [line for line in said.splitlines() if line and not line.startswith(" ")][-1]
    return [f"{found} tracebacks, {last[:100]}"]


async def told(attack: Popen[str], seconds: float, house: House) -> dict[str, dict[str, int]]:
    """What the attackers did; they stop early where they have brought the house down."""
    ended = asyncio.create_task(asyncio.to_thread(attack.communicate))
    until = time.monotonic() + seconds + HANGS
    while not ended.done() and house.lives and time.monotonic() < until:
        await asyncio.wait([ended], timeout=LOOK_EVERY)
    attack.kill()
    out, _ = await ended
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(out, type=dict[str, dict[str, int]])
    return {}
