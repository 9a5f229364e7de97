"""What can be found of the games on this box, and by whom."""

import asyncio

import pytest

from engine.cards import Seat
from engine.events import ReadySet
from engine.history import Entry
from server.archive import LONG, PAGE, Archive
from server.identity import key_of
from server.log import EventLog, MemoryLog, Stored
from server.walks import Walks
from tests.server.games import BEGAN, TOKENS, again, dealt, keep, played, stored, won
from tests.server.long_rooms import readies, room_of

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


class Counted(MemoryLog):
    """A log that counts the entries it gives away."""

    def __init__(self) -> None:
        super().__init__()
        self.given = 0

    async def read(self, room: str, *asked: int) -> list[Stored]:
        found = await super().read(room, *asked)
        self.given += len(found)
        return found


async def test_a_long_room_costs_what_was_added_however_often_it_is_looked_at(monkeypatch):
    monkeypatch.setattr("server.archive.LONG", 1)
    events, log = Counted(), stored(again(played()))
    archive = archive_of(events)

    for entry in log:
        await keep(events, [entry])
        at_once = archive_of(events)
        for asked in ({}, {"keys": ANNA}, {"keys": ANNA, "state": "running"}):
            before = events.given
            grown = await found(archive, **asked)
            assert events.given - before <= 1
            assert grown == await found(at_once, **asked), f"after entry {entry.seq}"


async def test_of_short_rooms_nothing_is_remembered_and_of_long_ones_the_longest(monkeypatch):
    monkeypatch.setattr("server.archive.BOOKMARKS", 1)
    events = Counted()
    await room_of(events, "LONG", LONG)
    await room_of(events, "MORE", LONG + 9)
    await room_of(events, "SHRT", 20)
    archive = archive_of(events)
    costs = {}
    for code, length in (("LONG", LONG), ("MORE", LONG + 9), ("SHRT", 20)):
        await found(archive)
        await keep(events, readies(1, length + 1), code)
        before = events.given
        await found(archive)
        costs[code] = events.given - before

    assert costs == {"LONG": LONG + 1, "MORE": 1, "SHRT": 21}


async def test_of_a_room_with_many_games_the_newest_are_listed(monkeypatch):
    monkeypatch.setattr("server.archive.ROOM_KEPT", 2)
    events, room = MemoryLog(), won()
    for _ in range(3):
        room.starts()
        room.ends("A")
    await keep(events, stored(room))

    archive = archive_of(events)
    assert await found(archive) == [("KVRT", 4), ("KVRT", 3)]
    shelf = await archive.shelf("KVRT")
    assert shelf
    assert (shelf.begun, shelf.runs) == (4, False)


async def test_of_all_games_the_newest_are_listed(monkeypatch):
    monkeypatch.setattr("server.archive.ALL_KEPT", 10)
    events = MemoryLog()
    for number in range(12):
        await keep(events, stored(won(), at=BEGAN + number), f"{'ABCDEFGHKLMN'[number]}AAA")
    archive = archive_of(events)

    newest = [(f"{letter}AAA", 1) for letter in "NMLKHGFEDC"]
    assert await found(archive) == newest

    await keep(events, stored(won(), at=BEGAN - 1), "PAAA")
    await keep(events, stored(won(), at=BEGAN - 2), "RAAA")
    assert await found(archive) == newest


class Slow(MemoryLog):
    """A log in which one room cannot be read before its gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.gates = {"LONG": asyncio.Event()}

    async def read(self, room: str, *asked: int) -> list[Stored]:
        if room in self.gates:
            await self.gates[room].wait()
        return await super().read(room, *asked)


async def test_a_page_does_not_wait_for_ever_and_says_what_it_lacks(monkeypatch):
    events = Slow()
    await keep(events, stored(won()), "AAAA")
    await keep(events, stored(won()), "LONG")
    archive = archive_of(events)
    monkeypatch.setattr("server.archive.PATIENCE", 0)
    page = await archive.page(NOBODY, state="finished")
    assert not page.complete
    assert page.games == ()

    events.gates["LONG"].set()
    monkeypatch.setattr("server.archive.PATIENCE", 20)
    page = await archive.page(NOBODY, state="finished")
    assert page.complete
    assert [game.code for game in page.games] == ["AAAA", "LONG"]


async def test_a_room_that_is_not_read_to_its_end_is_told_to_no_stranger(monkeypatch):
    events, log = Slow(), stored(again(won()))
    events.gates["LONG"].set()
    end = len(stored(won()))
    await keep(events, log[:end], "LONG")
    archive = archive_of(events)
    assert await found(archive) == [("LONG", 1)]

    events.gates["LONG"].clear()
    await keep(events, log[end:], "LONG")
    monkeypatch.setattr("server.archive.PATIENCE", 0)

    assert await found(archive) == []
    assert await found(archive, ANNA) == [("LONG", 1)]
    events.gates["LONG"].set()


async def test_a_hundred_who_ask_at_once_have_one_look():
    class Looked(MemoryLog):
        read_rooms = 0

        async def read(self, room: str, *asked: int) -> list[Stored]:
            self.read_rooms += 1
            return await super().read(room, *asked)

    events = Looked()
    await keep(events, stored(won()))
    archive = archive_of(events)

    pages = await asyncio.gather(*(archive.page(NOBODY, state="finished") for _ in range(100)))

    assert all(len(page.games) == 1 for page in pages)
    assert events.read_rooms == 1


async def test_facts_that_make_no_sense_hide_no_other_room(events: MemoryLog, caplog):
    senseless = Entry(seq=2, facts=(ReadySet(seat=Seat(9), ready=True),))
    await keep(events, [stored(won())[0], senseless], "AAAA")
    await keep(events, stored(won()), "CCCC")

    assert await found(archive_of(events)) == [("CCCC", 1)]
    assert "room AAAA is not in the archive" in caplog.text


async def test_another_room_under_the_code_of_one_that_is_gone_is_another_room():
    events = MemoryLog()
    archive = archive_of(events)
    await keep(events, stored(won()))
    assert await found(archive) == [("KVRT", 1)]

    await events.forget("KVRT")
    archive.forget("KVRT")
    await room_of(events, "KVRT", len(stored(won())))

    assert await found(archive) == []
