"""A sample of the attacks, in a network of its own; and that what is wrong would be noticed.

The command judges times too, these tests never.
"""

import subprocess
import sys
from pathlib import Path
from random import Random
from signal import SIGKILL

import pytest
from msgspec.structs import replace

from engine.history import AskId
from server.log import SqliteLog
from server.log.codec import encode
from server.rehearse.report import Answer
from tests.attack.foe import Foe
from tests.attack.memory import Watch
from tests.attack.players import Figures, Reloaded
from tests.attack.rows import BY_NAME, ROWS, first_of
from tests.attack.trial import MIB, Bounds, faults, judged, lost
from tests.hosts.machines import ROOT
from tests.server.games import dealt, stored

SAMPLE = ("pipeline-6", "half-closed", "storm", "ready")

NOT_POSSIBLE = "not possible here"
"""What the command says last where there are no namespaces for us."""

CALM = Figures(answers=400, acts=30, p50=1, p99=2, worst=3, lost=0)
BACK = Reloaded(page=20, back=30)
BOUNDS = Bounds(memory=128 * MIB, wait=250)


def test_under_attack_the_server_lives_within_its_memory_and_loses_nothing():
    command = [sys.executable, "-m", "tests.attack", "--rows", ",".join(SAMPLE)]
    command += ["--seconds", "2", "--untimed", "--mib", "256"]

    attacked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    *_, last = attacked.stdout.splitlines()
    if last.startswith(NOT_POSSIBLE):
        pytest.skip(f"the attacks are {last}")
    assert attacked.returncode == 0, attacked.stdout + attacked.stderr
    assert [line.split()[0] for line in attacked.stdout.splitlines()[3:-1]] == list(SAMPLE)


def test_every_kind_of_input_has_a_name_and_addresses_of_its_own():
    firsts = {Foe(first_of(row), "KVRT", Random()).address(0) for row in ROWS}

    assert len(BY_NAME) == len(firsts) == len(ROWS)


@pytest.mark.parametrize(
    ("resident", "figures", "reloaded"),
    [
        (129 * MIB, CALM, BACK),
        (40 * MIB, Figures(answers=400, acts=30, p50=1, p99=2, worst=251, lost=0), BACK),
        (40 * MIB, Figures(answers=400, acts=30, p50=1, p99=2, worst=3, lost=1), BACK),
        (40 * MIB, CALM, Reloaded(page=None, back=30)),
        (40 * MIB, CALM, Reloaded(page=20, back=None)),
    ],
    ids=["memory", "a long wait", "hung up", "no page", "shut out"],
)
def test_each_bound_is_judged(resident: int, figures: Figures, reloaded: Reloaded):
    assert judged(BOUNDS, 40 * MIB, CALM, BACK) == []
    assert len(judged(BOUNDS, resident, figures, reloaded)) == 1


async def test_an_answer_that_is_not_in_the_log_is_noticed(tmp_path: Path):
    log = SqliteLog(tmp_path)
    entries = stored(dealt())
    entries[-1] = replace(entries[-1], ask=AskId("anna", "her-call"))
    for one in entries:
        await log.append("KVRT", one.seq, encode(one))
    log.close()
    kept = Answer(room="KVRT", key="anna", id="her-call", seq=len(entries))
    forgotten = Answer(room="KVRT", key="anna", id="her-pass", seq=9)

    assert lost(tmp_path, [kept]) == []
    assert lost(tmp_path, [kept, forgotten]) == [
        f"room KVRT: the ask of entry {forgotten.seq} is lost"
    ]


def test_nothing_played_is_no_proof(tmp_path: Path):
    assert lost(tmp_path, []) == ["nothing was played"]


def test_a_trace_in_what_the_server_says_is_noticed():
    assert faults("Open on this machine\n") == []
    assert faults('Traceback (most recent call last):\n  File "x"\nKeyError: 1\n') != []


def test_without_a_cgroup_whoever_takes_too_much_is_killed():
    greedy = "import time; held = bytearray(200 << 20); time.sleep(600)"
    watch = Watch(60 * MIB)

    process = subprocess.Popen([sys.executable, "-c", greedy])
    try:
        watch.watch(process.pid)

        assert process.wait(60) == -SIGKILL
    finally:
        process.kill()
        process.wait()
