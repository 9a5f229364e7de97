"""So much memory for the server and no more: by a cgroup, or by a look now and then."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGKILL

CGROUPS = Path("/sys/fs/cgroup")

LOOK_EVERY = 0.05
"""Seconds between two looks at how much memory the server has."""


class Cgroup:
    """A cgroup of its own, whose processes get `limit` bytes; the kernel kills who wants more.

    What the system keeps of files for them counts too, and is given up before anybody is killed.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.says = f"a memory cgroup ({'v1' if _is_v1(folder.parent) else 'v2'})"
        self._folder = folder
        folder.mkdir()
        try:
            if _is_v1(folder.parent):
                self._write("memory.limit_in_bytes", limit)
                with suppress(OSError):  # a kernel that does not count what is swapped out
                    self._write("memory.memsw.limit_in_bytes", limit)
                self._peak = "memory.max_usage_in_bytes"
            else:
                self._write("memory.max", limit)
                with suppress(OSError):
                    self._write("memory.swap.max", 0)
                self._peak = "memory.peak"
        except OSError:
            folder.rmdir()
            raise

    def around(self, command: list[str]) -> list[str]:
        """`command`, run inside."""
        return [
            "sh",
            "-c",
            'echo $$ >"$0" && exec "$@"',
            f"{self._folder / 'cgroup.procs'}",
            *command,
        ]

    def watch(self, pid: int) -> None:
        """The kernel does."""

    def fresh(self) -> None:
        """The peak is that from now on, where the kernel can forget one."""
        with suppress(OSError):
            self._write(self._peak, 0)

    @property
    def peak(self) -> int | None:
        """Bytes that its processes had at most, with what is kept of files; None: not known."""
        with suppress(OSError):
            return int((self._folder / self._peak).read_text())
        return None

    def ends(self) -> None:
        """The cgroup is gone; nobody is in it any more."""
        with suppress(OSError):
            self._folder.rmdir()

    def _write(self, name: str, value: int) -> None:
        (self._folder / name).write_text(str(value))


class Watch:
    """For want of a cgroup: whoever is seen to have more than `limit` bytes is killed."""

    says = "no memory cgroup here: a watch on its resident memory"
    peak = None

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._over = threading.Event()

    def around(self, command: list[str]) -> list[str]:
        return command

    def watch(self, pid: int) -> None:
        """Process `pid` is killed as soon as it is seen to have more."""
        threading.Thread(target=self._look, args=(pid,), daemon=True).start()

    def fresh(self) -> None:
        pass

    def ends(self) -> None:
        self._over.set()

    def _look(self, pid: int) -> None:
        while not self._over.wait(LOOK_EVERY):
            resident = status_of(pid).get("VmRSS")
            if resident is None:
                return
            if resident > self._limit:
                with suppress(ProcessLookupError):
                    os.kill(pid, SIGKILL)


Keeper = Cgroup | Watch


@contextmanager
def allotted(limit: int) -> Iterator[Keeper]:
    """`limit` bytes for a server, held to as this machine can; gone afterwards."""
    keeper: Keeper = _cgroup(limit) or Watch(limit)
    try:
        yield keeper
    finally:
        keeper.ends()


def status_of(pid: int) -> dict[str, int]:
    """The sizes in /proc/PID/status in bytes; none: there is no such process, or no more."""
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        split = (line.split() for line in lines if line.endswith(" kB"))
        return {name.rstrip(":"): 1024 * int(size) for name, size, _ in split}
    return {}


def _cgroup(limit: int) -> Cgroup | None:
    for parent in (CGROUPS / "memory", CGROUPS):
        if not (parent / "cgroup.procs").is_file():
            continue
        with suppress(OSError):
            if not _is_v1(parent):
                (parent / "cgroup.subtree_control").write_text("+memory")
            return Cgroup(parent / f"prikup-attack-{os.getpid()}", limit)
    return None


def _is_v1(parent: Path) -> bool:
    return (parent / "memory.usage_in_bytes").is_file()
