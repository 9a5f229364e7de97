"""What a process holds at one moment, as the system sees it."""

from pathlib import Path

from msgspec import Struct


class Gauges(Struct, frozen=True, kw_only=True):
    """One look at a process."""

    memory: int
    """Bytes of its own that it keeps, in RAM or swapped out; files that it maps are not its own."""
    files: int
    """Open file descriptors."""
    threads: int


def gauges(pid: int) -> Gauges:
    """The gauges of process `pid` now."""
    process = Path(f"/proc/{pid}")
    status = (process / "status").read_text()

    def figure(name: str) -> int:
        return int(status.partition(f"{name}:")[2].split(maxsplit=1)[0])

    return Gauges(
        memory=1024 * (figure("RssAnon") + figure("VmSwap")),
        files=sum(1 for _ in (process / "fd").iterdir()),
        threads=figure("Threads"),
    )
