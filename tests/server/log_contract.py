"""What every log must do; each store runs the whole class."""

import asyncio

import pytest

from server.log import Conflict, EventLog, Stored
from server.log.base import SLICE


class LogContract:
    """A subclass provides the fixture `log`, an empty log."""

    async def test_what_was_appended_is_read_in_order(self, log: EventLog):
        await log.append("KVRT", 1, b"one")
        await log.append("KVRT", 2, b"two")

        assert await log.read("KVRT") == [Stored(1, b"one"), Stored(2, b"two")]

    async def test_reading_begins_after_a_number(self, log: EventLog):
        for seq in range(1, 6):
            await log.append("KVRT", seq, b"%d" % seq)

        assert await log.read("KVRT", 3) == [Stored(4, b"4"), Stored(5, b"5")]
        assert await log.read("KVRT", 5) == []
        assert await log.read("KVRT", 99) == []

    async def test_a_room_is_read_in_slices_that_are_full_until_its_end(self, log: EventLog):
        for seq in range(1, 8):
            await log.append("KVRT", seq, b"%d" % seq)
        await log.append("ELSE", 1, b"not this room")

        slices = [await log.read("KVRT", after, 3) for after in (0, 3, 6, 7)]

        assert [[one.seq for one in part] for part in slices] == [[1, 2, 3], [4, 5, 6], [7], []]

    async def test_nobody_reads_a_long_room_at_once_without_saying_so(self, log: EventLog):
        await asyncio.gather(*(log.append("KVRT", seq, b"") for seq in range(1, SLICE + 3)))

        assert len(await log.read("KVRT")) == SLICE
        assert [one.seq for one in await log.read("KVRT", SLICE)] == [SLICE + 1, SLICE + 2]

    async def test_the_end_of_a_room_is_known_without_reading_it(self, log: EventLog):
        assert await log.end("KVRT") == 0
        await log.append("KVRT", 1, b"one")
        await log.append("ZZZZ", 1, b"one")
        await log.append("KVRT", 2, b"two")

        assert await log.end("KVRT") == 2
        await log.forget("KVRT")
        assert await log.end("KVRT") == 0

    async def test_a_follower_gets_more_than_is_read_at_once(self, log: EventLog):
        await asyncio.gather(*(log.append("KVRT", seq, b"") for seq in range(1, SLICE + 3)))

        follower = log.follow("KVRT")
        got = [(await anext(follower)).seq for _ in range(SLICE + 2)]
        await follower.aclose()  # type: ignore[attr-defined]

        assert got == list(range(1, SLICE + 3))

    async def test_an_unknown_room_has_no_entries(self, log: EventLog):
        assert await log.read("NONE") == []
        assert await log.rooms() == []

    async def test_every_room_is_known_with_its_last_number(self, log: EventLog):
        assert await log.ends() == {}
        await log.append("KVRT", 1, b"one")
        await log.append("ABCD", 1, b"one")
        await log.append("KVRT", 2, b"two")

        assert await log.ends() == {"KVRT": 2, "ABCD": 1}

    async def test_a_room_that_is_forgotten_is_gone_and_no_other(self, log: EventLog):
        await log.append("ABCD", 1, b"one")
        await log.append("KVRT", 1, b"one")
        await log.append("KVRT", 2, b"two")

        await log.forget("KVRT")

        assert await log.read("KVRT") == []
        assert await log.ends() == {"ABCD": 1}
        with pytest.raises(Conflict):
            await log.append("KVRT", 3, b"three")

    async def test_what_waits_behind_a_forgetting_finds_the_room_gone(self, log: EventLog):
        await log.append("KVRT", 1, b"one")

        done = await asyncio.gather(
            log.append("KVRT", 2, b"two"),
            log.forget("KVRT"),
            log.append("KVRT", 3, b"three"),
            log.append("KVRT", 1, b"new"),
            return_exceptions=True,
        )

        assert [type(one) for one in done] == [type(None), type(None), Conflict, type(None)]
        assert await log.read("KVRT") == [Stored(1, b"new")]

    async def test_forgetting_an_unknown_room_changes_nothing(self, log: EventLog):
        await log.append("KVRT", 1, b"one")

        await log.forget("NONE")

        assert await log.ends() == {"KVRT": 1}

    async def test_a_room_that_was_never_damaged_was_never_cut(self, log: EventLog):
        await log.append("KVRT", 1, b"one")

        assert await log.mended("KVRT") is None
        assert await log.mended("NONE") is None

    async def test_bytes_come_back_as_they_were(self, log: EventLog):
        every_byte = bytes(range(256)) * 40
        await log.append("KVRT", 1, every_byte)
        await log.append("KVRT", 2, b"")

        assert await log.read("KVRT") == [Stored(1, every_byte), Stored(2, b"")]

    @pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 2**70])
    async def test_any_number_but_the_next_is_a_conflict_and_stores_nothing(
        self, log: EventLog, seq: int
    ):
        await log.append("KVRT", 1, b"one")
        await log.append("KVRT", 2, b"two")

        with pytest.raises(Conflict) as refused:
            await log.append("KVRT", seq, b"late")

        assert (refused.value.room, refused.value.seq) == ("KVRT", seq)
        assert [stored.data for stored in await log.read("KVRT")] == [b"one", b"two"]

    async def test_a_log_begins_with_1_and_a_refused_beginning_makes_no_room(self, log: EventLog):
        with pytest.raises(Conflict):
            await log.append("KVRT", 2, b"two")

        assert await log.rooms() == []

    async def test_of_two_writers_who_want_one_number_one_wins(self, log: EventLog):
        answers = await asyncio.gather(
            *(log.append("KVRT", 1, b"%d" % writer) for writer in range(20)),
            return_exceptions=True,
        )

        assert sum(answer is None for answer in answers) == 1
        assert sum(isinstance(answer, Conflict) for answer in answers) == 19
        winner = answers.index(None)
        assert await log.read("KVRT") == [Stored(1, b"%d" % winner)]

    async def test_a_conflict_fails_alone_among_appends_that_wait_together(self, log: EventLog):
        await log.append("HERE", 1, b"first")

        before, conflict, after, next_one = await asyncio.gather(
            log.append("THIS", 1, b"this"),
            log.append("HERE", 1, b"again"),
            log.append("THAT", 1, b"that"),
            log.append("HERE", 2, b"second"),
            return_exceptions=True,
        )

        assert (before, after, next_one) == (None, None, None)
        assert isinstance(conflict, Conflict)
        assert await log.read("HERE") == [Stored(1, b"first"), Stored(2, b"second")]

    async def test_appends_to_one_room_that_wait_together_keep_their_order(self, log: EventLog):
        await asyncio.gather(*(log.append("KVRT", seq, b"%d" % seq) for seq in range(1, 101)))

        assert await log.read("KVRT") == [Stored(seq, b"%d" % seq) for seq in range(1, 101)]

    async def test_rooms_fill_at_the_same_time_without_mixing(self, log: EventLog):
        async def play(room: str):
            for seq in range(1, 41):
                await log.append(room, seq, f"{room} {seq}".encode())

        rooms = [f"R{number:03}" for number in range(30)]
        await asyncio.gather(*map(play, rooms))

        assert await log.rooms() == rooms
        for room in rooms:
            expected = [Stored(seq, f"{room} {seq}".encode()) for seq in range(1, 41)]
            assert await log.read(room) == expected

    async def test_a_follower_gets_what_is_there_and_then_what_comes(self, log: EventLog):
        await log.append("KVRT", 1, b"one")
        await log.append("KVRT", 2, b"two")
        follower = log.follow("KVRT", 1)

        assert await anext(follower) == Stored(2, b"two")
        coming = asyncio.ensure_future(anext(follower))
        await asyncio.sleep(0.01)
        assert not coming.done()
        await log.append("ELSE", 1, b"not this room")
        await log.append("KVRT", 3, b"three")
        assert await coming == Stored(3, b"three")
        await follower.aclose()  # type: ignore[attr-defined]

    async def test_a_slow_follower_misses_nothing_and_repeats_nothing(self, log: EventLog):
        seen: list[Stored] = []

        async def listen():
            async for stored in log.follow("KVRT"):
                seen.append(stored)
                await asyncio.sleep(0 if stored.seq % 7 else 0.003)
                if stored.seq == 60:
                    return

        listening = [asyncio.ensure_future(listen()) for _ in range(3)]
        for seq in range(1, 61):
            await log.append("KVRT", seq, b"%d" % seq)
        await asyncio.wait_for(asyncio.gather(*listening), 20)

        assert sorted(seen) == sorted([Stored(seq, b"%d" % seq) for seq in range(1, 61)] * 3)

    async def test_a_follower_does_not_see_what_was_refused(self, log: EventLog):
        follower = log.follow("KVRT")
        with pytest.raises(Conflict):
            await log.append("KVRT", 7, b"refused")
        await log.append("KVRT", 1, b"one")

        assert await anext(follower) == Stored(1, b"one")
        await follower.aclose()  # type: ignore[attr-defined]

    async def test_an_append_whose_caller_gave_up_leaves_the_log_in_order(self, log: EventLog):
        given_up = asyncio.ensure_future(log.append("KVRT", 1, b"one"))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait([given_up])
        # Its entry may still be on the way and win; then the loser reloads.
        while True:
            next_seq = len(await log.read("KVRT")) + 1
            try:
                await log.append("KVRT", next_seq, b"next")
                break
            except Conflict:
                continue

        entries = await log.read("KVRT")
        assert [stored.seq for stored in entries] == list(range(1, next_seq + 1))
        assert entries[-1].data == b"next"
