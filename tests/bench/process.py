"""A server in a process of its own, which may be killed and started again where it was."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTS_WITHIN = 30.0
"""Seconds after which a server that does not answer counts as broken."""


class ServerProcess:
    """`prikup serve` on loopback with its games in `data`, always on the same port."""

    def __init__(self, data: Path, cpu: int | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._cpu = cpu
        self._command = [sys.executable, "-m", "server", "serve", "--host", "127.0.0.1"]
        self._command += ["--port", str(port), "--data", str(data)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """The server answers.

        Raises:
            RuntimeError: it ends instead, or stays silent.
        """
        self._process = subprocess.Popen(self._command, cwd=ROOT, stdout=subprocess.DEVNULL)
        if self._cpu is not None:
            os.sched_setaffinity(self._process.pid, {self._cpu})
        deadline = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/api/health", timeout=5):  # noqa: S310
                    return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("the server does not start")

    def kill(self) -> None:
        """The process is gone, as by a power cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid


@contextmanager
def server_process(data: Path, cpu: int | None = None) -> Iterator[ServerProcess]:
    """A server that answers, killed afterwards."""
    server = ServerProcess(data, cpu)
    server.start()
    try:
        yield server
    finally:
        server.kill()
