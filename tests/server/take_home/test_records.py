"""A text record as a log: the game that it tells, entry by entry."""

import random

import pytest

from engine.history import past_of
from engine.record import Unreadable, write_record
from engine.state import game_of
from server.profiles import load_profiles
from server.take_home.records import read_entries
from tests.engine.record.rooms import random_log, room_of
from tests.server.games import played, stored
from tests.support import ALL_PROFILES

PROFILES = load_profiles()


def test_what_is_read_and_written_again_is_the_same_text():
    text = write_record(stored(played()), 1)

    assert write_record(read_entries(text, PROFILES), 1) == text


def test_so_it_is_with_random_games_by_all_rules():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    for profile in ALL_PROFILES:
        log = random_log(profile, seed, deals=2)
        text = write_record(log, 1)

        entries = read_entries(text, PROFILES)

        assert write_record(entries, 1) == text
        room = past_of(entries).room
        assert room is not None
        assert game_of(room) == game_of(room_of(log))


def test_claims_and_refusals_are_no_entries():
    text = write_record(stored(played()), 1).replace(
        "\nB pass\n", "\n! B play AS : wrong-phase\nB pass\n", 1
    )

    assert len(read_entries(text, PROFILES)) == len(
        read_entries(write_record(stored(played()), 1), PROFILES)
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("A bid 100", "A bid 101", "expected `A bid 101` to be accepted"),
        ("A bid 100", "A bids 100", "'bids' is no card"),
        ("prikup 1", "prikup 2", "prikup 1"),
    ],
)
def test_a_record_that_does_not_hold_is_named_with_its_line(old: str, new: str, words: str):
    text = write_record(stored(played()), 1).replace(old, new, 1)

    with pytest.raises(Unreadable) as refused:
        read_entries(text, PROFILES)

    assert words in refused.value.text
