"""`prikup rehearse`: robots play whole games on a running server, over the phones' own protocol."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec
import uvloop

from server.rehearse.line import attend
from server.rehearse.report import Report, Stopwatch, Tally
from server.rehearse.robot import Brief, Robot
from server.rehearse.rooms import CannotRehearse, Opened, open_rooms

GATHERING = 15.0
"""Thoughts within which the rooms come to life: not every table sits down in the same instant."""

STALLED = 60.0
"""Seconds in which nothing was done in any room, after which a rehearsal ends as failed."""


def run(  # noqa: PLR0913  # one parameter an option
    url: str,
    rooms: int,
    games: int,
    profile: str | None,
    *,
    think: float = 0.0,
    drop: float = 0.0,
    seconds: float | None = None,
    answers: Path | None = None,
) -> int:
    """Rehearse as `rehearse` does; the figures are on stdout as JSON. 0: there was no error."""
    rehearsal = rehearse(
        url,
        rooms,
        games,
        profile,
        think=think,
        drop=drop,
        seconds=seconds,
        answers=answers,
        tell=_tell,
    )
    try:
        report = uvloop.run(rehearsal)
    except CannotRehearse as problem:
        sys.stderr.write(f"prikup: {problem}\n")
        return 1
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(report)).decode() + "\n")
    return 1 if report.errors else 0


async def rehearse(  # noqa: PLR0913  # one parameter an option
    url: str,
    rooms: int,
    games: int,
    profile: str | None = None,
    *,
    think: float = 0.0,
    drop: float = 0.0,
    seconds: float | None = None,
    answers: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """What happened while robots won `games` games in each of `rooms` new rooms.

    Each thinks for `think` seconds on average before it acts, and loses its line with every act by
    the chance `drop`, once it has asked or just before, and comes back. The rehearsal ends early
    after `seconds`. Every ask that is answered as done is in the file `answers` at once, one JSON
    object a line. About once a second `tell` hears how far it has come. A server that is killed
    and started again on the same log is no error: the robots come back and go on.

    Raises:
        CannotRehearse: the rooms cannot be opened, or `answers` cannot be written.
    """
    opened = await asyncio.to_thread(open_rooms, url, rooms, profile)
    return await play(
        opened, games, think=think, drop=drop, seconds=seconds, answers=answers, tell=tell
    )


async def play(  # noqa: PLR0913  # as above
    opened: Sequence[Opened],
    games: int,
    *,
    think: float = 0.0,
    drop: float = 0.0,
    seconds: float | None = None,
    answers: Path | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """What happened while robots won `games` games in each of the rooms `opened`; as `rehearse`.

    Raises:
        CannotRehearse: `answers` cannot be written.
    """
    try:
        counted = Tally(answers)
    except OSError as error:
        raise CannotRehearse(f"The file {answers} cannot be written: {error.strerror}.") from error
    with counted as tally:
        plays = []
        for room in opened:
            chance = Random()  # noqa: S311  # robots have no secrets
            brief = Brief(
                code=room.code,
                games=games,
                think=think,
                drop=drop,
                tally=tally,
                stopwatch=Stopwatch(room.players, tally.latencies),
                chance=chance,
            )
            robots = [Robot(number, brief) for number in range(room.players)]
            late = think * chance.uniform(0, GATHERING)
            plays.append(asyncio.create_task(_play(room.uri, robots, tally, late)))
        try:
            await _watch(plays, tally, tell, seconds)
        finally:
            await _stop(plays)
        tell(tally.progress())
        return tally.report(len(opened))


async def _play(uri: str, robots: Sequence[Robot], tally: Tally, late: float) -> None:
    """After `late` seconds the robots play until all have finished or one has failed."""
    await asyncio.sleep(late)
    attending = [asyncio.create_task(attend(robot, uri, tally)) for robot in robots]
    try:
        for ended in asyncio.as_completed(attending):
            await ended
            if any(robot.failed for robot in robots):
                return
    finally:
        await _stop(attending)


async def _watch(
    plays: Sequence[asyncio.Task[None]],
    tally: Tally,
    tell: Callable[[str], None],
    seconds: float | None,
) -> None:
    """Return when all is played, when time is up, or when nothing happens any more."""
    actions, since = 0, 0.0
    while seconds is None or tally.seconds < seconds:
        ended, playing = await asyncio.wait(plays, timeout=1)
        for play in ended:
            play.result()
        if not playing:
            return
        tell(tally.progress())
        if tally.actions > actions:
            actions, since = tally.actions, tally.seconds
        elif tally.seconds - since > STALLED:
            tally.errors["stalled"] += 1
            return


async def _stop(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _tell(progress: str) -> None:
    sys.stderr.write(progress + "\n")
