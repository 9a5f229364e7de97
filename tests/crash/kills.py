"""A server killed again and again while robots play, and asked each time what it has kept."""

import asyncio
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path
from random import Random

from msgspec import Struct

from engine.rejections import Reason
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


class Moment(StrEnum):
    """When a kill comes."""

    EARLY = "right after a start"
    ANY = "at any moment"
    ANSWER = "as soon as something was answered"
    FULL = "while the disk took no more"


MOMENTS = {Moment.EARLY: 3, Moment.ANY: 2, Moment.ANSWER: 2, Moment.FULL: 3}
"""So many of ten kills come then."""

EARLIEST = 0.03
"""Seconds after a start within which the early kills come."""

LATEST = 0.25
"""Seconds after the first answer within which the others come; so long may a disk be full."""

NOT_STORED = f"refused: {Reason.NOT_STORED.value}"
"""How a tally calls what a disk that is full makes of an ask."""

STALLED = 20.0
"""Seconds without an answer after which something is wrong."""


class Killed(Struct, frozen=True, kw_only=True):
    """What one evening of kills came to."""

    kills: Counter[Moment]
    answers: int
    refusals: int
    """Asks that were refused because the disk took no more."""
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

    async def comes_to_a_kill(self) -> Moment:
        """The server is dead, everybody knows, and `killed` is what it left. When it was killed."""
        (moment,) = self._chance.choices([*MOMENTS], [*MOMENTS.values()])
        if moment is Moment.EARLY:
            await asyncio.sleep(self._chance.uniform(0, EARLIEST))
        else:
            await self._until(lambda: len(self.answers.given) > self._checked)
            await asyncio.sleep(self._chance.uniform(0, LATEST))
        match moment:
            case Moment.ANSWER:
                self.answers.at_next = self.victim.end
                await self._until(lambda: not self.victim.lives)
            case Moment.FULL:
                self.victim.fill_disk()
                await self._refused()
        self.victim.kill()
        await self._until(lambda: not any(witness.has_line for witness in self.witnesses))
        copy_killed(self.victim.data, self.killed)
        return moment

    async def _refused(self) -> None:
        """An ask was refused, or it took so long that all were answered as done."""
        before, until = len(self.answers.refused), time.monotonic() + LATEST
        while len(self.answers.refused) == before and time.monotonic() < until:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0.002)

    def check(self, moment: Moment) -> None:
        """What was left of a server that was killed at `moment` keeps every promise.

        Raises:
            Untrue: one was broken.
        """
        new = self.answers.given[self._checked :]
        self._checked = len(self.answers.given)
        for code, truth in self.truths.items():
            truth.read_on(rows_in(self.killed, code, truth.last.seq))
            truth.hold_answers(answer for answer in new if answer.room == code)
            truth.hold_refused(ask for room, ask in self.answers.refused if room == code)
            here = [one.view for one in self.witnesses if one.code == code]
            truth.hold_views(view for view in here if view is not None)
        if moment is Moment.FULL:
            del self.answers.errors[NOT_STORED]
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
            truth.hold_refused(ask for room, ask in self.answers.refused if room == code)


async def killed_often(
    kills: int, rooms: int, folder: Path, chance: Random
) -> tuple[Killed, Evening]:
    """The server is killed `kills` times, and kept every promise each time; it is dead at last.

    Raises:
        Untrue: it broke one.
    """
    evening = Evening(folder, chance)
    victim, moments = evening.victim, Counter[Moment]()
    try:
        for _ in range(min(3, kills)):  # before there is a log, or anything in it
            await _start_and_kill(victim, chance)
        victim.start()
        await victim.answers()
        async with evening.playing(rooms):
            for _ in range(kills):
                moment = await evening.comes_to_a_kill()
                moments[moment] += 1
                victim.start()
                evening.check(moment)
            victim.kill()
    finally:
        victim.kill()
    evening.check_whole()
    if "Traceback" in (said := victim.output.read_text()):
        raise Untrue(f"the server failed: {said}")
    entries = sum(truth.last.seq for truth in evening.truths.values())
    killed = Killed(
        kills=moments,
        answers=len(evening.answers.given),
        refusals=len(evening.answers.refused),
        entries=entries,
    )
    return killed, evening


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
        robots = [Witness(number, brief, answers, token) for number, token in enumerate(seats)]
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
