# ruff: noqa: E501, T201  # a mutant keeps to its line; a command line prints
"""Breaks the server on purpose and sets on it the tool whose work it is to notice.

    python -m tests.tool_mutants            # all of them, some minutes
    python -m tests.tool_mutants leak       # those whose name contains leak
    python -m tests.tool_mutants leak --times 5

Each mutant is one change to the text of one file, made in a copy of the tree. It is noticed if its
tool exits with 1; what exits with 3 says that it cannot tell, which is not enough. Exits 1 if one
survives.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
PARTS = ("engine", "server", "seeds", "tests")
LONGEST = 600.0
"""Seconds for a tool; for what hangs."""

CRASH = ("tests.crash", "--kills", "30", "--torn", "0")
FUZZ = ("tests.fuzz", "--frames", "20000")
MATRIX = (
    "tests.matrix",
    "--profile",
    "ru-3",
    "--phases",
    "giving,last",
    "--faults",
    "sigkill,reload",
)
SOAK = ("tests.soak", "--rooms", "40", "--minutes", "2")
SECRECY = ("pytest", "-q", "-x", "-p", "no:xdist", "tests/server/test_secrecy.py")
SHOWN = (
    "pytest",
    "-q",
    "-x",
    "-p",
    "no:xdist",
    "tests/server/test_audience.py",
    "tests/server/test_shown.py",
)


class Mutant(NamedTuple):
    """`old`, which stands once in `file`, becomes `new`; `tool` has to notice."""

    name: str
    file: str
    old: str
    new: str
    tool: tuple[str, ...]


COMMIT = '            self._writer.executemany(APPEND, accepted)\n            self._writer.execute("COMMIT")\n'
APPEND = "        await self._events.append(self.code, entry.seq, data)\n"
ANSWER = "        attendee, ask, held = asking.attendee, asking.ask, asking.held\n"
HAND = "    hand = () if viewer is None else state.hands[viewer]\n"

MUTANTS = (
    Mutant("acknowledge just before the commit", "server/log/sqlite.py", COMMIT, COMMIT.replace("            self._writer.execute(", "            batch[0].done.get_loop().call_soon_threadsafe(self._report, batch, refused)\n            self._writer.execute("), CRASH),
    Mutant("acknowledge before the batch", "server/log/sqlite.py", "            failures = self._store(batch)\n", "            first.done.get_loop().call_soon_threadsafe(self._report, batch, {})\n            failures = self._store(batch)\n", CRASH),
    Mutant("acknowledge what may yet be stored", "server/room_log.py", APPEND, "        import asyncio\n\n        asyncio.ensure_future(self._events.append(self.code, entry.seq, data))\n", CRASH),
    Mutant("lose an entry of fifty", "server/log/sqlite.py", COMMIT, COMMIT.replace("accepted", "[row for row in accepted if row[1] % 50]"), CRASH),
    Mutant("lose what a kill finds unwritten", "server/room_log.py", APPEND, "        if entry.seq % 7:\n            await self._events.append(self.code, entry.seq, data)\n", MATRIX),
    Mutant("leak a hand to the table", "engine/views.py", HAND, "    hand = state.hands[viewer or 0]\n", FUZZ),
    Mutant("leak a hand to the table, in two deals", "engine/views.py", HAND, "    hand = state.hands[viewer or 0]\n", SECRECY),
    Mutant("leak 30 kB an ask", "server/room.py", ANSWER, ANSWER + '        vars(log).setdefault("left", []).append(bytes([1]) * 30_000)\n', SOAK),
    Mutant("leak 1 kB an ask", "server/room.py", ANSWER, ANSWER + '        vars(log).setdefault("left", []).append(bytes([1]) * 1_000)\n', SOAK),
    Mutant("leak a thread in a thousand asks", "server/room.py", ANSWER, ANSWER + '        import threading\n\n        vars(log).setdefault("left", []).append(ask)\n        if len(vars(log)["left"]) % 1000 == 0:\n            threading.Thread(target=threading.Event().wait, daemon=True).start()\n', SOAK),
    Mutant("leak a file in a hundred asks", "server/room.py", ANSWER, ANSWER + '        vars(log).setdefault("left", []).append(ask if len(vars(log).get("left", ())) % 100 else open("/dev/null"))\n', SOAK),
    Mutant("answer ever later", "server/room.py", ANSWER, ANSWER + '        vars(log)["asks"] = vars(log).get("asks", 0) + 1\n        import time\n\n        time.sleep((vars(log)["asks"] / 1e4) ** 4 / 1e3)\n', SOAK),
    Mutant("drop one event from the shown sheets", "server/audience.py", "_SheetFact = GameStarted | DealScored\n", "_SheetFact = GameStarted\n", SHOWN),
    Mutant("drop one event from the shown chairs", "server/audience.py", "_TableFact = RosterEvent | TableEvent | EndEvent\n", "_TableFact = RosterEvent | TableEvent\n", SHOWN),
)  # fmt: skip


class Tried(NamedTuple):
    """What a tool made of a mutant."""

    noticed: bool
    seconds: float
    says: str


def tried(mutant: Mutant) -> Tried:
    """Its tool was set on a copy of the tree that is broken so."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in PARTS:
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy2(ROOT / "pyproject.toml", copy)
        broken = copy / mutant.file
        text = broken.read_text("utf-8")
        if text.count(mutant.old) != 1:
            sys.exit(f"{mutant.name}: the text to change is not there once in {mutant.file}")
        broken.write_text(text.replace(mutant.old, mutant.new), "utf-8")
        began = time.monotonic()
        code, said = run(copy, mutant.tool)
        return Tried(code == 1, time.monotonic() - began, f"exit {code}: {reason(said)}")


def run(copy: Path, tool: tuple[str, ...]) -> tuple[int | None, str]:
    """How the tool ended in `copy`, and what it said; None: it never ended."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *tool],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": str(copy)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            code = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        output.seek(0)
        return code, output.read()


def reason(said: str) -> str:
    """The line that says what is wrong, or else the last."""
    lines = [line for line in said.splitlines() if line.strip()] or [""]
    telling = [line for line in lines if line.startswith(("FAILED", "BROKEN", "E  ", "not judged"))]
    return (telling or lines[-1:])[0].strip()[:160]


def main(arguments: list[str]) -> int:
    """Try the mutants that were asked for; 1: one survived."""
    asked = argparse.ArgumentParser(prog="python -m tests.tool_mutants")
    asked.add_argument("name", nargs="?", default="", help="a part of the names")
    asked.add_argument("--times", type=int, default=1)
    wanted = asked.parse_args(arguments)
    chosen = [mutant for mutant in MUTANTS if wanted.name in mutant.name] * wanted.times
    survivors = 0
    for mutant in chosen:
        outcome = tried(mutant)
        survivors += not outcome.noticed
        word = "noticed " if outcome.noticed else "SURVIVES"
        print(
            f"{word} {mutant.name}, by {mutant.tool[0]}, after {outcome.seconds:.0f} s", flush=True
        )
        print(f"         {outcome.says}", flush=True)
    print(f"{survivors} of {len(chosen)} survive")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
