"""A server in a process of its own, and a browser that sees it as phones do: over insecure http."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

ROOT = Path(__file__).parents[2]
LAN_ADDRESS = "192.168.7.50"
"""A private address that the browser is made to find on this machine. The origin is not secure."""


class Served:
    """The server, which may be killed and started again on the same port and data."""

    def __init__(self, data: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.data = data
        self.log = data.with_suffix(".log")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://{LAN_ADDRESS}:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "server", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
        for _ in range(400):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/health", timeout=5)
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError(self.log.read_text()) from None
                signal.sigtimedwait([], 0.05)
            else:
                return
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        """As a power cut would."""
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path / "data")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium, "these tests need Chromium: deploy/check installs it"
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                f"--host-resolver-rules=MAP {LAN_ADDRESS} 127.0.0.1",
            ],
        )
        yield launched
        await launched.close()
