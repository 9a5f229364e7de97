"""A soak of seconds, and how a long one is judged. Nothing here is timed."""

from pathlib import Path
from random import Random
from typing import Any

from tests.soak.evening import MOST_MEMORY, Sample, Soak, soaked
from tests.soak.judging import judged
from tests.soak.verdicts import Verdict

MIB = 1 << 20
FLAT = {
    "memory": Verdict.HELD,
    "memory is": Verdict.HELD,
    "p50": Verdict.HELD,
    "p99": Verdict.HELD,
    "threads": Verdict.HELD,
    "files": Verdict.HELD,
}


def soak_of(  # noqa: PLR0913  # what may be different, named
    *,
    per_ask: float = 50,
    asks: int = 300,
    slower: float = 1.0,
    busier: float = 1.0,
    thread_every: int = 100,
    file_every: int = 100,
) -> list[Sample]:
    """Sixty samples of a healthy server, or of one that is ill in the way that is given.

    In the later half asks take `slower` times as long, and everything on the machine `busier`.
    """
    chance, samples, total = Random(7), [], 0
    for number in range(60):
        late, people = number >= 37, chance.randrange(110, 120)
        machine = chance.lognormvariate(0, 0.3) * (busier if late else 1)
        total += asks
        filled = min(number, 12) / 12 * 8 * MIB
        samples.append(
            Sample(
                minute=number / 30,
                asks=asks,
                p50_ms=3 * machine * chance.lognormvariate(0, 0.2) * (slower if late else 1),
                p99_ms=15 * machine * chance.lognormvariate(0, 0.3) * (slower if late else 1),
                floor_p50_ms=1.4 * machine,
                floor_p99_ms=8 * machine * chance.lognormvariate(0, 0.3),
                memory=round(30 * MIB + filled + per_ask * total + chance.gauss(0, 50_000)),
                files=25 + people + number // file_every,
                threads=3 + number // thread_every,
                connections=people,
                reconnects=0,
                games=0,
                errors=0,
            )
        )
    return samples


def verdicts(**ill: Any) -> dict[str, Verdict]:
    """What is judged of such a soak."""
    found = judged(soak_of(**ill))
    return dict(zip(FLAT, (one.verdict for one in found), strict=True))


async def test_people_who_sleep_and_drop_out_go_on_with_their_games(tmp_path: Path):
    told: list[Sample] = []
    soak = Soak(rooms=2, seconds=4, every=1, think=0.1, drop=0.3, seed=5)

    taken = await soaked(soak, tmp_path, told.append)

    assert told == taken
    assert sum(one.asks for one in taken) > 0
    assert all(one.floor_p50_ms > 0 for one in taken)
    assert taken[-1].reconnects > 0
    assert taken[-1].errors == 0
    assert "Traceback" not in (tmp_path / "output").read_text()


def test_a_healthy_server_holds_everything():
    assert verdicts() == FLAT


def test_thirty_kilobytes_an_ask_are_noticed_among_few_asks():
    assert verdicts(per_ask=30_000, asks=20)["memory"] is Verdict.BROKEN


def test_a_kilobyte_an_ask_is_noticed_or_at_least_not_called_flat():
    assert verdicts(per_ask=1_000)["memory"] is Verdict.BROKEN
    assert verdicts(per_ask=1_000, asks=20)["memory"] is Verdict.OPEN


def test_a_soak_with_few_asks_is_not_judged():
    assert verdicts(per_ask=0, asks=20)["memory"] is Verdict.OPEN


def test_a_soak_that_ended_early_for_its_memory_is_judged_by_that():
    short = judged(soak_of(per_ask=MOST_MEMORY / 900, asks=300)[:4])

    assert [one.verdict for one in short][:2] == [Verdict.OPEN, Verdict.BROKEN]


def test_a_machine_that_gets_busy_is_not_the_server():
    assert verdicts(busier=6.0) == FLAT


def test_a_server_that_gets_slower_is_noticed_on_a_machine_that_is_none_the_busier():
    assert verdicts(slower=5.0) == {**FLAT, "p50": Verdict.BROKEN, "p99": Verdict.BROKEN}


def test_threads_and_files_that_stay_are_noticed():
    assert verdicts(thread_every=12)["threads"] is Verdict.BROKEN
    assert verdicts(file_every=12)["files"] is Verdict.BROKEN
