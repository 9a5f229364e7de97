"""A few kills and a few damaged logs, each time others; and that what is wrong would be noticed."""

import asyncio
import random
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from engine.cards import Seat
from engine.history import AskId, Entry, past_of
from engine.state import Room
from engine.views import game_view
from server.log import chain
from server.log.codec import encode
from server.rehearse.report import Answer
from tests.crash.__main__ import crashed
from tests.crash.kills import Evening, Moment, copy_killed
from tests.crash.truth import Row, Truth, Untrue
from tests.crash.witness import View
from tests.server.games import dealt, stored, won

ENTRIES = stored(dealt())
ENTRIES[-1] = replace(ENTRIES[-1], ask=AskId("anna", "her-call"))
HER_CALL = Answer(room="KVRT", key="anna", id="her-call", seq=len(ENTRIES))


def rows_of(entries: list[Entry]) -> list[Row]:
    """`entries` as they lie in the log."""
    last, rows = chain.NOTHING, list[Row]()
    for entry in entries:
        data = encode(entry)
        last = chain.extended(last, "KVRT", data)
        rows.append((entry.seq, data, last.link))
    return rows


def truth_of(rows: list[Row]) -> Truth:
    truth = Truth("KVRT")
    truth.read_on(rows)
    return truth


async def test_whatever_moment_a_server_is_killed_at_it_keeps_what_it_promised(tmp_path: Path):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to kill at the same moments again

    killed, torn = await crashed(5, 2, 2, tmp_path, seed)

    assert [one.kills.total() for one in killed] == [5]
    assert len(torn) == 2
    assert sum(one.answers for one in killed) > 0


def test_a_log_that_is_read_on_is_known_by_its_last_link():
    rows = rows_of(ENTRIES)
    truth = truth_of(rows[:2])

    truth.read_on(rows[1:])

    truth.hold_answers([HER_CALL])
    with pytest.raises(Untrue, match="entry 2 is not what it was"):
        truth_of(rows[:2]).read_on([(2, rows[1][1], bytes(16)), *rows[2:]])


@pytest.mark.parametrize(
    "rows",
    [
        [*rows_of(ENTRIES)[:1], *rows_of(ENTRIES)[2:]],
        [*rows_of(ENTRIES)[:-1], (len(ENTRIES), b"{}", rows_of(ENTRIES)[-1][2])],
        rows_of([ENTRIES[0], replace(ENTRIES[2], seq=2)]),
    ],
    ids=["missing", "changed", "not fitting"],
)
def test_an_entry_that_is_not_what_was_stored_is_noticed(rows: list[Row]):
    with pytest.raises(Untrue):
        truth_of(rows)


def test_half_a_decision_is_noticed():
    whole = stored(won())
    half = replace(whole[-1], facts=whole[-1].facts[:-1])

    with pytest.raises(Untrue, match="half a decision"):
        truth_of(rows_of([*whole[:-1], half]))


def test_an_answer_without_its_entry_is_noticed():
    truth = truth_of(rows_of(ENTRIES[:-1]))

    with pytest.raises(Untrue, match="is lost"):
        truth.hold_answers([HER_CALL])


def test_an_entry_whose_ask_was_refused_is_noticed():
    truth = truth_of(rows_of(ENTRIES))
    truth.hold_refused([AskId("anna", "another")])

    with pytest.raises(Untrue, match="was refused"):
        truth.hold_refused([AskId("anna", "her-call")])


async def test_a_server_whose_disk_is_full_says_so_and_has_stored_nothing(tmp_path: Path):
    chance = random.Random(5)
    evening = Evening(tmp_path, chance)
    evening.victim.start()
    try:
        await evening.victim.answers()
        async with evening.playing(1):
            evening.victim.fill_disk()
            while not evening.answers.refused:  # noqa: ASYNC110  # robots offer nothing to wait for
                await asyncio.sleep(0.002)
            evening.victim.kill()
        copy_killed(evening.victim.data, evening.killed)
    finally:
        evening.victim.kill()

    evening.check(Moment.FULL)


def test_a_view_that_was_never_so_is_noticed():
    truth = truth_of(rows_of(ENTRIES))
    room = past_of(ENTRIES).room
    assert room is not None
    truth.hold_view(seen(room, me=0, seq=len(ENTRIES)))

    with pytest.raises(Untrue, match="something else"):
        truth.hold_view(replace(seen(room, me=1, seq=len(ENTRIES)), me=Seat(0)))
    with pytest.raises(Untrue, match="was shown"):
        truth.hold_view(seen(room, me=0, seq=len(ENTRIES) + 1))


def seen(room: Room, me: int, seq: int) -> View:
    return View(me=Seat(me), seq=seq, game=Raw(msgspec.json.encode(game_view(room, Seat(me)))))
