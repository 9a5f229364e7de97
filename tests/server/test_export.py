import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.commands import Act, SetReady, StartGame
from engine.events import Standing
from engine.history import Entry
from engine.record import play_record, read_record, write_record
from engine.state import Auction, Over
from server.check import HOLDS
from server.export import CannotExport, export
from server.log import SqliteLog
from server.log.codec import encode
from server.take_home import taken_home
from tests.engine.agreeing import Agreeing
from tests.engine.record.rooms import Logged
from tests.server.games import played, stored
from tests.support import RU_3, A, B, C, with_rules

ROOT = Path(__file__).parents[2]
RULES = with_rules(RU_3, concession_half=True)
HANDS = {
    "A": "AS 10S KH QH AC 9D 9C",
    "B": "KS QS 9S 10H KC QC JD",
    "C": "JS AH JH 10C 10D KD QD",
}


def finished() -> Logged:
    """A room with a won game."""
    room = Logged(RULES, standings={"B": Standing(score=870)})
    room.deals(**HANDS, talon="JC 9H AD")
    room.does("A bid 400", "B pass", "C pass", "A take", "A concede")
    assert isinstance(room.room.phase, Over)
    return room


def running() -> Logged:
    """A room in whose second game somebody has called."""
    room = finished()
    for seat in (A, B, C):
        room.obeys(Act(seat, SetReady(ready=True)))
    room.obeys(StartGame(lot=B))
    room.deals()
    room.does("C bid 100", "A bid 105")
    return room


def begun() -> Logged:
    """A room in whose first game somebody has called."""
    room = Logged(RULES)
    room.deals(**HANDS, talon="JC 9H AD")
    room.does("A bid 100")
    return room


@pytest.fixture
async def keep(tmp_path: Path):
    """Puts entries into a log that a server holds open."""
    log = SqliteLog(tmp_path)

    async def keep(entries: Sequence[Entry], room: str = "KVRT") -> Path:
        for entry in entries:
            await log.append(room, entry.seq, encode(entry))
        return tmp_path

    yield keep
    log.close()


async def test_the_latest_finished_game_is_written(keep):
    room = finished()
    folder = await keep(room.log)

    assert export(folder, "KVRT") == write_record(room.log, 1)
    assert export(folder, " kvrt") == write_record(room.log, 1)


async def test_while_another_runs_it_is_still_the_finished_one(keep):
    room = running()
    folder = await keep(room.log)

    assert export(folder, "KVRT") == export(folder, "KVRT", game=1) == write_record(room.log, 1)


async def test_a_running_game_is_refused_unless_it_is_said_how_far(keep):
    room = running()
    folder = await keep(room.log)

    with pytest.raises(CannotExport, match="Game 2 of room KVRT still runs"):
        export(folder, "KVRT", game=2)
    text = export(folder, "KVRT", until=room.log[-1].seq)

    assert text == export(folder, "KVRT", game=2, until=room.log[-1].seq)
    assert text == write_record(room.log, 2)
    assert text.endswith("C bid 100\nA bid 105\n")


async def test_the_only_game_is_refused_too_while_it_runs(keep):
    folder = await keep(begun().log)

    with pytest.raises(CannotExport, match=r"Game 1 of room KVRT still runs.*--until SEQ"):
        export(folder, "KVRT")


async def test_until_is_the_last_entry_that_is_told(keep):
    room = running()
    folder = await keep(room.log)
    last = room.log[-1].seq

    assert export(folder, "KVRT", until=last - 1).endswith("\nC bid 100\n")
    assert export(folder, "KVRT", until=4).endswith("\nA bid 400\nB pass\n")
    assert export(folder, "KVRT", game=1, until=last) == write_record(room.log, 1)


async def test_what_is_written_until_an_entry_reads_as_the_game_stood_then(keep):
    folder = await keep(begun().log)

    played = play_record(read_record(export(folder, "KVRT", until=3), {"ru-3": RU_3}))

    assert played.failure is None
    assert isinstance(played.room.phase, Auction)
    assert played.room.phase.turn == B


async def test_a_game_that_the_table_ended_is_a_finished_one(keep):
    room = Agreeing(RULES)
    room.deals(**HANDS, talon="JC 9H AD")
    room.does("A bid 100", "B pass", "C pass", "A take", "A concede")
    finished = write_record(room.log, 1)
    room.deals()
    room.ends("B")
    folder = await keep(room.log)

    assert export(folder, "KVRT") == finished


async def test_a_game_that_was_opened_again_still_runs(keep):
    room = Agreeing(RULES)
    room.deals(**HANDS, talon="JC 9H AD")
    room.ends("B")
    room.reopens("A")
    folder = await keep(room.log)

    with pytest.raises(CannotExport, match="Game 1 of room KVRT still runs"):
        export(folder, "KVRT")


async def test_until_an_entry_it_is_what_counted_then(keep):
    room = Agreeing(RULES)
    room.deals(**HANDS, talon="JC 9H AD")
    room.does("A bid 100", "B bid 105")
    room.takes_back("B")
    room.does("B pass")
    folder = await keep(room.log)

    told = [export(folder, "KVRT", until=seq).splitlines()[-1] for seq in (3, 4, 5, 6)]

    assert told == ["A bid 100", "B bid 105", "A bid 100", "B pass"]


@pytest.mark.parametrize(
    ("code", "wanted", "sentence"),
    [
        ("ABCD", {}, "There is no room ABCD in "),
        ("nonsense", {}, "There is no room nonsense in "),
        ("KVRT", {"game": 2}, "Room KVRT has no game 2."),
        ("KVRT", {"game": 0}, "Room KVRT has no game 0."),
        ("KVRT", {"until": 99}, "Room KVRT has the entries 1 to 7."),
        ("KVRT", {"until": 0}, "Room KVRT has the entries 1 to 7."),
        ("KVRT", {"until": 1, "game": 2}, "Room KVRT has no game 2."),
    ],
)
async def test_what_is_not_there_is_one_sentence(keep, code, wanted, sentence):
    folder = await keep(finished().log)

    with pytest.raises(CannotExport) as refused:
        export(folder, code, **wanted)

    assert str(refused.value).startswith(sentence)


async def test_a_room_in_which_nothing_was_played_says_so(keep):
    opening = finished().log[0]
    folder = await keep([Entry(seq=1, facts=opening.facts[:1])])

    with pytest.raises(CannotExport, match="Room KVRT has not begun a game"):
        export(folder, "KVRT")


async def test_a_folder_without_a_log_is_one_sentence(tmp_path: Path):
    with pytest.raises(CannotExport, match="No games are kept in"):
        export(tmp_path / "nowhere", "KVRT")


async def test_a_log_that_does_not_fit_together_is_one_sentence(keep):
    first, *rest = finished().log
    folder = await keep([first, Entry(seq=2, facts=rest[-1].facts)])

    with pytest.raises(CannotExport, match="cannot follow"):
        export(folder, "KVRT")


async def test_an_entry_that_cannot_be_read_is_one_sentence(tmp_path: Path):
    log = SqliteLog(tmp_path)
    await log.append("KVRT", 1, b"{}")
    log.close()

    with pytest.raises(CannotExport, match="entry 1 cannot be read"):
        export(tmp_path, "KVRT")


@pytest.mark.parametrize("kind", ["t1000", "jsonl", "csv"])
async def test_every_format_is_the_one_of_the_files(keep, tmp_path: Path, kind: str):
    log = stored(played())
    folder = await keep(log)

    assert export(folder, "KVRT", kind=kind) == taken_home("KVRT", log, 1, kind, static=tmp_path)
    anonymous = export(folder, "KVRT", kind=kind, anonymously=True)
    assert not any(name in anonymous for name in ("Anna", "Ben", "Carla", "KVRT"))


async def test_only_a_record_can_end_early(keep):
    folder = await keep(stored(played()))

    with pytest.raises(CannotExport, match="Only a record"):
        export(folder, "KVRT", until=4, kind="jsonl")


async def test_a_client_without_a_page_for_it_is_one_sentence(keep, tmp_path: Path):
    folder = await keep(stored(played()))

    with pytest.raises(CannotExport, match=r"no replay-file\.html"):
        export(folder, "KVRT", kind="html", static=tmp_path)


def prikup(*arguments: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "server", *map(str, arguments)],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env=os.environ | env,
    )


async def test_what_the_command_prints_can_be_checked(keep, tmp_path: Path):
    folder = await keep(running().log)
    file = tmp_path / "evening.t1000"

    ended = prikup("export", "KVRT", "--data", folder, PYTHONIOENCODING="ascii")
    file.write_bytes(ended.stdout)

    assert (ended.returncode, ended.stderr) == (0, b"")
    assert prikup("check", file).returncode == HOLDS
    assert prikup("export", "KVRT", PRIKUP_DATA=str(folder)).stdout == ended.stdout


async def test_a_refusal_is_one_sentence_and_no_record(keep):
    folder = await keep(running().log)

    ended = prikup("export", "kvrt", "--game", 2, "--data", folder)

    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr.startswith(b"prikup: Game 2 of room kvrt still runs")
    assert ended.stderr.count(b"\n") == 1


async def test_the_command_writes_a_file_in_the_format_that_was_asked_for(keep, tmp_path: Path):
    folder = await keep(stored(played()))
    file = tmp_path / "evening.csv"

    ended = prikup("export", "KVRT", "--data", folder, "--format", "csv", "--out", file)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert file.read_bytes() == export(folder, "KVRT", kind="csv").encode()
    hidden = prikup("export", "KVRT", "--data", folder, "--anonymous").stdout.decode()
    assert "seat A A\nseat B B\nseat C C\n" in hidden


async def test_a_file_that_cannot_be_written_is_one_sentence(keep, tmp_path: Path):
    folder = await keep(stored(played()))

    ended = prikup("export", "KVRT", "--data", folder, "--out", tmp_path)

    assert ended.returncode == 1
    assert b"cannot be written: Is a directory." in ended.stderr
