"""What figures of a long run say, and how sure that is: they are noisy, and a run may be short."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import accumulate
from math import comb, exp, log, sqrt
from statistics import median

from msgspec import Struct

SURE = 0.99
"""How often a range holds what is really so, in runs that nothing but chance makes different."""

SIGMAS = 2.576
"""The same in standard deviations."""

FEWEST = 8
"""Pairs, or figures of a half, below which nothing is said."""


class Verdict(StrEnum):
    """What is known of a limit."""

    HELD = "held"
    BROKEN = "BROKEN"
    OPEN = "not judged"


TOO_SHORT = 3
"""What a run exits with that found nothing wrong and was too short to say that nothing is."""


def exit_code(verdicts: Collection[Verdict]) -> int:
    """What a run with these verdicts exits with."""
    if Verdict.BROKEN in verdicts:
        return 1
    return TOO_SHORT if Verdict.OPEN in verdicts else 0


class Range(Struct, frozen=True):
    """What something really is lies between `low` and `high`, as sure as `SURE`."""

    low: float
    middle: float
    high: float

    def against(self, most: float) -> Verdict:
        """Whether it is at most `most`; open where the range holds both answers."""
        if self.low > most:
            return Verdict.BROKEN
        return Verdict.HELD if self.high <= most else Verdict.OPEN

    def told(self, places: int = 0) -> str:
        """The middle and the bounds, with so many decimal places."""
        middle, low, high = (f"{one:.{places}f}" for one in (self.middle, self.low, self.high))
        return f"{middle} ({low} to {high})"


NOBODY_KNOWS = Range(float("-inf"), float("nan"), float("inf"))


def slope(points: Sequence[tuple[float, float]], step: float = 0.0) -> Range:
    """By how much the second figure of `points` grows for each one of the first.

    Each point is compared with the one half of the run later; the median of these slopes is not
    moved by single jumps, and the bounds are two of them, by rank. `step` is what the second may
    have grown by in one go, for reasons of its own: few points far apart say little then.
    """
    half = len(points) // 2
    pairs = list(zip(points, points[half:], strict=False))[:half]
    slopes = sorted((then - now) / (far - near) for (near, now), (far, then) in pairs if far > near)
    if len(slopes) < FEWEST:
        return NOBODY_KNOWS
    rank = _rank(len(slopes))
    give = step / median(far - near for (near, _), (far, _) in pairs)
    return Range(slopes[rank] - give, median(slopes), slopes[-1 - rank] + give)


def _rank(count: int) -> int:
    """How many of `count` values are below a range that holds their median, and how many above."""
    tails = accumulate(comb(count, least) / (1 << count) for least in range(count))
    return sum(2 * tail <= 1 - SURE for tail in tails) - 1


def quotient(first: Sequence[float], later: Sequence[float]) -> Range:
    """By which factor figures like `later` are above those like `first`; all are above 0.

    It is the median of all quotients of two (Hodges and Lehmann), the bounds are two of them, by
    the rank that Mann and Whitney give.
    """
    if min(len(first), len(later)) < FEWEST:
        return NOBODY_KNOWS
    logs = sorted(log(after) - log(before) for before in first for after in later)
    spread = sqrt(len(logs) * (len(first) + len(later) + 1) / 12)
    rank = max(0, int(len(logs) / 2 - SIGMAS * spread))
    return Range(exp(logs[rank]), exp(median(logs)), exp(logs[-1 - rank]))


def more(first: Sequence[int], later: Sequence[int]) -> Verdict:
    """Whether there are never so few any more as there were at most at first."""
    if min(len(first), len(later)) < FEWEST:
        return Verdict.OPEN
    last = later[-max(1, len(later) // 4) :]
    return Verdict.BROKEN if min(last) > max(first) else Verdict.HELD
