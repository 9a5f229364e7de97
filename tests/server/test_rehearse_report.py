"""The figures of a rehearsal."""

from pathlib import Path

import msgspec
import pytest

from server.identity import key_of
from server.rehearse.report import Answer, Stopwatch, Tally, quantile

TOKEN = "q83vEjRWeJq83vEjRWeJAA"  # noqa: S105  # nobody's


def test_the_watch_stops_when_the_last_robot_has_the_view():
    latencies: list[float] = []
    watch = Stopwatch(3, latencies)

    watch.shown(0, 7, now=10.1)
    watch.stored(7, sent=10.0, now=10.1)
    watch.shown(1, 7, now=10.2)
    assert latencies == []
    watch.shown(2, 8, now=10.5)

    assert latencies == [pytest.approx(0.5)]


def test_an_answer_that_comes_after_the_views_stops_the_watch_itself():
    latencies: list[float] = []
    watch = Stopwatch(2, latencies)
    watch.shown(0, 3, now=1.0)
    watch.shown(1, 3, now=1.1)

    watch.stored(3, sent=0.9, now=1.2)

    assert latencies == [pytest.approx(0.3)]


def test_several_asks_may_be_timed_at_once():
    latencies: list[float] = []
    watch = Stopwatch(1, latencies)
    watch.stored(2, sent=0.0, now=1.0)
    watch.stored(3, sent=0.5, now=1.0)

    watch.shown(0, 2, now=2.0)
    assert latencies == [2.0]
    watch.shown(0, 3, now=2.0)

    assert latencies == [2.0, 1.5]


@pytest.mark.parametrize(("part", "value"), [(0.5, 51), (0.99, 100), (1, 100), (0, 1)])
def test_a_quantile_is_one_of_the_values(part: float, value: int):
    assert quantile(range(1, 101), part) == value


def test_without_values_a_quantile_is_zero():
    assert quantile([], 0.99) == 0


def test_an_answer_is_in_the_file_as_soon_as_it_is_known(tmp_path: Path):
    file = tmp_path / "answers"
    with Tally(file) as tally:
        tally.done("KVRT", TOKEN, "ask-00000001", 5)

        line = file.read_text()

    answer = msgspec.json.decode(line, type=Answer)
    assert answer == Answer(room="KVRT", key=key_of(TOKEN), id="ask-00000001", seq=5)
    assert TOKEN not in line


def test_the_report_adds_up():
    with Tally() as tally:
        tally.done("KVRT", TOKEN, "ask-00000001", 5)
        tally.latencies += [0.001, 0.002, 0.010]
        tally.errors["refused: not-your-turn"] += 1

        report = tally.report(rooms=2)

    assert (report.rooms, report.actions, report.p50_ms, report.p99_ms) == (2, 1, 2.0, 10.0)
    assert report.errors == {"refused: not-your-turn": 1}
