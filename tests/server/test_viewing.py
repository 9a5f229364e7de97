"""Games out of files: what can be looked at, and what is refused with a sentence."""

import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from engine.record import write_record
from server.log import MemoryLog
from server.log.codec import entries_of
from server.played import games_in
from server.profiles import load_profiles
from server.take_home import taken_home
from server.viewing import CannotView, game_in, shelved
from tests.server.games import dealt, kept, played, stored, won

PROFILES = load_profiles()


def written(folder: Path, kind: str = "t1000", room=None) -> str:
    file = folder / f"evening.{kind}"
    text = taken_home("KVRT", stored(room or played()), 1, kind, static=folder)
    file.write_bytes(text.encode())
    return str(file)


@pytest.mark.parametrize("kind", ["t1000", "jsonl"])
def test_a_file_holds_the_game_that_was_played(tmp_path: Path, kind: str):
    (there,) = games_in(game_in(written(tmp_path, kind), PROFILES))

    (here,) = games_in(stored(played()))
    assert (there.state, there.names) == ("ended", ("Anna", "Ben", "Carla"))
    assert there.game.sheet == here.game.sheet


def test_a_game_that_somebody_won_is_as_it_was(tmp_path: Path):
    (game,) = games_in(game_in(written(tmp_path, room=won()), PROFILES))

    assert (game.state, game.winners) == ("won", (1,))


def test_a_record_may_end_before_the_game_does(tmp_path: Path):
    file = tmp_path / "bug.t1000"
    file.write_text(write_record(stored(dealt()), 1))

    (game,) = games_in(game_in(str(file), PROFILES))

    assert (game.state, game.winners) == ("ended", ())


async def test_every_file_has_a_room_of_its_own(tmp_path: Path):
    events = MemoryLog()
    file = written(tmp_path)

    games = await shelved([file, file], PROFILES, events)

    assert [(game.file, game.number) for game in games] == [(file, 1), (file, 1)]
    assert len({game.code for game in games}) == 2
    for game in games:
        entries = entries_of(await kept(events, game.code))
        assert len(list(games_in(entries))) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ":1: a record begins with `prikup 1`"),
        (b"PK\x03\x04\xff\xfe", ":1: this is not UTF-8"),
        (b'{"games": []}', ":1: this is no log of a game"),
        (b"deal\tdeal\n" * 10, ":1: a record begins"),
    ],
)
def test_what_is_no_game_is_refused_with_a_sentence(tmp_path: Path, data: bytes, words: str):
    file = tmp_path / "foreign"
    file.write_bytes(data)

    with pytest.raises(CannotView) as refused:
        game_in(str(file), PROFILES)

    assert str(refused.value).startswith(f"{file}{words}")


HEAD = '{"prikup_log": 1}\n'
ENTRY = '{"seq":1,"schema":3,"facts":[],"x":'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"prikup_log":' + "[" * 90_000, ":1: this is no log of a game"),
        (HEAD + '{"a":' * 18_000, ":2: entry 1 cannot be read: maximum recursion"),
        (HEAD + ENTRY + "[" * 90_000, ":2: entry 1 cannot be read: maximum recursion"),
        (HEAD + ENTRY.replace("3", "2") + "[" * 90_000, ":2: entry 1 cannot be read: maximum"),
        (HEAD + ENTRY.replace('"seq":1', f'"seq":{"9" * 90_000}'), ":2: entry 1 cannot be read"),
        (HEAD + ENTRY.replace("3", "2") + "9" * 90_000 + "}", ":2: entry 1 cannot be read"),
        (HEAD + ENTRY.replace("3", "1e999999999"), ":2: entry 1 cannot be read"),
        (HEAD + '{"facts": "\\ud800"}', ":2: entry 1 cannot be read"),
        (HEAD + "{" * 100_001, ":2: this line is longer than 100000 characters"),
        (HEAD + "{}\n" * 50_001, ":50001: this is too long to be a game"),
        (HEAD + "\0", ":2: a control character"),
    ],
)
def test_a_log_that_is_too_deep_or_too_long_is_refused_with_a_sentence(
    tmp_path: Path, text: str, words: str
):
    file = tmp_path / "foreign.jsonl"
    file.write_text(text)

    with pytest.raises(CannotView) as refused:
        game_in(str(file), PROFILES)

    assert str(refused.value).startswith(f"{file}{words}")
    assert len(str(refused.value)) < len(str(file)) + 200


@pytest.mark.parametrize(
    ("make", "complaint"),
    [(os.mkfifo, "It is a pipe or a device and no file"), (os.mkdir, "Is a directory")],
)
def test_what_is_no_file_is_refused_with_a_sentence(
    tmp_path: Path, make: Callable[[Path], None], complaint: str
):
    make(tmp_path / "foreign")

    with pytest.raises(CannotView, match=f"foreign: this file cannot be read: {complaint}"):
        game_in(str(tmp_path / "foreign"), PROFILES)


def test_whatever_a_log_says_it_is_a_game_or_refused_with_a_sentence(tmp_path: Path):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to spoil the same values again
    chance = random.Random(seed)
    head, *lines = Path(written(tmp_path, "jsonl")).read_text().splitlines()
    values: list[Any] = [10**9, -1, 2**63, 0, None, "x", "\ud800", 1e300, True, [], {}, 10**400]
    file = tmp_path / "spoilt.jsonl"
    for _ in range(200):
        entries = [json.loads(line) for line in lines]
        where, key = chance.choice(list(_places(entries)))
        where[key] = chance.choice(values)
        file.write_text("\n".join((head, *map(json.dumps, entries))))
        with suppress(CannotView):
            game_in(str(file), PROFILES)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value within `value`: in what, and under which key."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in keys:
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
        else:
            yield value, key


def test_a_file_that_is_not_there_is_refused_with_a_sentence(tmp_path: Path):
    with pytest.raises(CannotView, match="cannot be read: No such file"):
        game_in(str(tmp_path / "nowhere"), PROFILES)


def test_facts_that_follow_each_other_and_make_no_sense_are_no_game(tmp_path: Path):
    file = Path(written(tmp_path, "jsonl"))
    file.write_text(file.read_text().replace('"next":1', '"next":9', 1))

    with pytest.raises(CannotView, match="no game that can have been played"):
        game_in(str(file), PROFILES)
