"""A server in a process of its own, which may be measured, killed and started again."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hosts.machines import CannotHost, here, leave_the_network

ROOT = Path(__file__).parents[2]
STARTS_WITHIN = 30.0
"""Seconds after which a server that does not answer counts as broken."""


STREET = "10.80"
"""How the addresses begin under which strangers come, one a room."""


def own_network() -> str | None:
    """This process and those it starts are in a network where all of `STREET` leads here.

    Whoever asks for one of them comes from that very address, which is not loopback. The answer is
    why there is no such network; None: there is.
    """
    try:
        leave_the_network()
        here("route", "add", "local", f"{STREET}.0.0/16", "dev", "lo")
    except CannotHost as problem:
        return str(problem)
    return None


class ServerProcess:
    """`python -m` with `arguments` and a port, always the same one.

    With `cpu` it runs on that processor only.
    """

    def __init__(self, *arguments: object, cpu: int | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._port = port
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}"
        self._command = [sys.executable, "-m", *map(str, arguments), "--port", str(port)]
        self._cpu = cpu
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

    def host_of(self, room: int, *, limited: bool) -> str:
        """The `host:port` by which the phones of that room find it, as strangers if `limited`."""
        if not limited:
            return self.host
        high, low = divmod(room, 250)
        return f"{STREET}.{high}.{low + 1}:{self._port}"

    @property
    def cpu_seconds(self) -> float:
        """Processor time that it has spent, in all threads, for itself and in the kernel."""
        fields = self._proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident(self) -> int:
        """Bytes of its memory that lie in RAM."""
        return int(self._proc("statm").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def _proc(self, name: str) -> str:
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/{name}").read_text()


@contextmanager
def running(*arguments: object, cpu: int | None = None) -> Iterator[ServerProcess]:
    """A server that answers, killed afterwards."""
    server = ServerProcess(*arguments, cpu=cpu)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def prikup(data: Path, cpu: int | None = None, *, limited: bool = False) -> Iterator[ServerProcess]:
    """`prikup serve` with its games in `data`; on all addresses of our own network if `limited`."""
    host = "0.0.0.0" if limited else "127.0.0.1"  # noqa: S104  # nobody else is in it
    with running("server", "serve", "--host", host, "--data", data, cpu=cpu) as server:
        yield server
