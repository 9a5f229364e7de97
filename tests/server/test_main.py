"""The command line as its users meet it: in processes of its own."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from engine.record import write_record
from server.lan import qr_terminal
from tests.server.damage import spoil
from tests.server.games import played, stored

ROOT = Path(__file__).parents[2]


def prikup(*arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env=os.environ | env,
    )


@contextmanager
def serving(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that is up, and what it announced."""
    command = [sys.executable, "-m", "server", "--host", "127.0.0.1", "--port", "0", *arguments]
    with subprocess.Popen(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        try:
            announced = ""
            for line in process.stdout:
                announced += line
                if "To stop" in line:
                    break
            yield process, announced
        finally:
            process.kill()


def address_in(announced: str) -> str:
    found = re.search(r"Open on .* (http\S+)", announced)
    assert found, announced
    return found[1]


def refusal(ended: subprocess.CompletedProcess[str]) -> str:
    """The one sentence with which it gave up."""
    assert (ended.returncode, ended.stdout) == (1, "")
    (sentence,) = ended.stderr.splitlines()
    assert sentence.startswith("prikup: ")
    return sentence


def test_it_serves_the_address_it_announces(tmp_path: Path):
    with serving("--data", tmp_path) as (_, announced):
        address = address_in(announced)
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=20) as page:  # noqa: S310  # our own
            assert page.status == 200
            assert b"<html" in page.read()


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_ends_in_peace_and_lets_go_of_its_folder(tmp_path: Path, signum: int):
    with serving("--data", tmp_path) as (process, announced):
        urllib.request.urlopen(address_in(announced), timeout=20).close()  # noqa: S310
        process.send_signal(signum)
        _, complaints = process.communicate(timeout=20)

    assert (process.returncode, complaints) == (0, "")
    with serving("--data", tmp_path) as (_, again):
        assert address_in(again)


def test_the_announcement_shows_a_qr_code_and_where_games_are_kept(tmp_path: Path):
    with serving("--data", tmp_path, "--public-url", "http://cards.example") as (_, announced):
        assert address_in(announced) == "http://cards.example/"
        assert qr_terminal("http://cards.example/").splitlines()[3] in announced
        assert str(tmp_path) in announced


def test_it_answers_to_a_name_that_was_allowed_and_to_no_other_from_outside(tmp_path: Path):
    names = ("--allow-host", "one.example", "--allow-host", "two.example")
    with serving("--data", tmp_path, *names) as (_, announced):
        asked = [
            httpx.get(address_in(announced), headers={"Host": f"{name}.example"}, timeout=20)
            for name in ("one", "two", "three")
        ]

    assert [answer.status_code for answer in asked] == [200, 200, 421]


def test_names_to_allow_may_come_from_the_environment(tmp_path: Path):
    ended = prikup("--data", tmp_path, PRIKUP_ALLOW_HOSTS="one.example two.example:80")

    assert "not two.example:80" in refusal(ended)


def test_a_connection_that_floods_the_server_holds_nobody_up(tmp_path: Path):
    handshake = (
        b"GET /api/rooms/KVRT/socket HTTP/1.1\r\nHost: a\r\n"
        b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    nothing = b"\x8a\x80\x00\x00\x00\x00" * 20_000  # answers to pings that nobody sent

    with serving("--data", tmp_path) as (_, announced):
        health = address_in(announced) + "api/health"
        where = urllib.parse.urlsplit(health)
        with closing(socket.create_connection((where.hostname, where.port))) as line:
            line.sendall(handshake)
            assert b"101" in line.recv(200)
            flood = threading.Thread(target=_send_for, args=(line, nothing, 1.5))
            flood.start()
            waits = []
            while flood.is_alive():
                asked = time.monotonic()
                httpx.get(health, timeout=20)
                waits.append(time.monotonic() - asked)
                time.sleep(0.05)

    assert max(waits) < 2


def _send_for(line: socket.socket, data: bytes, seconds: float) -> None:
    until = time.monotonic() + seconds
    with suppress(OSError):
        while time.monotonic() < until:
            line.sendall(data)


def test_a_taken_port_is_one_sentence(tmp_path: Path):
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        ended = prikup("serve", "--host", "127.0.0.1", "--port", port, "--data", tmp_path)

    assert f"Port {port} on 127.0.0.1 cannot be used" in refusal(ended)


def test_a_data_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    (tmp_path / "file").touch()

    ended = prikup("--port", 0, "--data", tmp_path / "file" / "data")

    assert "cannot be written" in refusal(ended)


def test_a_folder_in_use_is_one_sentence(tmp_path: Path):
    with serving("--data", tmp_path):
        ended = prikup("--port", 0, "--data", tmp_path)

    assert "in use by another Prikup" in refusal(ended)


def test_a_missing_client_is_one_sentence(tmp_path: Path):
    for package in ("engine", "server"):
        shutil.copytree(
            ROOT / package,
            tmp_path / package,
            ignore=shutil.ignore_patterns("static", "__pycache__"),
        )
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds")

    ended = subprocess.run(
        [sys.executable, "-m", "server", "--port", "0", "--data", tmp_path / "data"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=tmp_path,
    )

    assert "The client is not built" in refusal(ended)


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--port", "70000", "port must be a number from 0 to 65535"),
        ("--public-url", "cards.example", "public URL must look like http://"),
        ("--host", "203.0.113.7", "on 203.0.113.7 cannot be used"),
        ("--allow-host", "http://cards.example", "must be a bare name like cards.example"),
    ],
)
def test_a_setting_that_cannot_be_is_one_sentence(tmp_path, option, value, complaint):
    assert complaint in refusal(prikup("serve", option, value, "--data", tmp_path))


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--rooms", "0", "a whole number from 1, not 0"),
        ("--games", "many", "a whole number from 1, not many"),
        ("--think", "-1", "a number from 0, not -1"),
        ("--seconds", "nan", "a number from 0, not nan"),
    ],
)
def test_a_rehearsal_that_cannot_be_is_answered_with_the_usage(option, value, complaint):
    ended = prikup("rehearse", "http://127.0.0.1:9", option, value)

    assert ended.returncode == 2
    assert f"argument {option}: must be {complaint}" in ended.stderr


def test_the_environment_speaks_where_the_command_line_is_silent(tmp_path: Path):
    by_environment = prikup("--data", tmp_path, PRIKUP_PORT="70001")
    by_option = prikup("--data", tmp_path, "--port", "70002", PRIKUP_PORT="70001")

    assert "not 70001" in refusal(by_environment)
    assert "not 70002" in refusal(by_option)


def test_the_version_is_told():
    ended = prikup("--version")

    assert ended.returncode == 0
    assert ended.stdout.startswith("prikup ")


def test_the_help_names_the_commands_and_gives_examples():
    ended = prikup("--help")

    assert ended.returncode == 0
    for part in (
        "serve",
        "rehearse",
        "check",
        "export",
        "backup",
        "restore",
        "examples:",
        "prikup --port 9000",
    ):
        assert part in ended.stdout


def test_games_are_backed_up_while_the_server_runs_and_restored_once_it_has_ended(tmp_path: Path):
    data, file = tmp_path / "data", tmp_path / "games.zip"
    with serving("--data", data) as (process, announced):
        url = address_in(announced) + "api/rooms"
        httpx.post(url, json={"profile": "ru-3"}, timeout=20).raise_for_status()
        backed_up = prikup("backup", file, "--data", data)
        in_use = prikup("restore", file, "--data", data, "--replace")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)

    assert (backed_up.returncode, backed_up.stderr) == (0, "")
    assert backed_up.stdout == f"Backed up into {file}. Rooms: 1, entries: 1.\n"
    assert "in use by another Prikup" in refusal(in_use)
    assert "With --force" in refusal(prikup("backup", file, "--data", data))
    assert "With --replace" in refusal(prikup("restore", file, "--data", data))
    restored = prikup("restore", file, "--replace", PRIKUP_DATA=str(data))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert restored.stdout.endswith("What was there before is kept as prikup.replaced-1.db.\n")


def test_a_log_that_was_mended_is_told_to_the_operator_once(tmp_path: Path):
    with serving("--data", tmp_path) as (process, announced):
        url = address_in(announced) + "api/rooms"
        code = httpx.post(url, json={"profile": "ru-3"}, timeout=20).json()["code"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    spoil(tmp_path, code, 1)

    told = []
    for _ in range(2):
        with serving("--data", tmp_path) as (process, announced):
            httpx.get(address_in(announced) + "api/health", timeout=20)
            process.send_signal(signal.SIGTERM)
            told.append(process.communicate(timeout=20)[1])

    assert f"room {code}: gone, none of its 1 entries is good" in told[0]
    assert told[1] == ""


def test_a_room_is_forgotten_once_the_server_has_ended_and_somebody_has_said_yes(tmp_path: Path):
    with serving("--data", tmp_path) as (process, announced):
        url = address_in(announced) + "api/rooms"
        code = httpx.post(url, json={"profile": "ru-3"}, timeout=20).json()["code"]
        in_use = prikup("forget", code, "--data", tmp_path, "--yes")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)

    assert "in use by another Prikup" in refusal(in_use)
    assert "stop the server first" in refusal(in_use)
    unasked = prikup("forget", code, "--data", tmp_path)
    assert unasked.stdout.startswith(f"Room {code} has 1 entries.")
    assert "say --yes" in unasked.stderr
    assert unasked.returncode == 1
    gone = prikup("forget", code, "--data", tmp_path, "--yes")
    assert (gone.returncode, gone.stderr) == (0, "")
    assert gone.stdout.endswith(f"Removed room {code}.\n")
    assert f"no room {code}" in refusal(prikup("forget", code, "--data", tmp_path, "--yes"))


def test_the_help_of_backup_says_who_may_see_the_file():
    ended = prikup("backup", "--help")

    assert "It shows every card" in ended.stdout
    assert "mode 600" in ended.stdout


@pytest.mark.parametrize("option", ["--host", "--port", "--data", "--public-url", "--allow-host"])
def test_the_help_of_serve_explains_each_option_and_its_variable(option: str):
    ended = prikup("serve", "--help")

    assert option in ended.stdout
    assert "PRIKUP_" + option[2:].replace("-", "_").upper() in ended.stdout


def test_a_misspelt_command_is_answered_with_the_usage():
    ended = prikup("sevre")

    assert ended.returncode == 2
    assert "usage: prikup" in ended.stderr


def test_a_game_in_a_file_is_served_to_be_looked_at(tmp_path: Path):
    file = tmp_path / "evening.t1000"
    file.write_text(write_record(stored(played()), 1))
    command = [sys.executable, "-m", "server", "replay", str(file), "--host", "127.0.0.1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            announced = ""
            for line in process.stdout:
                announced += line
                if "To stop" in line:
                    break
            found = re.search(r"(http://\S+)/([A-Z]{4})/replay/1   (.*)", announced)
            assert found, announced
            assert found[3] == str(file)
            answer = httpx.get(f"{found[1]}/api/rooms/{found[2]}/games/1/replay", timeout=20)
            assert answer.json()["finished"]
        finally:
            process.kill()


def test_a_file_that_is_no_game_is_not_served(tmp_path: Path):
    file = tmp_path / "evening.t1000"
    file.write_text("What an evening!\n")

    ended = prikup("replay", file, "--host", "127.0.0.1")

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"prikup: {file}:1: a record begins with `prikup 1`\n"
