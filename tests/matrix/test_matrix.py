"""A sample of the matrix, each time with other viewers and other cards."""

import itertools
import random
from pathlib import Path

from engine.history import past_of
from engine.views import game_view, table_view
from server.protocol import Options, Table, Update
from tests.matrix.__main__ import PROFILES
from tests.matrix.faults import FAULTS
from tests.matrix.matrix import cells, judged
from tests.matrix.phases import PHASES, prepared
from tests.matrix.viewers import VIEWERS, seat_as, secrets_in
from tests.support import RU_3, RU_4

SHARE = 0.3
"""Of everything that can happen, this part is tried in a run."""

PHASE = {phase.name: phase for phase in PHASES}


async def test_the_evening_goes_on_after_every_fault_in_some_phases(tmp_path: Path):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to run the same cells again
    chance = random.Random(seed)
    chosen = [
        chance.choice(cells([chance.choice(PROFILES)], [phase.name], [fault.name]))
        for fault, phase in itertools.product(FAULTS, PHASES)
        if chance.random() < SHARE
    ]

    verdicts, senseless = await judged(chosen, tmp_path, str(seed))

    assert len(verdicts) + sum(map(len, senseless.values())) == len(chosen)
    assert [(str(one.cell), one.wrong) for one in verdicts if one.wrong] == [], seed


def test_everybody_is_somebody_in_a_deal_for_three_of_four():
    room = past_of(prepared(RU_4, PHASE["leading"], random.Random(1))).room
    assert room is not None

    seats = [seat_as(viewer, room) for viewer in VIEWERS]

    assert set(seats[:4]) == {0, 1, 2, 3}
    assert seats[4:] == [None, None]


def test_a_hand_shown_to_somebody_else_is_noticed():
    entries = prepared(RU_3, PHASE["auction"], random.Random(1))
    room = past_of(entries).room
    assert room is not None
    hand = game_view(room, seat_as("actor", room))
    assert hand is not None

    def told(viewer: str) -> int:
        table = Table(table=table_view(room, seat_as(viewer, room)), mine=())
        update = Update(seq=len(entries), game=hand, glimpses=(), options=Options())
        return len(secrets_in([[table, update]], entries))

    assert [told("actor"), told("next"), told("watcher")] == [0, 7, 7]
