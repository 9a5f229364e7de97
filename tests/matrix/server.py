"""The server in a process of its own: stopped, killed, and started again under another sky.

As a module it is that process: it sets the wall clock back, or serves another build of the
client, and then does what `prikup` does.
"""

import argparse
import asyncio
import socket
import sys
import time
import urllib.request
from email.utils import parsedate_to_datetime
from pathlib import Path
from subprocess import Popen

from server import config
from server.__main__ import main as prikup
from tests.server.phones import built_client

ROOT = Path(__file__).parents[2]

FORTNIGHT = 14 * 24 * 3600.0
"""Seconds by which a clock without a battery may be wrong."""

STARTS_WITHIN = 30.0
"""Seconds for a server to answer; for what hangs."""


class Served:
    """A server on the games in `folder`, always at the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.data = folder / "data"
        self._folder = folder
        self._build = 0
        self._process: Popen[bytes] | None = None

    @property
    def way(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def start(self, *, back: float = 0.0, other_build: bool = False) -> None:
        """It serves: with the wall clock set `back`, in seconds, or with another client."""
        self._build += other_build
        self._process = self._launched(back)
        async with asyncio.timeout(STARTS_WITHIN):
            while (date := await asyncio.to_thread(self._date)) is None:
                if self._process.poll() is not None:
                    raise RuntimeError((self._folder / "server.log").read_text())
                await asyncio.sleep(0.02)
        assert abs(time.time() - back - date) < 3600, "the clock of the server is another one"

    def _launched(self, back: float) -> Popen[bytes]:
        command = [sys.executable, "-m", "tests.matrix.server", str(back), str(self._client())]
        command += ["--", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with (self._folder / "server.log").open("ab") as out:
            return Popen(command, cwd=ROOT, stdout=out, stderr=out)

    async def stop(self) -> None:
        """It was told to go, and went."""
        if self._process is not None:
            self._process.terminate()
            assert await asyncio.to_thread(self._process.wait, STARTS_WITHIN) == 0

    async def kill(self) -> None:
        """It is gone, as after a power cut."""
        if self._process is not None:
            self._process.kill()
            await asyncio.to_thread(self._process.wait, STARTS_WITHIN)

    def _date(self) -> float | None:
        """What the server takes for the time; None: it does not answer."""
        try:
            with urllib.request.urlopen(f"http://{self.way}/api/health", timeout=5) as answer:
                return parsedate_to_datetime(answer.headers["date"]).timestamp()
        except OSError:
            return None

    def _client(self) -> Path:
        """The client of this build, as far as a server looks at one."""
        folder = self._folder / f"client-{self._build}"
        if not folder.exists():
            folder.mkdir()
            built_client(folder)
            (folder / "index.html").write_text(f"<!doctype html><title>{self._build}</title>")
        return folder


def main(arguments: list[str]) -> int:
    """Serve with the wall clock set back by so many seconds, and with the client in that folder."""
    asked = argparse.ArgumentParser(prog="python -m tests.matrix.server")
    asked.add_argument("back", type=float)
    asked.add_argument("static", type=Path)
    asked.add_argument("options", nargs="*")
    wanted = asked.parse_args(arguments)
    now, back = time.time, wanted.back
    time.time = lambda: now() - back
    config.STATIC = wanted.static  # what serves is loaded after this
    return prikup(["serve", *wanted.options])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
