"""What a soak says about the server: what it keeps of every ask, and whether it slows down."""

from itertools import accumulate

from msgspec import Struct

from tests.soak.evening import MOST_MEMORY, Sample
from tests.soak.verdicts import Verdict, more, quotient, slope

WARM_UP = 0.25
"""The part of a soak that is not judged: rooms fill, caches fill."""

KEPT = 512.0
"""Bytes that every ask may leave for good: rooms in their first game still fill by some of them."""

STEP = 1 << 19
"""Bytes that a server may take at once whatever it is asked, as allocators and caches do."""

SLOWER = {"p50_ms": 2.0, "p99_ms": 2.5}
"""By which factor each latency may be higher in the later half, both times by the floor's own.

Less cannot be asked for: where a processor is short an ask has to wait for it oftener than an echo.
"""


class Judged(Struct, frozen=True):
    """A verdict, and the sentence it belongs to."""

    verdict: Verdict
    says: str


def judged(samples: list[Sample]) -> list[Judged]:
    """All verdicts on a soak of these samples; the first of them are left out."""
    counted = list(zip(accumulate(one.asks for one in samples), samples, strict=True))
    counted = counted[int(WARM_UP * len(samples)) :]
    kept = slope([(asks, one.memory) for asks, one in counted], STEP)
    half = len(counted) // 2
    first, later = ([one for _, one in part] for part in (counted[:half], counted[half:]))
    most = max(one.memory for one in samples)
    return [
        Judged(kept.against(KEPT), f"memory grows by {kept.told()} bytes an ask, at most {KEPT:g}"),
        Judged(
            Verdict.HELD if most <= MOST_MEMORY else Verdict.BROKEN,
            f"memory is {most / 2**20:.0f} MiB, at most {MOST_MEMORY / 2**20:.0f}",
        ),
        *(_slower(figure, first, later) for figure in SLOWER),
        _more("threads", [one.threads for one in first], [one.threads for one in later]),
        _more("files besides connections", *(list(map(_spare, part)) for part in (first, later))),
    ]


def _slower(figure: str, first: list[Sample], later: list[Sample]) -> Judged:
    most, name = SLOWER[figure], figure.removesuffix("_ms")
    ratios = ([_by_floor(one, figure) for one in part] for part in (first, later))
    factor = quotient(*([ratio for ratio in part if ratio] for part in ratios))
    return Judged(
        factor.against(most), f"{name} by the floor's is {factor.told(2)} times it, at most {most}"
    )


def _by_floor(one: Sample, figure: str) -> float:
    """The latency of the server as a multiple of that of the floor; 0: one of them is not known."""
    floor: float = getattr(one, f"floor_{figure}")
    return float(getattr(one, figure)) / floor if floor else 0.0


def _spare(one: Sample) -> int:
    """Files that are open for something else than somebody who is connected."""
    return one.files - one.connections


def _more(what: str, first: list[int], later: list[int]) -> Judged:
    says = f"{what}: {max(first, default=0)} at most at first, {min(later, default=0)} later"
    return Judged(more(first, later), says)
