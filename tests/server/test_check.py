import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.check import FALSE, HOLDS, UNREADABLE, check
from server.profiles import load_profiles
from tests.support import RU_4

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "records"

HEADER = """\
prikup 1
profile ru-3
seat A Anna
seat B Ben
seat C Carla
dealer C
"""


def checked(*files: object) -> tuple[int, str]:
    out = io.StringIO()
    return check([str(file) for file in files], load_profiles(), out), out.getvalue()


@pytest.fixture
def record(tmp_path: Path):
    def write(content: str | bytes, name: str = "game.t1000") -> Path:
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


@pytest.mark.parametrize(
    ("name", "deals"), [("g1-ru-3", "1 deal"), ("example-05", "4 deals"), ("g1-de-3", "1 deal")]
)
def test_a_record_that_holds_is_one_line_with_its_deals(name: str, deals: str):
    file = RECORDS / f"{name}.t1000"

    assert checked(file) == (HOLDS, f"{file}: ok, {deals}\n")


def test_a_record_without_a_deal_holds(record):
    file = record(HEADER)

    assert checked(file) == (HOLDS, f"{file}: ok, 0 deals\n")


def test_the_first_thing_that_is_false_is_told_with_file_and_line(record):
    file = record(f"{HEADER}= dealer A\n= dealer B\n")

    assert checked(file) == (
        FALSE,
        f"{file}:7: expected `dealer A`, but it is `dealer C`\n",
    )


def test_what_cannot_be_read_is_told_with_file_and_line(record):
    file = record(f"{HEADER}= dealer A\nA sleeps\n")

    assert checked(file) == (UNREADABLE, f"{file}:8: 'A sleeps' is no statement\n")


def test_a_deal_with_a_hand_for_a_sitter_cannot_be_read_though_all_before_it_is_played(record):
    file = record(
        HEADER.replace("ru-3", "ru-4").replace("dealer C", "seat D David\ndealer C")
        + "deal\n  A AS 10S KH QH AC 9D 9C\n  B KS QS 9S 10H KC QC JD\n"
        + "  D JS AH JH 10C 10D KD QD\n  talon JC 9H AD\n"
    )
    out = io.StringIO()

    assert check([str(file)], {"ru-4": RU_4}, out) == UNREADABLE
    assert out.getvalue() == f"{file}:10: B sits this deal out\n"


def test_all_files_are_checked_and_the_worst_decides(record):
    good, false = record(HEADER, "good"), record(f"{HEADER}= dealer A\n", "false")
    bad = record("nonsense", "bad")

    code, said = checked(good, bad, false, good)

    assert code == UNREADABLE
    assert [line.partition(":")[0] for line in said.splitlines()] == [
        str(good),
        str(bad),
        str(false),
        str(good),
    ]
    assert checked(good, false, good)[0] == FALSE
    assert checked(good, good)[0] == HOLDS


def test_a_file_that_is_not_there_or_no_file_is_one_sentence(tmp_path: Path):
    assert checked(tmp_path / "none") == (
        UNREADABLE,
        f"{tmp_path}/none: this file cannot be read: No such file or directory\n",
    )
    assert checked(tmp_path) == (
        UNREADABLE,
        f"{tmp_path}: this file cannot be read: Is a directory\n",
    )


@pytest.mark.parametrize("make", [os.mkfifo, lambda file: file.symlink_to("/dev/zero")])
def test_nobody_waits_for_a_pipe_or_reads_a_device_without_end(tmp_path: Path, make):
    make(tmp_path / "endless")

    assert checked(tmp_path / "endless") == (
        UNREADABLE,
        f"{tmp_path}/endless: this file cannot be read: It is a pipe or a device and no file\n",
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADER + "= dealer C\n" * 50_000, "50001: this is too long to be a game"),
        ("#\n" * (5 << 20), f"{(8 << 20) // 2 + 1}: this is too long to be a game"),
        ("x" * (9 << 20), "1: this is too long to be a game"),
        (HEADER + "A" * 2_000_000, "7: this line is longer than 1000 characters"),
        (HEADER + "= score A " + "9" * 2_000_000, "7: this line is longer than 1000 characters"),
        ("{" * 200_000, "1: this line is longer than 100000 characters"),
        ("{" * 90_000, "1: a record begins with `prikup 1`"),
        (HEADER + "A bid \0", "7: a control character stands in this line"),
        (HEADER.replace("Ben", "\x1b[2J"), "4: a control character stands in this line"),
    ],
)
def test_what_is_longer_than_a_game_can_be_is_one_sentence(record, text: str, complaint: str):
    file = record(text)

    assert checked(file) == (UNREADABLE, f"{file}:{complaint}\n")


def test_a_number_of_many_digits_is_compared_like_any_other(record):
    code, said = checked(record(f"{HEADER}A bid {'9' * 900}\n"))

    assert code == FALSE
    assert said.count("\n") == 1


def test_what_is_not_utf_8_is_told_with_its_line(record):
    file = record(HEADER.replace("Ben", "Jürgen").encode("latin-1"))

    assert checked(file) == (UNREADABLE, f"{file}:4: this is not UTF-8\n")


def test_names_may_be_in_any_script_and_a_byte_order_mark_does_no_harm(record):
    file = record("\ufeff" + HEADER.replace("Ben", "Ярослав 🂡"))

    assert checked(file)[0] == HOLDS


def test_an_empty_file_cannot_be_read(record):
    file = record("")

    assert checked(file) == (UNREADABLE, f"{file}:1: a record begins with `prikup 1`\n")


def prikup_check(*files: object, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "server", "check", *map(os.fsencode, map(str, files))],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=ROOT,
        env=os.environ | env,
    )


def test_the_command_ends_with_the_worst_and_says_all_on_its_output(record):
    good, false = record(HEADER, "good"), record(f"{HEADER}= dealer A\n", "false")

    ended = prikup_check(good, false)

    assert (ended.returncode, ended.stderr) == (FALSE, b"")
    assert ended.stdout.decode() == (
        f"{good}: ok, 0 deals\n{false}:7: expected `dealer A`, but it is `dealer C`\n"
    )
    assert prikup_check(good).returncode == HOLDS
    assert prikup_check(good, RECORDS).returncode == UNREADABLE


def test_a_terminal_that_lacks_a_letter_does_not_stop_it(record):
    ended = prikup_check(record(f"{HEADER}Ярослав pass\n"), PYTHONIOENCODING="ascii")

    assert (ended.returncode, ended.stderr) == (UNREADABLE, b"")
    assert rb"\u042f" in ended.stdout


def test_without_a_file_the_usage_is_shown():
    ended = prikup_check()

    assert ended.returncode == UNREADABLE
    assert b"usage: prikup check" in ended.stderr
