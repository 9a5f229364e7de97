"""Machines of their own to the kernel: network namespaces, on the ether or on a cable."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import TypeVar

from tests.hosts.ether import Ether

ROOT = Path(__file__).parents[2]
CLONE_NEWNET = 0x40000000
NET = "10.77.0"

MachineKind = TypeVar("MachineKind", bound="Machine")


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
    """A namespace called `name`, with loopback alone."""

    def __init__(self, name: str) -> None:
        self.name = f"pk{os.getpid()}-{name}"
        self._processes: list[Popen[str]] = []
        _ip("netns", "add", self.name)
        self.own("link", "set", "lo", "up")

    def takes(self, device: str) -> None:
        """`device`, which was ours, is on this machine."""
        _ip("link", "set", device, "netns", self.name)

    def own(self, *words: str) -> None:
        """`ip` does so on this machine."""
        _ip("-n", self.name, *words)

    def command(self, *arguments: str) -> list[str]:
        """What runs a module of ours on this machine."""
        return ["ip", "netns", "exec", self.name, sys.executable, "-m", *arguments]

    def runs(self, *arguments: str) -> Popen[str]:
        """A process of ours on this machine."""
        process = Popen(self.command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self._processes.append(process)
        return process

    def ends(self) -> None:
        """Its processes and its namespace are gone."""
        for process in self._processes:
            process.terminate()
            process.wait(30)
        _ip("netns", "delete", self.name)


class Wanderer(Machine):
    """A machine on the ether, with the address of `number`."""

    def __init__(self, ether: Ether, name: str, number: int) -> None:
        super().__init__(name)
        self.address = f"{NET}.{number}"
        self._device = f"pk-{name}"
        ether.plug(self._device)
        self.takes(self._device)
        self.own("address", "add", f"{self.address}/24", "dev", self._device)
        self.own("link", "set", self._device, "up")

    def moves_to(self, number: int) -> None:
        """It has another address, as in another network; the one before is gone."""
        before, self.address = self.address, f"{NET}.{number}"
        self.own("address", "delete", f"{before}/24", "dev", self._device)
        self.own("address", "add", f"{self.address}/24", "dev", self._device)


def cable(one: str, other: str) -> None:
    """Two new devices of ours, what goes into one comes out of the other; at full speed."""
    _ip("link", "add", one, "type", "veth", "peer", "name", other)


def here(*words: str) -> None:
    """`ip` does so on this process's own machine."""
    _ip(*words)


@contextmanager
def lasting(made: MachineKind) -> Iterator[MachineKind]:
    """A machine for as long as it is needed."""
    try:
        yield made
    finally:
        made.ends()


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise CannotHost(f"ip {' '.join(words)}: {done.stderr.strip()}")
