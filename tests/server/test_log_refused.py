"""What was refused because the disk failed is not there after a restart."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.log import SqliteLog
from tests.server.failing_disk import AVAILABLE

ROOT = Path(__file__).parents[2]

# Is told that an entry is not stored, since the disk does not vouch for it, and is killed.
REFUSED = """
import asyncio, os, signal, sys
from pathlib import Path
from server.log import LogFailed, SqliteLog
from tests.server.failing_disk import let_every_sync_fail

async def main():
    log, before, size = SqliteLog(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3])
    for seq in range(1, before + 1):
        await log.append("KVRT", seq, b"stored")
    let_every_sync_fail()
    for _ in range(2):
        try:
            await log.append("KVRT", before + 1, b"refused " * size)
        except LogFailed:
            print("refused", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def refuse_and_be_killed(folder: Path, before: int, size: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", REFUSED, folder, str(before), str(size)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )


@pytest.mark.skipif(not AVAILABLE, reason="no filter for this machine")
@pytest.mark.parametrize("size", [1, 4000], ids=["on one page", "on many pages"])
@pytest.mark.parametrize("before", [0, 1, 40])
async def test_what_a_failing_disk_refused_is_not_there_after_a_kill(
    tmp_path: Path, before: int, size: int
):
    ended = await asyncio.to_thread(refuse_and_be_killed, tmp_path, before, size)

    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, "refused\n" * 2), ended.stderr
    log = SqliteLog(tmp_path)
    assert [stored.data for stored in await log.read("KVRT")] == [b"stored"] * before
    await log.append("KVRT", before + 1, b"goes on")
    log.close()
