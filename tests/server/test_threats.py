"""THREATS.md claims nothing that no test holds."""

import ast
import re
from pathlib import Path

import pytest

from server import lines, places, room_bounds, serve, socket, turnstile
from server.identity import CODE_LENGTH, CODE_LETTERS
from server.limits import Limits
from server.strangers import Strangers

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "server" / "THREATS.md").read_text("utf-8")
SECTIONS = dict(part.split("\n", 1) for part in TEXT.split("\n## ")[1:])
DEFENCES = re.findall(r"^- .*$", SECTIONS["What is defended"], re.MULTILINE)
NAMED = re.compile(r"`(tests/[a-z0-9_/]+\.py)::(test_[a-z0-9_]+)`")


def functions_of(file: str) -> set[str]:
    """Their names; empty where there is no such module."""
    path = ROOT / file
    tree = ast.parse(path.read_text("utf-8")) if path.is_file() else ast.Module([], [])
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def test_there_are_defences():
    assert len(DEFENCES) > 20


@pytest.mark.parametrize("line", DEFENCES)
def test_a_defence_names_the_tests_that_hold_it(line: str):
    named = NAMED.findall(line)

    assert named
    assert line.count("`tests/") == len(named)
    assert [name for file, name in named if name not in functions_of(file)] == []


def test_the_numbers_in_the_page_are_those_of_the_code():
    limits = Limits()
    a_day, a_change = limits.stored.per_second * 86_400, 1 / limits.changes.per_second
    said = (
        f"| connections | {limits.connections} at a time; {limits.all_connections} for all",
        f"| new connections | {limits.connects.burst}, then {limits.connects.per_second} a second",
        f"| devices that look on | {limits.watchers}; {socket.WATCHERS} in a room |",
        f"| requests answered at the same time | {limits.answers} |",
        f"| requests that wait behind one | {lines.PIPELINED} |",
        f"| a part of an answer | read within {lines.READ_WITHIN:.0f} seconds |",
        f"asks the system for {serve.FILES} open files",
        f"as many places as files, less {serve.OWN_FILES} for its own",
        f"has {lines.SEAT_WITHIN:.0f} seconds to show a seat",
        f"where more than {places.TURNED_AWAY} are being told so",
        f"{Strangers.MOST} addresses are remembered",
        (
            f"| requests, those that open a socket too | {limits.requests.burst}, then"
            f" {limits.requests.per_second} a second |"
        ),
        f"| rooms opened | {limits.rooms.burst}, then one in {1 / limits.rooms.per_second:.0f} s",
        f"| bytes of entries stored | {limits.stored.burst}, then {a_day:.0f} a day |",
        f"| entries that the next may undo | {limits.changes.burst}, then one in {a_change:.0f} s",
        f"above {room_bounds.LAST_GAME} no game begins and nothing is arranged",
        f"above {room_bounds.LONGEST} nothing is stored",
        f"| deals of a game | {room_bounds.DEALS} |",
        f"| take-backs of a game | {room_bounds.TAKE_BACKS} |",
        f"| entries of a deal | {room_bounds.IN_DEAL}, then",
        f"| bytes sent | {limits.received.burst}, then {limits.received.per_second} a second |",
        f"| messages on a connection | {limits.frames.burst}, then {limits.frames.per_second} a s",
        f"| on all of them | {limits.all_frames.burst}, then {limits.all_frames.per_second}",
        f"| games, evenings, pictures | {limits.dear.burst}, then {limits.dear.per_second} a sec",
        f"| a whole request | {lines.REQUEST_LIMIT} bytes within {lines.REQUEST_WITHIN:.0f} sec",
        f"| a message in pieces | {lines.FRAGMENTS} pieces |",
        f"taken apart before the message in them was taken | {lines.MORSEL} |",
        f"those who sit that go first | {limits.seated.burst}, then {limits.seated.per_second} a",
        (
            f"| messages and requests of others that go next | {limits.little.burst}, then"
            f" {limits.little.per_second} a second; {turnstile.A_TURN} of all addresses in a"
            f" turn of the server, and {turnstile.OF_OTHERS} that is not"
        ),
        f"| pings on a connection | {lines.CONTROLS.burst}, then {lines.CONTROLS.per_second} a sec",
        f"waits up to {limits.longest_wait:.0f} seconds at a time",
        f"An address has {limits.mistakes.burst} mistakes free",
        f"one more every {1 / limits.mistakes.per_second:.0f} seconds",
        f"from {limits.first_delay} seconds doubling up to {limits.longest_delay},",
        f"at most {limits.questions} wait at the same time",
        f"That is {limits.questions / limits.longest_delay:.1f} guesses a second.",
        f"= {len(CODE_LETTERS) ** CODE_LENGTH} codes",
    )

    assert [sentence for sentence in said if sentence not in TEXT] == []
