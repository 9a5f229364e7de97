"""A soak of seconds, and how a long one is judged. Nothing here is timed."""

from pathlib import Path

import pytest

from tests.soak.evening import Sample, Soak, grown_per_ask, growth, is_flat, soaked

MIB = 1 << 20


def samples(*resident: float, p99_ms: float = 20.0) -> list[Sample]:
    return [
        Sample(
            minute=minute,
            asks=100,
            p50_ms=4.0,
            p99_ms=p99_ms,
            resident=round(held * MIB),
            files=20,
            threads=3,
            connections=9,
            reconnects=0,
            games=0,
            errors=0,
        )
        for minute, held in enumerate(resident)
    ]


async def test_people_who_sleep_and_drop_out_go_on_with_their_games(tmp_path: Path):
    told: list[Sample] = []
    soak = Soak(rooms=2, seconds=4, every=1, think=0.1, drop=0.3, seed=5)

    taken = await soaked(soak, tmp_path, told.append)

    assert told == taken
    assert sum(one.asks for one in taken) > 0
    assert taken[-1].reconnects > 0
    assert taken[-1].errors == 0
    assert "Traceback" not in (tmp_path / "output").read_text()


@pytest.mark.parametrize(
    ("resident", "verdict"),
    [
        ((20, 40, 50, 50, 51, 50, 51, 50, 50, 51), True),
        ((20, 40, 50, 52, 54, 56, 58, 60, 62, 64), False),
    ],
    ids=["filled", "growing"],
)
def test_what_still_grows_after_the_warm_up_is_not_flat(
    resident: tuple[float, ...], *, verdict: bool
):
    assert is_flat(growth(samples(*resident))) is verdict


def test_memory_that_grows_is_told_by_what_was_asked_since_the_warm_up():
    assert grown_per_ask(samples(20, 50, 51, 52, 53)) == MIB / 100


def test_asks_that_are_answered_ever_later_are_not_flat():
    first, later = samples(*[50] * 6), samples(*[50] * 4, p99_ms=90.0)

    assert not is_flat(growth(first + later))
