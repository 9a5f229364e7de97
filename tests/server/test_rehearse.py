"""Whole rehearsals on a real server, and on one that is killed again and again."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from engine.history import AskId
from server.__main__ import parser
from server.app import create_app
from server.config import Config
from server.log import EventLog, MemoryLog, SqliteLog
from server.log.codec import entries_of
from server.rehearse import rehearse, run
from server.rehearse.line import attend
from server.rehearse.report import Answer, Report, Stopwatch, Tally
from server.rehearse.robot import Brief, Robot
from server.rehearse.rooms import CannotRehearse, open_rooms
from tests.bench.process import prikup
from tests.server.games import kept
from tests.server.phones import built_client, served, serving


@pytest.fixture
def events() -> EventLog:
    return MemoryLog()


@pytest.fixture
async def url(events: EventLog, tmp_path: Path) -> AsyncIterator[str]:
    app = create_app(events, Config(data=tmp_path), built_client(tmp_path))
    async with served(app) as host:
        yield f"http://{host}"


def answers_in(file: Path) -> list[Answer]:
    # The line that is being written may be cut short.
    lines = file.read_text().split("\n")[:-1] if file.exists() else []
    return [msgspec.json.decode(line, type=Answer) for line in lines]


async def answered(rehearsal: asyncio.Task[Report], file: Path, more_than: int) -> None:
    """Wait until the running rehearsal has heard of more asks that were done."""
    while len(answers_in(file)) <= more_than:  # a file has no events
        assert not rehearsal.done()
        await asyncio.sleep(0.01)


async def all_logged(answers: list[Answer], events: EventLog) -> bool:
    """Whether every answered ask is the ask of the entry that the answer named."""
    asks = {
        room: {entry.seq: entry.ask for entry in entries_of(await kept(events, room))}
        for room in {answer.room for answer in answers}
    }
    return all(asks[answer.room][answer.seq] == AskId(answer.key, answer.id) for answer in answers)


@pytest.mark.parametrize("profile", ["ru-3", "de-3"])
async def test_robots_win_every_game_without_an_error(url: str, profile: str):
    told: list[str] = []

    report = await rehearse(url, 2, 2, profile, tell=told.append)

    assert (report.rooms, report.games, report.errors, report.reconnects) == (2, 4, {}, 0)
    assert report.actions > 4 * 50
    assert 0 < report.p50_ms <= report.p99_ms
    assert "4 games won" in told[-1]


async def test_every_answer_in_the_file_is_an_entry_of_the_log(
    url: str, events: EventLog, tmp_path: Path
):
    file = tmp_path / "answers"

    report = await rehearse(url, 2, 1, answers=file)

    answers = answers_in(file)
    assert len(answers) == report.actions
    assert await all_logged(answers, events)


async def test_a_rehearsal_ends_when_its_time_is_up(url: str):
    report = await rehearse(url, 1, 1000, think=0.01, seconds=1)

    assert report.errors == {}
    assert report.actions > 0
    assert report.games < 1000


async def test_robots_come_back_to_a_server_that_was_killed_and_win(tmp_path: Path):
    file = tmp_path / "answers"
    with prikup(tmp_path / "data") as server:
        rehearsal = asyncio.create_task(rehearse(server.url, 2, 1, answers=file))
        await answered(rehearsal, file, more_than=50)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        report = await rehearsal

    assert (report.games, report.errors, report.reconnects) == (2, {}, 6)


async def test_robots_that_find_no_server_at_first_wait_for_it(tmp_path: Path):
    with prikup(tmp_path / "data") as server, Tally() as tally:
        (room,) = await asyncio.to_thread(open_rooms, server.url, 1, "ru-3")
        await asyncio.to_thread(server.kill)
        brief = Brief(
            code=room.code,
            games=1,
            think=0.0,
            tally=tally,
            stopwatch=Stopwatch(room.players, []),
            chance=random.Random(1),
        )
        robots = [Robot(number, brief) for number in range(room.players)]
        attending = [asyncio.create_task(attend(robot, room.uri, tally)) for robot in robots]
        await asyncio.to_thread(server.start)
        await asyncio.gather(*attending)

    assert (tally.games, tally.errors) == (1, {})


async def test_what_was_answered_before_any_of_ten_kills_is_in_the_log(tmp_path: Path):
    seed = random.randrange(1 << 32)
    chance, file = random.Random(seed), tmp_path / "answers"

    with prikup(tmp_path / "data") as server:
        rehearsal = asyncio.create_task(rehearse(server.url, 8, 1000, answers=file))
        for _ in range(10):
            await answered(rehearsal, file, more_than=len(answers_in(file)))
            await asyncio.sleep(chance.uniform(0, 0.3))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        rehearsal.cancel()
        await asyncio.gather(rehearsal, return_exceptions=True)

    events = SqliteLog(tmp_path / "data")
    try:
        answers = answers_in(file)
        assert len(answers) > 100
        assert await all_logged(answers, events), f"{seed=}"
    finally:
        events.close()


async def test_an_unknown_profile_is_told_with_those_there_are(url: str):
    with pytest.raises(CannotRehearse, match=r"There is no profile whist, but .*ru-3"):
        await rehearse(url, 1, 1, "whist")


@pytest.mark.parametrize("url", ["https://127.0.0.1:1", "127.0.0.1:8000", "http://"])
async def test_an_address_of_another_kind_is_refused(url: str):
    with pytest.raises(CannotRehearse, match="must be given like"):
        await rehearse(url, 1, 1)


async def test_a_file_of_answers_that_cannot_be_written_is_one_sentence(url: str, tmp_path: Path):
    with pytest.raises(CannotRehearse, match="cannot be written: No such file or directory"):
        await rehearse(url, 1, 1, answers=tmp_path / "nowhere" / "answers")


async def test_another_server_is_told_apart():
    app = Starlette(routes=[Route("/api/profiles", lambda _: PlainTextResponse("hello"))])
    config = uvicorn.Config(app, port=0, log_level="warning")

    async with serving(config) as host:
        with pytest.raises(CannotRehearse, match="is no Prikup server"):
            await rehearse(f"http://{host}", 1, 1)


def test_no_server_is_one_sentence_and_exit_code_1(capsys: pytest.CaptureFixture[str]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        code = run(f"http://127.0.0.1:{free.getsockname()[1]}", 1, 1, None)

    said = capsys.readouterr()
    assert code == 1
    assert said.out == ""
    assert said.err.startswith("prikup: No server answers at http://127.0.0.1:")


@pytest.mark.parametrize("drop", ["-0.1", "1.1", "often", "nan"])
def test_how_often_lines_drop_is_a_chance(drop: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        parser().parse_args(["rehearse", "http://127.0.0.1:1", f"--drop={drop}"])

    assert f"must be a number from 0 to 1, not {drop}" in capsys.readouterr().err


def test_the_figures_are_json_on_stdout(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with prikup(tmp_path) as server:
        code = run(server.url, 1, 1, "ru-3")

    said = capsys.readouterr()
    report = msgspec.json.decode(said.out, type=Report)
    assert (code, report.games, report.errors) == (0, 1, {})
    assert "1 games won" in said.err


async def test_robots_whose_lines_drop_all_the_time_come_back_and_win(
    url: str, events: EventLog, tmp_path: Path
):
    file = tmp_path / "answers"

    report = await rehearse(url, 2, 1, drop=0.03, answers=file)

    assert (report.games, report.errors) == (2, {})
    assert report.drops > 0
    assert report.reconnects >= report.drops
    answers = answers_in(file)
    assert await all_logged(answers, events)
    assert len({(one.room, one.seq) for one in answers}) == len(answers)
