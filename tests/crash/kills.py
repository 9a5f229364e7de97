"""A server killed again and again while robots play, and asked each time what it has kept."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from msgspec import Struct

from server.log.folder import DB, SHM, WAL
from server.rehearse.line import attend
from server.rehearse.report import Stopwatch
from server.rehearse.robot import Brief
from server.rehearse.rooms import Opened, open_rooms
from tests.crash.truth import Truth, Untrue, rows_in
from tests.crash.victim import Victim
from tests.crash.witness import Answers, Witness

PROFILES = ("ru-3", "ru-4", "1001-bid-3", "de-3")
"""Those of the rooms, in turn."""

EARLY = 0.3
"""So many of the kills hit a server that has just been started."""

EARLIEST = 0.03
"""Seconds after the start within which those come."""

LATEST = 0.25
"""Seconds after the first answer within which the others come."""

STALLED = 20.0
"""Seconds without an answer after which something is wrong."""


class Killed(Struct, frozen=True, kw_only=True):
    """What one evening of kills came to."""

    kills: int
    early: int
    answers: int
    entries: int


class Evening:
    """Rooms full of witnesses on one server, and the truth about each room."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.victim = Victim(folder / "data", folder / "output")
        self.killed = folder / "killed"
        self.answers = Answers()
        self.witnesses: list[Witness] = []
        self.truths: dict[str, Truth] = {}
        self._checked = 0
        self._chance = chance

    @asynccontextmanager
    async def playing(self, rooms: int) -> AsyncIterator[None]:
        """The robots sit, and play; the server serves at the beginning."""
        opened = await asyncio.to_thread(rooms_of, self.victim.url, rooms)
        self.truths = {room.code: Truth(room.code) for room in opened}
        async with playing(opened, self.answers, self._chance) as self.witnesses:
            await self._until(lambda: all(one.shown for one in self.witnesses))
            yield

    async def _until(self, so: Callable[[], bool]) -> None:
        """It became so.

        Raises:
            Untrue: it did not; nothing goes on.
        """
        try:
            async with asyncio.timeout(STALLED):
                while not so():  # noqa: ASYNC110  # robots offer nothing to wait for
                    await asyncio.sleep(0.002)
        except TimeoutError:
            said = self.victim.output.read_text()[-3000:]
            raise Untrue(
                f"nothing happens any more; errors: {self.answers.errors};"
                f" the server lives: {self.victim.lives}, and said: {said}"
            ) from None

    async def comes_to_a_kill(self) -> bool:
        """The server is dead at a random moment, everybody knows, and `killed` is what it left.

        Whether it had hardly started.
        """
        early = self._chance.random() < EARLY
        if early:
            await asyncio.sleep(self._chance.uniform(0, EARLIEST))
        else:
            await self._until(lambda: len(self.answers.given) > self._checked)
            await asyncio.sleep(self._chance.uniform(0, LATEST))
        self.victim.kill()
        await self._until(lambda: not any(witness.has_line for witness in self.witnesses))
        copy_killed(self.victim.data, self.killed)
        return early

    def check(self) -> None:
        """What was left keeps every promise.

        Raises:
            Untrue: one was broken.
        """
        new = self.answers.given[self._checked :]
        self._checked = len(self.answers.given)
        for code, truth in self.truths.items():
            truth.read_on(rows_in(self.killed, code, truth.last.seq))
            truth.hold_answers(answer for answer in new if answer.room == code)
            here = [one.view for one in self.witnesses if one.code == code]
            truth.hold_views(view for view in here if view is not None)
        if self.answers.errors:
            raise Untrue(f"robots met errors: {dict(self.answers.errors)}")

    def check_whole(self) -> None:
        """The same from the first entry on, of everything that was ever answered.

        Raises:
            Untrue: a promise was broken.
        """
        for code in self.truths:
            truth = Truth(code)
            truth.read_on(rows_in(self.killed, code))
            truth.hold_answers(one for one in self.answers.given if one.room == code)


async def killed_often(
    kills: int, rooms: int, folder: Path, chance: Random
) -> tuple[Killed, Evening]:
    """The server is killed `kills` times, and kept every promise each time; it is dead at last.

    Raises:
        Untrue: it broke one.
    """
    evening = Evening(folder, chance)
    victim, early = evening.victim, 0
    for _ in range(min(3, kills)):  # before there is a log, or anything in it
        await _start_and_kill(victim, chance)
    victim.start()
    await victim.answers()
    async with evening.playing(rooms):
        for _ in range(kills):
            early += await evening.comes_to_a_kill()
            victim.start()
            evening.check()
        victim.kill()
    evening.check_whole()
    if "Traceback" in (said := victim.output.read_text()):
        raise Untrue(f"the server failed: {said}")
    entries = sum(truth.last.seq for truth in evening.truths.values())
    answers = len(evening.answers.given)
    return Killed(kills=kills, early=early, answers=answers, entries=entries), evening


async def _start_and_kill(victim: Victim, chance: Random) -> None:
    victim.start()
    await asyncio.sleep(chance.uniform(0, EARLIEST))
    victim.kill()


def copy_killed(data: Path, into: Path) -> None:
    """`into` holds what a killed server left in `data`, with nothing recovered."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    for name in (DB, DB + WAL, DB + SHM):
        if (data / name).exists():
            shutil.copyfile(data / name, into / name)


def rooms_of(url: str, rooms: int) -> list[Opened]:
    """New rooms, of every profile in turn."""
    return [
        room
        for number in range(rooms)
        for room in open_rooms(url, 1, PROFILES[number % len(PROFILES)])
    ]


@asynccontextmanager
async def playing(
    rooms: list[Opened],
    answers: Answers,
    chance: Random,
    tokens: dict[str, list[str]] | None = None,
) -> AsyncIterator[list[Witness]]:
    """Robots play in all of `rooms`, those of `tokens` if they were there before."""
    known, witnesses, attending = tokens or {}, list[Witness](), list[asyncio.Task[None]]()
    for room in rooms:
        brief = Brief(
            code=room.code,
            games=1_000_000,
            think=0.0,
            tally=answers,
            stopwatch=Stopwatch(room.players, []),
            chance=Random(chance.random()),
        )
        seats = known.get(room.code, [None] * room.players)
        robots = [Witness(number, brief, token) for number, token in enumerate(seats)]
        witnesses += robots
        attending += [asyncio.create_task(attend(one, room.uri, answers)) for one in robots]
    try:
        yield witnesses
    finally:
        for task in attending:
            task.cancel()
        for end in await asyncio.gather(*attending, return_exceptions=True):
            if isinstance(end, Exception):
                raise end
