"""Machines of their own to the kernel: network namespaces, each with one device on the ether."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

from tests.hosts.ether import Ether

ROOT = Path(__file__).parents[2]
CLONE_NEWNET = 0x40000000
NET = "10.77.0"


class CannotHost(Exception):  # noqa: N818  # reads as what is the case
    """This system has no namespaces for us; the text says why."""


def leave_the_network() -> None:
    """This process has a network of its own, so that nothing of ours is seen outside.

    Raises:
        CannotHost: it may not.
    """
    if not shutil.which("ip"):
        raise CannotHost("there is no `ip` command (iproute2)")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET):
        raise CannotHost(f"no network namespaces: {os.strerror(ctypes.get_errno())}; run as root")
    _ip("link", "set", "lo", "up")


def joins(ether: Ether, number: int) -> str:
    """This process is on the ether too; the answer is its address."""
    ether.plug("pk-here")
    _ip("address", "add", f"{NET}.{number}/24", "dev", "pk-here")
    _ip("link", "set", "pk-here", "up")
    return f"{NET}.{number}"


class Machine:
    """A namespace called `name` with the address of `number`."""

    def __init__(self, ether: Ether, name: str, number: int) -> None:
        self.name = f"pk{os.getpid()}-{name}"
        self.address = f"{NET}.{number}"
        self._device = f"pk-{name}"
        self._processes: list[Popen[str]] = []
        _ip("netns", "add", self.name)
        ether.plug(self._device)
        _ip("link", "set", self._device, "netns", self.name)
        self._own("address", "add", f"{self.address}/24", "dev", self._device)
        self._own("link", "set", "lo", "up")
        self._own("link", "set", self._device, "up")

    def moves_to(self, number: int) -> None:
        """It has another address, as in another network; the one before is gone."""
        before, self.address = self.address, f"{NET}.{number}"
        self._own("address", "delete", f"{before}/24", "dev", self._device)
        self._own("address", "add", f"{self.address}/24", "dev", self._device)

    def runs(self, *arguments: str) -> Popen[str]:
        """A process of ours on this machine."""
        command = ["ip", "netns", "exec", self.name, sys.executable, "-m", *arguments]
        process = Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self._processes.append(process)
        return process

    def ends(self) -> None:
        """Its processes and its namespace are gone."""
        for process in self._processes:
            process.terminate()
            process.wait(30)
        _ip("netns", "delete", self.name)

    def _own(self, *words: str) -> None:
        _ip("-n", self.name, *words)


@contextmanager
def machine(ether: Ether, name: str, number: int) -> Iterator[Machine]:
    """A machine for as long as it is needed."""
    made = Machine(ether, name, number)
    try:
        yield made
    finally:
        made.ends()


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise CannotHost(f"ip {' '.join(words)}: {done.stderr.strip()}")
