"""The tables that play during an attack, in processes of their own: three players, and robots."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import TypeVar

import msgspec

from server.rehearse.report import Answer
from tests.attack.ground import PLAYERS, WAY
from tests.attack.house import House
from tests.attack.players import Figures, Reloaded
from tests.hosts.machines import ROOT

HANGS = 60.0
"""Seconds after which players who do not answer us are given up."""

THINK = 300.0
"""Milliseconds that a robot of the other table thinks."""

Heard = TypeVar("Heard")


class Players:
    """The process of those who play at a table of their own; `code` is its room."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.attack.players", *PLAYERS]
        self._process = Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.code = ""

    async def sit(self) -> None:
        """They play."""
        self.code = await self._hears(str)

    async def begin(self) -> None:
        """What was before is forgotten."""
        await self._told("begin", type(None))

    async def figures(self) -> Figures:
        """Those since they were asked last."""
        return await self._told("figures", Figures)

    async def whole(self) -> Figures:
        """Those since they began."""
        return await self._told("whole", Figures)

    async def reload(self) -> Reloaded:
        """How a phone of theirs came back."""
        return await self._told("reload", Reloaded)

    async def end(self) -> list[Answer]:
        """Every ask that was answered as done."""
        return await self._told("end", list[Answer])

    def gone(self) -> None:
        """The process has ended."""
        self._process.kill()
        self._process.communicate()

    async def _told(self, word: str, kind: type[Heard]) -> Heard:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        return await self._hears(kind)

    async def _hears(self, kind: type[Heard]) -> Heard:
        assert self._process.stdout is not None
        waking = asyncio.get_running_loop().call_later(HANGS, self._process.kill)
        try:
            line = await asyncio.to_thread(self._process.stdout.readline)
        finally:
            waking.cancel()
        return msgspec.json.decode(line, type=kind)


class Robots:
    """A table of robots that plays all the time, their answers in the file `answers`."""

    def __init__(self, answers: Path) -> None:
        self._file = answers
        options = ("--rooms", "1", "--games", "100000", "--profile", "ru-3", "--think", str(THINK))
        command = [sys.executable, "-m", "server", "rehearse", f"http://{WAY}", *options]
        self._process = Popen(
            [*command, "--answers", str(answers)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def play(self) -> bool:
        return self._process.poll() is None

    def gone(self) -> None:
        """The process has ended."""
        self._process.kill()
        self._process.wait()

    def answered(self) -> list[Answer]:
        """All that were answered as done. A last line that was cut off is none."""
        lines = self._file.read_bytes().split(b"\n")[:-1] if self._file.exists() else []
        return [msgspec.json.decode(line, type=Answer) for line in lines]


@contextmanager
def playing(folder: Path) -> Iterator[tuple[Players, Robots]]:
    """Both tables, gone afterwards."""
    players, robots = Players(), Robots(folder / "answers")
    try:
        yield players, robots
    finally:
        players.gone()
        robots.gone()


async def reload_amid(players: Players, seconds: float, house: House) -> Reloaded:
    """A player reloads when most of the time of the attack is over."""
    await asyncio.sleep(0.7 * seconds)
    return await players.reload() if house.lives else Reloaded(None, None)
