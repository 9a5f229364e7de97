"""Whatever is played by whatever rules: written, read and played again it is the same game."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.record import play_record, read_record, write_record
from engine.state import Gathering, Over, game_of
from tests.engine.agreeing import eventful, moments
from tests.engine.record.papers import FALSE, HERE, PROFILES, complaint, otherwise
from tests.engine.record.rooms import log_of, random_log, room_of
from tests.support import ALL_PROFILES, any_rules


def told_again(text):
    played = play_record(read_record(text, PROFILES))
    assert played.failure is None
    assert not isinstance(played.room.phase, Gathering)
    return played.room


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_deals_that_are_written_and_read_are_the_same_deals(profile, seed):
    assert_told_alike(random_log(any_rules(profile, random.Random(seed)), seed, deals=3))


@pytest.mark.parametrize(
    "profile",
    # Where a barrel stops three or four who play by chance, a game lasts for hundreds of deals.
    [one for one in ALL_PROFILES if one.barrel is None or one.table.players == 2],
    ids=lambda profile: profile.id,
)
def test_a_whole_game_that_is_written_and_read_is_the_same_game(profile):
    log = random_log(profile, 2)

    assert isinstance(room_of(log).phase, Over)
    assert_told_alike(log)


def assert_told_alike(log):
    again, before = told_again(write_record(log, 1)).phase, room_of(log).phase

    assert type(again) is type(before)
    assert not isinstance(again, Gathering)
    assert not isinstance(before, Gathering)
    assert again.game == before.game


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_any_claim_in_it_said_otherwise_is_told_with_its_line(profile, seed):
    chance = random.Random(seed)
    lines = write_record(random_log(any_rules(profile, chance), seed, deals=3), 1).split("\n")
    claims = [at for at, line in enumerate(lines) if line.startswith("= ")]

    at = chance.choice(claims)
    lines[at] = otherwise(lines[at]) + HERE

    complaint("\n".join(lines), FALSE)


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_what_is_written_again_reads_the_same(profile):
    log = random_log(profile, 11, deals=2)
    text = write_record(log, 1)

    assert write_record(log, 1) == text
    assert text.isascii()
    assert text.endswith("\n")
    assert all(line == line.rstrip() for line in text.split("\n"))


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_the_table_agreed_on_a_record_tells_the_game_that_counts(profile, seed):
    evening = eventful(any_rules(profile, random.Random(seed)), seed, deals=2)
    text = write_record(evening.log, 1)

    assert told_again(text).phase.game == evening.game
    assert write_record(log_of(text), 1) == text


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_wherever_such_an_evening_is_cut_a_record_tells_what_counted_then(profile):
    log = eventful(profile, 5, deals=1).log
    for moment in moments(log):
        text = write_record(log[: moment.past.seq], 1)
        assert told_again(text).phase.game == game_of(moment.room)
        assert write_record(log_of(text), 1) == text
