"""Which entries make a game, and which of them still count."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import GameEnded, GameStarted, GameWon
from engine.games import NoSuchGame
from engine.history import Entry, Past, spared
from server.replay import Moment, TooLong, story_of
from tests.engine.agreeing import eventful
from tests.golden_logs import LOGS, read
from tests.server.games import again, dealt, played, stored, won
from tests.support import ALL_PROFILES


def kinds(story) -> list[str]:
    return [kind_of(moment) for moment in story.moments()]


def kind_of(moment: Moment) -> str:
    return str(moment.entry.facts[0].__struct_config__.tag)


def test_a_game_lasts_from_its_beginning_to_its_end():
    story = story_of(stored(won()), 1)

    assert kinds(story)[0] == "game_started"
    assert kinds(story)[-1] == "deal_conceded"
    assert story.finished


def test_what_comes_after_a_game_is_not_told_with_it():
    log = stored(again(won()))

    assert len(kinds(story_of(log, 1))) == len(kinds(story_of(stored(won()), 1)))


def test_a_game_that_runs_is_told_as_far_as_it_went():
    story = story_of(stored(again(won())), 2)

    assert kinds(story) == ["game_started", "cards_dealt"]
    assert not story.finished


def test_there_is_no_game_that_has_not_begun():
    for number in (0, 2):
        with pytest.raises(NoSuchGame):
            story_of(stored(won()), number)
    with pytest.raises(NoSuchGame):
        story_of(stored(won())[:1], 1)
    with pytest.raises(NoSuchGame):
        story_of([], 1)


def test_what_was_taken_back_is_left_out():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.does("B pass")

    assert kinds(story_of(stored(room), 1)) == [
        "game_started",
        "cards_dealt",
        "bid_placed",
        "passed",
    ]


def test_on_wish_it_is_there_and_marked_and_so_is_the_taking_back():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.does("B pass")

    story = story_of(stored(room), 1, undone=True)

    assert kinds(story)[2:] == ["bid_placed", "bid_placed", "undone", "passed"]
    assert [moment.undone for moment in story.moments()] == [
        False,
        False,
        False,
        True,
        False,
        False,
    ]


def test_who_comes_while_something_stands_that_is_taken_back_is_told_with_it():
    room = dealt()
    room.does("B bid 105")
    room.hands_over("C", "another key")
    room.takes_back("B")
    room.does("B pass")

    assert kinds(story_of(stored(room), 1))[2:] == ["bid_placed", "passed"]
    story = story_of(stored(room), 1, undone=True)
    assert kinds(story)[3:5] == ["bid_placed", "seat_handed_over"]
    assert [moment.undone for moment in story.moments()][3:] == [True, True, False, False]


def test_who_comes_before_what_is_taken_back_is_told_whatever_comes_of_it():
    room = dealt()
    room.does("B bid 105")
    stays = len(room.log)
    room.hands_over("C", "another key")
    room.does("C bid 110")
    room.goes_back(stays, by="C")

    told = [(kind_of(one), one.undone) for one in story_of(stored(room), 1, undone=True).moments()]

    assert told[-3:] == [
        ("seat_handed_over", False),
        ("bid_placed", True),
        ("undone", False),
    ]
    assert kinds(story_of(stored(room), 1))[-1] == "seat_handed_over"


def test_a_game_that_was_opened_again_ends_with_its_last_end():
    room = dealt()
    room.ends("A")
    room.reopens("B")
    room.does("B pass")
    room.ends("C")

    story = story_of(stored(room), 1)

    assert kinds(story)[2:] == ["bid_placed", "passed", "game_ended"]
    with_undone = story_of(stored(room), 1, undone=True)
    assert kinds(with_undone)[3:] == ["game_ended", "undone", "passed", "game_ended"]
    assert with_undone.finished


def test_a_card_knows_its_trick():
    story = story_of(stored(played()), 1)

    tricks = [moment.trick for moment in story.moments() if moment.trick is not None]
    assert tricks == [trick for trick in range(1, 9) for _ in range(3)]


def test_a_game_with_more_moments_than_can_be_shown_is_too_long_to_be_told(monkeypatch):
    monkeypatch.setattr("server.replay.story.MOST", 4)
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.does("B pass")

    assert len(list(story_of(stored(room), 1).moments())) == 4
    with pytest.raises(TooLong):
        list(story_of(stored(room), 1, undone=True).moments())
    room.does("C bid 110")
    story = story_of(stored(room), 1)
    assert story.room.games == 1
    with pytest.raises(TooLong):
        list(story.moments())


def test_what_comes_behind_a_game_that_is_over_for_good_is_not_gone_over():
    log = stored(again(won()))
    seen: list[int] = []

    class Watched:
        def __iter__(self) -> Iterator[Entry]:
            for entry in log:
                seen.append(entry.seq)
                yield entry

    end = next(moment.entry.seq for moment in reversed([*story_of(log, 1).moments()]))
    story = story_of(Watched(), 1)
    list(story.moments())

    assert max(seen) < len(log)
    assert max(seen) <= end + 5  # until the next game is ready


# The same as when all of it is in memory.


Told = list[tuple[int, Past, bool]]


def told_of_all(log: list[Entry], number: int, *, undone: bool) -> Told:
    """A game, its moments and whether they were undone, found in lists of everything."""
    counts: list[Entry] = []
    for entry in log:
        counts = [*counts, entry] if entry.undone is None else spared(counts, entry.undone.back_to)
    first, last = 0, log[-1].seq
    for entry in counts:
        for fact in entry.facts:
            if isinstance(fact, GameStarted) and fact.number == number:
                first = entry.seq
        if first and any(isinstance(fact, GameWon | GameEnded) for fact in entry.facts):
            last = entry.seq
            break
    if not first:
        raise NoSuchGame
    numbers, past, told = {entry.seq for entry in counts}, Past(), []
    for entry in log[:last]:
        past = past.after(entry)
        stood = past.entries if entry.undone else (entry, *past.entries)
        was_undone = any(one.seq not in numbers for one in stood)
        if entry.seq >= first and (undone or not (was_undone or entry.undone)):
            told.append((entry.seq, past, was_undone))
    return told


def assert_told(log: list[Entry], number: int) -> None:
    for undone in (False, True):
        story = story_of(log, number, undone=undone)
        told = [(one.entry.seq, one.past, one.undone) for one in story.moments()]
        assert told == told_of_all(log, number, undone=undone)
        if undone:
            assert story.past == told[-1][1]


@pytest.mark.parametrize(
    "file", sorted(LOGS.rglob("*.jsonl")), ids=lambda file: file.parent.name + file.stem
)
def test_whole_evenings_are_told_as_when_all_of_them_is_in_memory(file):
    log = read(file)
    games = [fact.number for one in log for fact in one.facts if isinstance(fact, GameStarted)]
    for length in (*range(len(log) // 7, len(log), len(log) // 7), len(log)):
        for number in games:
            try:
                assert_told(log[:length], number)
            except NoSuchGame:
                assert not any(
                    isinstance(fact, GameStarted) and fact.number == number
                    for one in log[:length]
                    for fact in one.facts
                )


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_happens_it_is_told_as_when_all_of_it_is_in_memory(profile, seed):
    log = eventful(profile, seed, deals=2).log
    for length in (len(log) // 2, len(log)):
        assert_told(log[:length], 1)
