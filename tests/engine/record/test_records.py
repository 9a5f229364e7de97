"""The records in `tests/records`: worked examples and golden deals, each with what it claims."""

import pytest

from engine.record import play_record, read_record
from engine.state import Gathering
from tests.engine.record.papers import (
    FALSE,
    HERE,
    PROFILES,
    RECORDS,
    assert_holds,
    complaint,
    otherwise,
)

FILES = sorted(RECORDS.glob("*.t1000"))

TOTALS = {
    "example-01": [150, 30, 55],
    "example-02": [-125, 20, 15],
    "example-03": [180, 300, 180],
    "example-05": [760, None, None],
    "example-06": [750, None, None],
    "example-07": [1000, None, None],
    "example-08": [1000, 1000, None],
    "example-09": [None, 920, 900],
    "example-10": [280, 560, 880],
    "example-11-no-4": [None, 120, None, None],
    "example-11-no-4-barrel": [None, 880, None, None],
    "example-11-pl-4": [None, 130, None, None],
    "example-11-ru-4": [None, 0, None, None],
    "example-11-de-4": [None, None, 0, None],
    "example-12": [0, None, None],
    "g1-ru-3": [140, 5, 155],
    "g1-de-3": [140, 5, 155],
    "g1-no-3": [140, 155, 5],
    "g1-ru-3-failed": [-145, 5, 155],
    "g3-1001-3": [86, 149, 105],
    "g3-1001-3-tens": [9, 15, 10],
}
"""Where the totals of a record end, as the rules say; None: they say nothing of that seat."""

CLAIMED = {
    "example-05": [
        *("= scores A 880", "= barrel A 0"),
        *("= raw A 65", "= scores A 880", "= barrel A 1"),
        *("= scores A 880", "= barrel A 2"),
        *("= raw A 20", "= scores A 760", "= barrel A off"),
    ],
    "example-08": ["= winner A"],
    "example-10": ["= barrel A off B off C 1", "= concessions A 0 B 0 C 0"],
    "example-12": ["= raw A 145", "= scores A 130", "= raw A 125", "= scores A 0"],
}
"""What a record says on the way, in this order."""


def text_of(file):
    return file.read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_holds(file):
    assert_holds(text_of(file))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_of_its_claims_said_otherwise_is_told(file):
    lines = text_of(file).split("\n")

    for at, line in enumerate(lines):
        if line.startswith("= "):
            changed = [*lines[:at], otherwise(line) + HERE, *lines[at + 1 :]]
            complaint("\n".join(changed), FALSE)


@pytest.mark.parametrize(("name", "totals"), TOTALS.items(), ids=TOTALS)
def test_it_ends_with_the_totals_of_the_rules(name, totals):
    phase = play_record(read_record(text_of(RECORDS / f"{name}.t1000"), PROFILES)).room.phase

    assert not isinstance(phase, Gathering)
    scores = [standing.score for standing in phase.game.standings]
    assert [
        None if total is None else score for total, score in zip(totals, scores, strict=True)
    ] == totals


@pytest.mark.parametrize(("name", "claims"), CLAIMED.items(), ids=CLAIMED)
def test_it_claims_on_the_way_what_the_rules_say(name, claims):
    left = iter(text_of(RECORDS / f"{name}.t1000").split("\n"))

    for claim in claims:
        assert any(line.startswith(claim) for line in left), claim


ROUNDED = {
    "example-04-fives": {
        0: 0,
        2: 0,
        3: 5,
        4: 5,
        5: 5,
        6: 5,
        7: 5,
        13: 15,
        17: 15,
        18: 20,
    },
    "example-04-tens": {44: 40, 45: 50, 25: 30},
}


@pytest.mark.parametrize(("name", "rounded"), ROUNDED.items(), ids=ROUNDED)
def test_defenders_write_the_rounded_points(name, rounded):
    phase = play_record(read_record(text_of(RECORDS / f"{name}.t1000"), PROFILES)).room.phase

    assert not isinstance(phase, Gathering)
    written = {
        line.raw: line.changes[0].points
        for deal in phase.game.sheet
        for line in deal.lines
        if line.role == "defender"
    }
    assert written.items() >= rounded.items()


def test_every_record_is_looked_at_closely():
    assert {file.stem for file in FILES} == {*TOTALS, *CLAIMED, *ROUNDED, "example-13"}
