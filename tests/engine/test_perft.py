"""Counts of legal continuations: a change of the rules that nobody meant shows itself here."""

import pytest

from tests.perft import TABLE, positions, table
from tests.support import ALL_PROFILES

FIXED = positions(TABLE.read_text("utf-8"))


@pytest.mark.parametrize("fixed", FIXED, ids=lambda one: f"{one.profile}: {one.name}")
def test_there_are_exactly_so_many_ways_to_go_on(fixed):
    assert fixed.counted() == fixed.counts


def test_every_profile_has_positions_from_its_first_act_to_its_last_tricks():
    bidding = {profile.id for profile in ALL_PROFILES if profile.auction is not None}

    for name, profiles in (
        ("the auction", bidding),
        ("the exchange", bidding),
        ("the first tricks", {profile.id for profile in ALL_PROFILES}),
        ("the last tricks", {profile.id for profile in ALL_PROFILES}),
    ):
        assert {one.profile for one in FIXED if one.name == name} == profiles


def test_the_table_is_written_as_it_is_read():
    assert table(FIXED) == TABLE.read_text("utf-8")
