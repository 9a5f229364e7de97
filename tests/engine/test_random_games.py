"""A few of the games that `python -m tests.random_games` plays by the thousand."""

import random

import pytest

from tests.random_games import judged
from tests.support import ALL_PROFILES


@pytest.mark.parametrize("number", range(3 * len(ALL_PROFILES)))
def test_whatever_is_played_by_whatever_rules_what_must_be_so_is_so(number):
    seed = random.randrange(1 << 32)
    print(f"python -m tests.random_games --seed {seed} --game {number}")  # noqa: T201

    assert judged(number, seed=seed).wrong is None
