"""The steps of a room, and to which game each belongs."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import Act, SetReady
from engine.evolve import LogCorrupt
from engine.games import Step, Walk, steps
from engine.history import Entry, past_of
from tests.engine.agreeing import Agreeing, eventful
from tests.engine.undoing import assert_stands
from tests.golden_logs import LOGS, read
from tests.support import ALL_PROFILES, RU_3, A


def evening() -> Agreeing:
    room = Agreeing(RU_3)
    room.deals()
    room.does("A bid 100", "B bid 105")
    room.takes_back("B")
    room.ends("A")
    room.obeys(Act(A, SetReady(ready=True)))
    room.starts()
    room.deals()
    return room


def test_every_step_belongs_to_the_game_that_runs_its_beginning_and_its_end_included():
    log = evening().log

    told = [(step.entry.seq, step.game) for step in steps(log)]

    assert told[:4] == [(1, 1), (2, 1), (3, 1), (6, 1)]
    between = [game for seq, game in told if 6 < seq < log[-2].seq]
    assert between == [0] * len(between)
    assert told[-2:] == [(log[-2].seq, 2), (log[-1].seq, 2)]


def test_a_step_knows_where_the_room_stood_before_and_after_it():
    log = evening().log
    walked = list(steps(log))

    assert walked[0].before is None
    for earlier, later in itertools.pairwise(walked):
        assert later.before is earlier.room
    assert walked[-1].room == past_of(log).room


def test_the_beginning_and_the_end_of_a_game_are_known():
    walked = list(steps(evening().log))

    assert [step.begins.number for step in walked if step.begins] == [1, 2]
    assert [step.entry.seq for step in walked if step.ends] == [6]


def test_an_entry_that_decides_nothing_is_no_step():
    log = evening().log
    nothing = Entry(seq=len(log) + 1, facts=())

    assert len(list(steps([*log, nothing]))) == len(list(steps(log)))
    assert list(steps([Entry(seq=1, facts=())])) == []


def test_entries_that_do_not_follow_each_other_are_no_log():
    with pytest.raises(LogCorrupt):
        list(steps(evening().log[1:]))


def assert_walks(log: list[Entry]) -> None:
    """Bit by bit, a room is walked over as in one go."""
    walk, certain = Walk(), list[Step]()
    for length, entry in enumerate(log, 1):
        certain += walk.over(entry)
        if length % 13 == 0 or length == len(log):
            assert [*certain, *walk.rest()] == list(steps(log[:length]))


@pytest.mark.parametrize(
    "file", sorted(LOGS.rglob("*.jsonl")), ids=lambda file: file.parent.name + file.stem
)
def test_a_room_that_grows_is_walked_over_bit_by_bit_as_in_one_go(file):
    assert_walks(read(file))


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_happens_a_room_is_walked_over_bit_by_bit_as_in_one_go(profile, seed):
    assert_walks(eventful(profile, seed, deals=2).log)


@pytest.mark.parametrize(
    "file", sorted(LOGS.rglob("*.jsonl")), ids=lambda file: file.parent.name + file.stem
)
def test_in_whole_evenings_the_same_counts_as_when_all_of_them_is_in_memory(file):
    log = read(file)
    for length in (*range(0, len(log), 17), len(log)):
        assert_stands(log[:length])
