"""What a killed server left, damaged on top of it: what of each room is there, and who is told."""

import asyncio
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
from msgspec import Raw, Struct
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.log.folder import DB, SHM, WAL
from server.log.schema import MARK
from server.protocol import Close
from server.rehearse.rooms import Opened
from tests.crash.kills import Evening, copy_killed, playing
from tests.crash.truth import Row, Truth, Untrue, rows_in
from tests.crash.victim import Victim
from tests.crash.witness import Answers
from tests.server.damage import beginnings_sqlite_gives, change, damaged_files, flip, tear, truncate

FURTHER = 5
"""Asks that are done in every room that is left, before it counts as played on."""

PLAYS_WITHIN = 60.0
"""Seconds for that; for what hangs."""

AT_REST = 0.5

_PAGE = 4096
_TAIL = 2048
_MARK = slice(68, 72)

_CUT = re.compile(r"room (\w+): cut after entry (\d+)")


class Torn(Struct, frozen=True, kw_only=True):
    """What became of one damaged copy."""

    damage: str
    rooms: int
    """Those that are left."""
    cut: int
    """Those of them that say they were restored."""
    kept: bool
    """The damaged files lie beside."""


class _Welcome(Struct, frozen=True, tag="welcome", tag_field="type"):
    restored: int | None


Damage = Callable[[Random, Path], str]


def damaged(chance: Random, folder: Path) -> str:
    """Something happens to the log in `folder`, or two things; which, is returned.

    Half of the logs were at rest before, with all that was in the WAL in the database.
    """
    if chance.random() < AT_REST:
        change(folder, "PRAGMA wal_checkpoint(TRUNCATE)")
    return ", ".join(
        chance.choice(DAMAGES)(chance, folder) for _ in range(chance.choice((1, 1, 2)))
    )


def _some_file(chance: Random, folder: Path) -> Path:
    files = [folder / name for name in (DB, DB + WAL) if (folder / name).exists()]
    return chance.choice([file for file in files if file.stat().st_size] or files)


def _to_some_file(harm: Damage) -> Damage:
    def harmed(chance: Random, folder: Path) -> str:
        file = _some_file(chance, folder)
        return harm(chance, file) if file.stat().st_size else f"{file.name} is empty"

    return harmed


def _zero_page(chance: Random, file: Path) -> str:
    at = chance.randrange(0, file.stat().st_size, _PAGE)
    _write(file, at, bytes(min(_PAGE, file.stat().st_size - at)))
    return f"{file.name} is zero at {at}"


def _spoil_tail(chance: Random, file: Path) -> str:
    size = file.stat().st_size
    for _ in range(chance.randint(1, 8)):
        _write(file, chance.randrange(max(0, size - _TAIL), size), chance.randbytes(1))
    return f"the tail of {file.name} is spoilt"


def _write(file: Path, at: int, content: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(content)


def _without(name: str) -> Damage:
    def removed(_chance: Random, folder: Path) -> str:
        (folder / name).unlink(missing_ok=True)
        return f"{name} is gone"

    return removed


DAMAGES: tuple[Damage, ...] = (
    *map(_to_some_file, (truncate, tear, flip, _zero_page, _spoil_tail)),
    _without(DB + WAL),
    _without(DB + SHM),
)


class Wreck:
    """The log that one evening of kills left, to be damaged in any number of ways."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        self._folder = folder
        self._left = folder / "left"
        copy_killed(evening.victim.data, self._left)
        copy_killed(evening.victim.data, evening.killed)
        self._rows = {code: rows_in(evening.killed, code) for code in evening.truths}
        self._tokens = {
            code: [one.token for one in evening.witnesses if one.code == code]
            for code in evening.truths
        }

    async def opened(self, number: int, chance: Random) -> Torn:
        """A damaged copy was opened by a server, and played on.

        Raises:
            Untrue: something that was good is gone, changed, or silently cut.
        """
        folder = self._folder / f"torn-{number}"
        data = folder / "data"
        shutil.copytree(self._left, data)
        damage = damaged(chance, data)
        try:
            return await self._opened(folder, damage, chance)
        except Untrue as untrue:
            raise Untrue(f"{damage}: {untrue}") from untrue
        finally:
            shutil.rmtree(folder)

    async def _opened(self, folder: Path, damage: str, chance: Random) -> Torn:
        data, victim = folder / "data", Victim(folder / "data", folder / "output")
        given, before = _given(data, self._rows), _files(data)
        victim.start()
        try:
            await victim.answers()
            kept = _hold_kept(data, before)
            cuts = {room: int(seq) for room, seq in _CUT.findall(victim.output.read_text())}
            left = [code for code in self._rows if await self._is_left(victim, code, cuts)]
            await self._play_on(victim, left, chance)
        except RuntimeError as ended:
            if any(given.values()) or before[DB][_MARK] == MARK.to_bytes(4, "big"):
                raise Untrue(f"the server does not start: {ended}") from ended
            return Torn(damage=damage, rooms=0, cut=0, kept=False)
        finally:
            victim.kill()
        if "Traceback" in (said := victim.output.read_text()):
            raise Untrue(f"the server failed: {said}")
        self._hold_beginnings(data, given, cuts)
        return Torn(damage=damage, rooms=len(left), cut=len(cuts), kept=kept)

    def _hold_beginnings(self, data: Path, given: dict[str, int], cuts: dict[str, int]) -> None:
        """Every room begins with what it had, as far as it was given and told, and goes on well.

        Raises:
            Untrue: one does not.
        """
        for code, rows in self._rows.items():
            found = rows_in(data, code)
            end = cuts.get(code, _agreeing(found, rows))
            if found[:end] != rows[:end] or end < given[code]:
                raise Untrue(f"room {code}: {given[code]} entries were good, {end} are left")
            Truth(code).read_on(found)

    async def _is_left(self, victim: Victim, code: str, cuts: dict[str, int]) -> bool:
        """Whether the room is still there; it says at which entry it was restored, if it was."""
        uri = f"ws://127.0.0.1:{victim.port}/api/rooms/{code}/socket"
        async with connect(uri, compression=None, ping_interval=None, proxy=None) as line:
            try:
                await line.send('{"type":"watch"}')
                first = msgspec.json.decode(await line.recv(decode=False), type=list[Raw])[0]
            except ConnectionClosed as closed:
                if closed.rcvd is None or closed.rcvd.code != Close.NO_SUCH_ROOM:
                    raise Untrue(f"room {code} cannot be watched: {closed}") from closed
                return False
        restored = msgspec.json.decode(first, type=_Welcome).restored
        if restored != cuts.get(code):
            raise Untrue(f"room {code} says it was restored at {restored}, not {cuts.get(code)}")
        return True

    async def _play_on(self, victim: Victim, left: list[str], chance: Random) -> None:
        """Whoever was there before sits down again, and every room goes on."""
        answers = Answers()
        rooms = [
            Opened(
                code=code,
                uri=f"ws://127.0.0.1:{victim.port}/api/rooms/{code}/socket",
                players=len(self._tokens[code]),
            )
            for code in left
        ]

        def further(code: str) -> int:
            return sum(answer.room == code for answer in answers.given)

        async with playing(rooms, answers, chance, self._tokens):
            try:
                async with asyncio.timeout(PLAYS_WITHIN):
                    while min(map(further, left), default=FURTHER) < FURTHER:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            except TimeoutError:
                stuck = [code for code in left if further(code) < FURTHER]
                raise Untrue(f"rooms {stuck} do not go on; {dict(answers.errors)}") from None


def _given(data: Path, rows: dict[str, list[Row]]) -> dict[str, int]:
    """How much of each room plain SQLite still gives."""
    return beginnings_sqlite_gives(
        data, {code: [content for _, content, _ in all_rows] for code, all_rows in rows.items()}
    )


def _files(data: Path) -> dict[str, bytes]:
    files = [data / name for name in (DB, DB + WAL)]
    return {file.name: file.read_bytes() if file.exists() else b"" for file in files}


def _hold_kept(data: Path, before: dict[str, bytes]) -> bool:
    """Whether the damaged files were put aside; they are what they were.

    Raises:
        Untrue: they are not.
    """
    kept = damaged_files(data)
    for name in kept:
        if (data / name).read_bytes() != before[name.replace("damaged-1.db", "db")]:
            raise Untrue(f"{name} is not what was damaged")
    return bool(kept)


def _agreeing(found: list[Row], rows: list[Row]) -> int:
    """How many of the first entries are what they were."""
    pairs = zip(found, rows, strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(found), len(rows))
    )
