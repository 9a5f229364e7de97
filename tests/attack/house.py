"""The server that is attacked: on a machine of its own, with so much memory and so many files."""

import asyncio
import os
import sqlite3
import subprocess
import threading
import urllib.request
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path
from subprocess import Popen

from msgspec import Struct

from server.log.folder import DB
from tests.attack.ground import HOUSE, PORT, WAY
from tests.attack.memory import LOOK_EVERY, Keeper, status_of
from tests.hosts.machines import ROOT, Machine

STARTS_WITHIN = 60.0
"""Seconds for it to answer; for what hangs."""

FILES = 1024
"""Files that most systems let a process open, unless it asks for more."""


class Held(Struct, frozen=True):
    """What a log holds, of all rooms or of some."""

    entries: int
    size: int
    """Bytes of the entries."""

    def since(self, before: "Held") -> "Held":
        """What came in addition to `before`."""
        return Held(self.entries - before.entries, self.size - before.size)


class House:
    """`prikup serve` on `machine`, with its games in `folder`, in what memory `keeper` gives it.

    `files`: it can open no more, ever; None: it has the usual number, and may ask for more.
    """

    def __init__(
        self, machine: Machine, folder: Path, keeper: Keeper, files: int | None = None
    ) -> None:
        self.data = folder / "data"
        self.output = folder / "output"
        self.peak = 0
        """Bytes of its memory that lay in RAM at most, since it was last asked to forget that."""
        self._machine = machine
        self._keeper = keeper
        self._files = files
        self._process: Popen[bytes] | None = None

    async def start(self) -> None:
        """It answers.

        Raises:
            RuntimeError: it ends instead, or stays silent.
        """
        serve = ("server", "serve", "--host", HOUSE, "--port", str(PORT), "--data", str(self.data))
        command = self._keeper.around(self._filed(self._machine.command(*serve)))
        with self.output.open("ab") as out:
            self._process = Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)  # noqa: ASYNC220  # a fork is quick
        self._keeper.watch(self._process.pid)
        threading.Thread(target=self._look, args=(self._process,), daemon=True).start()
        async with asyncio.timeout(STARTS_WITHIN):
            while not await asyncio.to_thread(_answers):
                if not self.lives:
                    raise RuntimeError(f"the server does not start: {self.said}")
                await asyncio.sleep(0.05)

    @property
    def lives(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def said(self) -> str:
        """All that it printed."""
        return self.output.read_text(errors="replace") if self.output.exists() else ""

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it has spent; 0: it is gone."""
        with suppress(OSError):
            fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    @property
    def group_peak(self) -> int | None:
        """Bytes of its memory at most, with what the system keeps of files for it."""
        return self._keeper.peak

    def forget_peaks(self) -> None:
        """Both peaks are those from now on."""
        with suppress(OSError):
            Path(f"/proc/{self._pid}/clear_refs").write_text("5")
        self.peak = 0
        self._keeper.fresh()

    def kill(self) -> None:
        """It is gone, as by a power cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def holds(self, but: Collection[str] = ()) -> Held:
        """What is in its log, of all rooms `but` those."""
        with closing(sqlite3.connect(self.data / DB)) as log:
            rows = log.execute("SELECT room, count(*), sum(length(data)) FROM entry GROUP BY room")
            others = [(count, size) for room, count, size in rows if room not in but]
        return Held(sum(count for count, _ in others), sum(size for _, size in others))

    @property
    def _pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def _filed(self, command: list[str]) -> list[str]:
        if self._files is None:
            return ["sh", "-c", f'ulimit -Sn {FILES} && exec "$@"', "sh", *command]
        return ["sh", "-c", f'ulimit -n {self._files} && exec "$@"', "sh", *command]

    def _look(self, process: Popen[bytes]) -> None:
        """Its peak is noted again and again, since nobody can be asked who was killed."""
        while (high := status_of(process.pid).get("VmHWM")) is not None:
            self.peak = max(self.peak, high)
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_EVERY)
                return


def _answers() -> bool:
    with (
        suppress(OSError),
        urllib.request.urlopen(f"http://{WAY}/api/health", timeout=5),  # our own
    ):
        return True
    return False
