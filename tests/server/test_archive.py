"""What can be found of the games on this box, and by whom."""

import pytest

from server.archive import PAGE, Archive
from server.identity import key_of
from server.log import EventLog, MemoryLog
from server.walks import Walks
from tests.server.games import BEGAN, TOKENS, again, dealt, keep, stored, won

NOBODY: frozenset[str] = frozenset()
ANNA = frozenset({key_of(TOKENS[0])})


@pytest.fixture
def events() -> MemoryLog:
    return MemoryLog()


def archive_of(events: EventLog) -> Archive:
    return Archive(events, Walks(events))


async def found(archive: Archive, keys=NOBODY, state="finished", **asked) -> list[tuple[str, int]]:
    page = await archive.page(keys, state=state, **asked)
    return [(game.code, game.number) for game in page.games]


async def test_finished_games_of_all_rooms_are_there_the_newest_first(events: MemoryLog):
    await keep(events, stored(won(), at=BEGAN), "AAAA")
    await keep(events, stored(won(), at=BEGAN + 60), "BBBB")
    await keep(events, stored(won(), at=None), "CCCC")

    assert await found(archive_of(events)) == [("BBBB", 1), ("AAAA", 1), ("CCCC", 1)]


async def test_they_can_be_looked_up_by_player_whatever_the_case(events: MemoryLog):
    await keep(events, stored(won()), "AAAA")
    await keep(events, stored(won(), names=("Ida", "Ben", "Zoë")), "BBBB")

    archive = archive_of(events)
    assert await found(archive, player="ZOË") == [("BBBB", 1)]
    assert await found(archive, player="ben") == [("AAAA", 1), ("BBBB", 1)]
    assert await found(archive, player="Be") == []


async def test_a_running_game_is_for_those_who_sit_there(events: MemoryLog):
    await keep(events, stored(dealt()))
    archive = archive_of(events)

    assert await found(archive, state="running") == []
    assert await found(archive, frozenset({"a stranger's"}), state="running") == []
    assert await found(archive, ANNA, state="running") == [("KVRT", 1)]
    assert await found(archive, ANNA) == []


async def test_while_a_game_runs_the_code_of_its_room_is_told_to_no_stranger(events: MemoryLog):
    await keep(events, stored(again(won())))
    archive = archive_of(events)

    assert await found(archive) == []
    assert await found(archive, ANNA) == [("KVRT", 1)]
    assert await found(archive, ANNA, state="running") == [("KVRT", 2)]


async def test_who_has_left_a_running_game_is_a_stranger(events: MemoryLog):
    room = dealt()
    room.kicks("A")
    await keep(events, stored(room))

    assert await found(archive_of(events), ANNA, state="running") == []


async def test_what_happens_later_is_found_later(events: MemoryLog):
    log = stored(again(won()))
    end = len(stored(won()))
    await keep(events, log[:3])
    archive = archive_of(events)
    assert await found(archive) == []

    await keep(events, log[3:end])
    assert await found(archive) == [("KVRT", 1)]

    await keep(events, stored(won()), "AAAA")
    assert len(await found(archive)) == 2

    await events.forget("KVRT")
    assert await found(archive) == [("AAAA", 1)]


async def test_only_rooms_with_new_entries_are_read_again():
    class Watched(MemoryLog):
        read_rooms: list[str] = []  # noqa: RUF012  # of this test alone

        async def read(self, room, *asked):
            self.read_rooms.append(room)
            return await super().read(room, *asked)

    events = Watched()
    await keep(events, stored(won()), "AAAA")
    await keep(events, stored(won()), "BBBB")
    archive = archive_of(events)
    await found(archive)
    Watched.read_rooms.clear()

    await keep(events, stored(again(won()))[len(stored(won())) :], "BBBB")
    await found(archive)
    await found(archive)

    assert Watched.read_rooms == ["BBBB"]


async def test_a_room_that_cannot_be_read_hides_no_other(events: MemoryLog, caplog):
    await events.append("AAAA", 1, b"{}")
    await keep(events, stored(won()), "CCCC")

    assert await found(archive_of(events)) == [("CCCC", 1)]
    assert "room AAAA is not in the archive" in caplog.text


async def test_pages_are_full_until_the_last(events: MemoryLog):
    log = stored(won())
    letters = "ABCDEFGHKL"
    codes = [f"{a}{b}AA" for a in letters for b in letters][: PAGE + 1]
    for code in codes:
        await keep(events, log, code)
    archive = archive_of(events)

    first = await archive.page(NOBODY, state="finished")
    second = await archive.page(NOBODY, state="finished", number=2)
    third = await archive.page(NOBODY, state="finished", number=3)

    assert (len(first.games), first.page, first.pages) == (PAGE, 1, 2)
    assert (len(second.games), second.page) == (1, 2)
    assert third.games == ()
    assert sorted(game.code for game in (*first.games, *second.games)) == sorted(codes)


async def test_an_empty_archive_is_one_empty_page(events: MemoryLog):
    page = await archive_of(events).page(NOBODY, state="finished")

    assert (page.games, page.page, page.pages) == ((), 1, 1)
