"""What a process holds at one moment, as the system sees it."""

import os
from pathlib import Path

from msgspec import Struct


class Gauges(Struct, frozen=True, kw_only=True):
    """One look at a process."""

    resident: int
    """Bytes of its memory that lie in RAM."""
    files: int
    """Open file descriptors."""
    threads: int


def gauges(pid: int) -> Gauges:
    """The gauges of process `pid` now."""
    process = Path(f"/proc/{pid}")
    pages = int((process / "statm").read_text().split()[1])
    status = (process / "status").read_text()
    return Gauges(
        resident=pages * os.sysconf("SC_PAGE_SIZE"),
        files=sum(1 for _ in (process / "fd").iterdir()),
        threads=int(status.partition("Threads:")[2].split()[0]),
    )
