"""What noisy figures are taken to say."""

from random import Random

import pytest

from tests.soak.verdicts import Range, Verdict, exit_code, more, quotient, slope

ASKS = range(0, 48_000, 1_000)


def noisy(chance: Random, *, per_ask: float, jump_at: int = -1) -> list[tuple[float, float]]:
    """Memory that grows so, wanders by 100 kB and may take 400 kB at once."""
    return [
        (asks, 4e7 + per_ask * asks + chance.gauss(0, 1e5) + 4e5 * (0 <= jump_at <= asks))
        for asks in ASKS
    ]


@pytest.mark.parametrize("per_ask", [0, 100, 1_000, 30_000])
def test_a_slope_is_within_its_range_and_the_range_is_narrow(per_ask: float):
    chance = Random(f"slope {per_ask}")
    found = [slope(noisy(chance, per_ask=per_ask)) for _ in range(200)]

    assert sum(one.low <= per_ask <= one.high for one in found) >= 190
    assert all(one.high - one.low < 40 for one in found)


def test_a_single_jump_is_not_taken_for_a_slope():
    jumped = slope(noisy(Random(1), per_ask=0, jump_at=24_000), step=5e5)

    assert jumped.against(64) is not Verdict.BROKEN


def test_what_few_asks_show_may_be_a_step():
    few = [(asks / 100, memory) for asks, memory in noisy(Random(2), per_ask=10)]

    assert slope(few, step=5e5).against(512) is Verdict.OPEN


def test_few_points_or_none_that_grow_say_nothing():
    assert slope(noisy(Random(3), per_ask=30_000)[:15]).against(512) is Verdict.OPEN
    assert slope([(0, 1e7)] * 48).against(512) is Verdict.OPEN


def around(chance: Random, middle: float) -> list[float]:
    """Latencies as they are: most are near `middle`, a few far above."""
    return [middle * chance.lognormvariate(0, 0.4) for _ in range(22)]


def test_a_quotient_is_within_its_range():
    chance = Random(4)
    found = [quotient(around(chance, 5), around(chance, 25)) for _ in range(200)]

    assert sum(one.low <= 5 <= one.high for one in found) >= 190
    assert all(one.against(2) is Verdict.BROKEN for one in found)


def test_noise_alone_is_no_slowness():
    chance = Random(5)

    found = [quotient(around(chance, 5), around(chance, 5)).against(2) for _ in range(200)]

    assert Verdict.BROKEN not in found
    assert found.count(Verdict.HELD) >= 190


def test_too_few_latencies_say_nothing():
    assert quotient([1.0] * 7, [9.0] * 30).against(1.5) is Verdict.OPEN


@pytest.mark.parametrize(
    ("later", "verdict"),
    [
        ([3, 3, 3, 3, 3, 4, 3, 3], Verdict.HELD),
        ([3, 3, 4, 4, 5, 5, 6, 6], Verdict.BROKEN),
        ([3], Verdict.OPEN),
    ],
    ids=["one came and went", "they stay", "short"],
)
def test_what_is_never_so_few_again_is_more(later: list[int], verdict: Verdict):
    assert more([2, 3, 3, 3, 3, 3, 3, 3], later) is verdict


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([Verdict.HELD, Verdict.HELD], 0),
        ([Verdict.HELD, Verdict.OPEN], 3),
        ([Verdict.OPEN, Verdict.BROKEN], 1),
    ],
)
def test_what_is_not_judged_is_not_green(verdicts: list[Verdict], code: int):
    assert exit_code(verdicts) == code


def test_a_range_that_holds_the_limit_leaves_it_open():
    assert Range(1, 2, 3).against(0.5) is Verdict.BROKEN
    assert Range(1, 2, 3).against(2.5) is Verdict.OPEN
    assert Range(1, 2, 3).against(3) is Verdict.HELD
