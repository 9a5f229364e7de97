"""Replay, files, archive and evening over HTTP: what is open to all, and what to a seat."""

import asyncio
import base64
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from engine.record import write_record
from server import archive
from server.archive_api import DOCUMENTS
from server.http_messages import Problem
from server.identity import key_of
from server.log import EventLog, LogFailed, MemoryLog, Stored
from server.replay.story import MOST
from server.replay_messages import ArchivePage, Evening, GameSheet
from tests.server.games import TOKENS, again, dealt, keep, played, stored, won
from tests.server.long_rooms import Watched

ANNA = {"Authorization": f"Bearer {TOKENS[0]}"}
STRANGER = {"Authorization": "Bearer not-a-token-of-anybody"}
REPLAY = "/api/rooms/KVRT/games/1/replay"


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, msgspec.json.decode(answer.content, type=Problem).error


NO_SUCH_GAME = (404, "no-such-game")


async def test_a_finished_game_is_replayed_to_anybody_who_knows_the_room(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(played()))

    answer = await http.get("/api/rooms/kvrt/games/1/replay")

    assert answer.status_code == 200
    assert answer.headers["content-encoding"] == "gzip"
    replay = answer.json()
    assert replay["viewers"] == [None, 0, 1, 2]
    assert replay["all_hands"] is not None
    assert not any(step["undone"] for step in replay["steps"])
    plain = await http.get(REPLAY, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == replay


async def test_what_was_taken_back_is_told_on_wish(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(played()))

    replay = (await http.get(REPLAY, params={"undone": "1"})).json()

    assert any(step["undone"] for step in replay["steps"])


async def test_a_running_game_is_shown_to_a_seat_as_it_saw_it(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(dealt()))

    answer = await http.get(REPLAY, headers=ANNA)

    replay = answer.json()
    assert (replay["viewers"], replay["all_hands"], replay["finished"]) == ([0], None, False)
    assert '"SK"' not in answer.text  # Ben's
    assert '"SA"' in answer.text


async def test_cookies_bring_the_seat_as_well(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(dealt()))
    kept = await http.post("/api/rooms/KVRT/seats", json={"token": TOKENS[1]})
    assert kept.status_code == 204

    assert (await http.get(REPLAY)).json()["viewers"] == [1]


async def test_a_running_game_does_not_exist_for_anybody_else(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(dealt()))

    for path in (REPLAY, f"{REPLAY}?seat=0", f"{REPLAY}?token={TOKENS[0]}"):
        assert refused(await http.get(path)) == NO_SUCH_GAME
        assert refused(await http.get(path, headers=STRANGER)) == NO_SUCH_GAME
    assert refused(await http.get(f"{REPLAY}?seat=1", headers=ANNA)) == NO_SUCH_GAME


async def test_nobody_looks_into_a_game_that_was_ended_and_may_yet_go_on(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(dealt()))
    address = f"ws://{http.base_url.netloc.decode()}/api/rooms/KVRT/socket"
    async with connect(address) as anna, connect(address) as ben:
        for line, token in ((anna, TOKENS[0]), (ben, TOKENS[1])):
            await line.send(json.dumps({"type": "resume", "tokens": [token]}))
        await line_asks(anna, {"type": "end_game"})
        open_now = await hears(ben, lambda one: one.get("proposals"))
        proposal = open_now["proposals"][0]["id"]
        await line_asks(ben, {"type": "answer", "proposal": proposal, "agree": True})
        await hears(anna, lambda one: one["type"] == "settled")

        assert refused(await http.get(REPLAY)) == NO_SUCH_GAME
        for kind in ("t1000", "jsonl", "csv", "html"):
            assert refused(await http.get(f"/api/rooms/KVRT/games/1.{kind}")) == NO_SUCH_GAME
        own = (await http.get(REPLAY, headers=ANNA)).json()
        assert (own["viewers"], own["all_hands"], own["finished"]) == ([0], None, True)


async def line_asks(line: ClientConnection, action: object) -> None:
    await line.send(json.dumps({"type": "ask", "id": "an-ask-0001", "action": action}))


async def hears(line: ClientConnection, is_it: Callable[[dict[str, Any]], object]) -> Any:
    async with asyncio.timeout(20):
        while True:
            for message in json.loads(await line.recv()):
                if is_it(message):
                    return message


async def test_a_device_with_several_seats_says_which(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(dealt()))
    both = {"Authorization": f"Bearer {TOKENS[0]} {TOKENS[2]}"}

    assert refused(await http.get(REPLAY, headers=both)) == NO_SUCH_GAME
    assert (await http.get(f"{REPLAY}?seat=2", headers=both)).json()["viewers"] == [2]
    assert refused(await http.get(f"{REPLAY}?seat=1", headers=both)) == NO_SUCH_GAME


async def test_who_lost_the_seat_has_lost_the_view(http: httpx.AsyncClient, events: EventLog):
    room = dealt()
    room.hands_over("A", "another key")
    await keep(events, stored(room))

    assert refused(await http.get(REPLAY, headers=ANNA)) == NO_SUCH_GAME


async def test_the_view_of_one_is_not_kept_for_another(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(dealt()))
    ben = {"Authorization": f"Bearer {TOKENS[1]}"}

    for headers, seat in ((ANNA, 0), (ben, 1), (ANNA, 0)):
        assert (await http.get(REPLAY, headers=headers)).json()["viewers"] == [seat]
    assert refused(await http.get(REPLAY)) == NO_SUCH_GAME


async def test_a_replay_goes_on_with_the_game(http: httpx.AsyncClient, events: EventLog):
    log = stored(played())
    await keep(events, log[:5])
    assert len((await http.get(REPLAY, headers=ANNA)).json()["steps"]) == 4

    await keep(events, log[5:7])
    assert len((await http.get(REPLAY, headers=ANNA)).json()["steps"]) == 6

    await keep(events, log[7:])
    assert (await http.get(REPLAY, headers=ANNA)).json()["finished"]


async def test_more_replays_than_are_kept_are_answered_too(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(won()))
    letters = "ABCDEFGHKLMNPRTVWX"
    for letter in letters:
        await keep(events, stored(won()), f"{letter}AAA")
    assert len(letters) > DOCUMENTS

    for letter in (*letters, *letters):
        answer = await http.get(f"/api/rooms/{letter}AAA/games/1/replay")
        assert answer.json()["code"] == f"{letter}AAA"


@pytest.mark.parametrize(
    "path",
    [
        "/api/rooms/ABCD/games/1/replay",
        "/api/rooms/nonsense/games/1/replay",
        "/api/rooms/KVRT/games/3/replay",
        "/api/rooms/KVRT/games/0/replay",
        "/api/rooms/KVRT/games/-1/replay",
        "/api/rooms/KVRT/games/one/replay",
        "/api/rooms/KVRT/games/999999999/replay",
        "/api/rooms/KVRT/games/2/replay",
        "/api/rooms/KVRT/games/2/sheet",
        "/api/rooms/KVRT/games/3/sheet",
        "/api/rooms/KVRT/games/2.t1000",
        "/api/rooms/KVRT/games/2.jsonl",
        "/api/rooms/KVRT/games/2.csv",
        "/api/rooms/KVRT/games/2.html",
        "/api/rooms/KVRT/games/1.exe",
        "/api/rooms/ABCD/games/1.t1000",
        "/api/rooms/ABCD/evening",
    ],
)
async def test_what_nobody_may_see_is_not_there(
    http: httpx.AsyncClient, events: EventLog, path: str
):
    await keep(events, stored(again(won())))

    assert refused(await http.get(path)) == NO_SUCH_GAME


async def test_a_running_game_is_not_taken_home_by_its_players_either(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(dealt()))

    for kind in ("t1000", "jsonl", "csv", "html"):
        answer = await http.get(f"/api/rooms/KVRT/games/1.{kind}", headers=ANNA)
        assert refused(answer) == NO_SUCH_GAME


async def test_a_finished_game_is_taken_home_as_a_file(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(played()))

    answer = await http.get("/api/rooms/KVRT/games/1.t1000")

    assert answer.text == write_record(stored(played()), 1)
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    disposition = answer.headers["content-disposition"]
    assert disposition == 'attachment; filename="prikup-KVRT-1.t1000"'
    hidden = await http.get("/api/rooms/KVRT/games/1.t1000?anonymous=1")
    assert "seat A A\nseat B B\n" in hidden.text
    assert "KVRT" not in hidden.headers["content-disposition"]


async def test_a_finished_game_has_its_sheet(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(again(played())))

    answer = await http.get("/api/rooms/KVRT/games/1/sheet")

    told = msgspec.json.decode(answer.content, type=GameSheet)
    assert (told.game.number, told.game.state, told.sheet.game) == (1, "ended", 1)
    assert told.game.names == ("Anna", "Ben", "Carla")
    assert [line.after.score for line in told.sheet.deals[-1].lines] == list(told.game.totals)
    assert len(told.sheet.taken_back) == 1


async def test_a_page_needs_a_client_that_has_it(
    http: httpx.AsyncClient, events: EventLog, tmp_path: Path
):
    await keep(events, stored(played()))
    assert refused(await http.get("/api/rooms/KVRT/games/1.html")) == (404, "not-found")

    (tmp_path / "replay-file.html").write_text(
        '<head><script src="/assets/page-abc123.js"></script>'
    )
    answer = await http.get("/api/rooms/KVRT/games/1.html")

    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert base64.b64encode(gzip.compress(b"export {}", 9, mtime=0)).decode() in answer.text


async def test_the_page_of_a_replay_is_at_the_address_of_its_game(
    http: httpx.AsyncClient, tmp_path: Path
):
    (tmp_path / "replay.html").write_text("<title>replay</title>")

    assert (await http.get("/KVRT/replay/1")).text == "<title>replay</title>"
    assert refused(await http.get("/nonsense/replay/1")) == (404, "not-found")


async def test_the_archive_lists_finished_games(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(won()))
    await keep(events, stored(dealt()), "ABCD")

    answer = await http.get("/api/archive?player=ben")

    page = msgspec.json.decode(answer.content, type=ArchivePage)
    assert [(game.code, game.state) for game in page.games] == [("KVRT", "won")]


async def test_running_games_are_listed_for_tokens_alone(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(dealt()))

    anybody = await http.get("/api/archive?state=running")
    mine = await http.get("/api/archive?state=running", headers=ANNA)

    assert anybody.json()["games"] == []
    assert [game["code"] for game in mine.json()["games"]] == ["KVRT"]


@pytest.mark.parametrize("query", ["state=all", "page=x", "page=-1", "page=²"])
async def test_a_question_that_makes_no_sense_is_refused(http: httpx.AsyncClient, query: str):
    assert refused(await http.get(f"/api/archive?{query}")) == (400, "bad-request")


async def test_the_evening_adds_up(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(won()))

    evening = msgspec.json.decode((await http.get("/api/rooms/KVRT/evening")).content, type=Evening)

    assert [(player.name, player.won) for player in evening.players] == [
        ("Anna", 0),
        ("Ben", 1),
        ("Carla", 0),
    ]


async def test_who_played_there_may_let_the_room_be_forgotten(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(won()))
    assert (await http.get("/api/rooms/KVRT")).status_code == 200

    answer = await http.delete("/api/rooms/KVRT/games", headers=ANNA)

    assert answer.status_code == 204
    assert await events.read("KVRT") == []
    assert refused(await http.get("/api/rooms/KVRT")) == (404, "no-such-room")
    assert (await http.get("/api/archive")).json()["games"] == []


async def test_nobody_else_may(http: httpx.AsyncClient, events: EventLog):
    room = won()
    room.kicks("C")
    room.lets_in("C", "Nora", "noras key")
    await keep(events, stored(room))
    carla = {"Authorization": f"Bearer {TOKENS[2]}"}

    for headers in ({}, STRANGER, carla):
        answer = await http.delete("/api/rooms/KVRT/games", headers=headers)
        assert refused(answer) == NO_SUCH_GAME
    assert await events.read("KVRT")


async def test_who_came_after_the_games_may_not(http: httpx.AsyncClient, events: EventLog):
    room = won()
    room.kicks("C")
    room.lets_in("C", "Nora", key_of("nora-has-this-token-00"))
    await keep(events, stored(room))

    answer = await http.delete(
        "/api/rooms/KVRT/games", headers={"Authorization": "Bearer nora-has-this-token-00"}
    )

    assert refused(answer) == NO_SUCH_GAME


async def test_while_a_game_runs_nothing_is_forgotten(http: httpx.AsyncClient, events: EventLog):
    await keep(events, stored(again(won())))

    answer = await http.delete("/api/rooms/KVRT/games", headers=ANNA)

    assert refused(answer) == (409, "game-running")
    assert await events.read("KVRT")


async def test_a_log_that_does_not_fit_together_is_no_game(
    http: httpx.AsyncClient, events: EventLog
):
    await keep(events, stored(won())[:1])
    await events.append("KVRT", 2, b"{}")

    assert refused(await http.get(REPLAY)) == (500, "room-stopped")
    answer = await http.delete("/api/rooms/KVRT/games", headers=ANNA)
    assert refused(answer) == (500, "room-stopped")


class TestWithoutReading:
    """What can be refused or is known is answered before a byte of a log is read."""

    @pytest.fixture
    def events(self) -> EventLog:
        return Watched()

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("GET", "/api/rooms/nonsense/evening"),
            ("GET", "/api/rooms/nonsense/games/1/replay"),
            ("GET", "/api/rooms/KVRT/games/one/replay"),
            ("GET", "/api/rooms/KVRT/games/1.exe"),
            ("GET", "/api/rooms/ABCD/evening"),
            ("GET", "/api/rooms/ABCD/games/1/replay"),
            ("GET", "/api/rooms/ABCD/games/1/sheet"),
            ("GET", "/api/rooms/ABCD/games/1.html"),
            ("DELETE", "/api/rooms/nonsense/games"),
            ("DELETE", "/api/rooms/ABCD/games"),
            ("DELETE", "/api/rooms/KVRT/games"),
        ],
    )
    async def test_what_is_no_game_for_anybody(
        self, http: httpx.AsyncClient, events: Watched, method: str, path: str
    ):
        await keep(events, stored(won()))

        assert refused(await http.request(method, path)) == NO_SUCH_GAME

        assert events.given == []

    async def test_a_game_that_runs_on_a_table_that_is_there(
        self, http: httpx.AsyncClient, events: Watched
    ):
        await keep(events, stored(dealt()))
        await http.get("/api/rooms/KVRT")  # somebody looks at the room
        events.given.clear()

        for path in (REPLAY, "/api/rooms/KVRT/games/1.html"):
            assert refused(await http.get(path, headers=STRANGER)) == NO_SUCH_GAME
        for method in ({}, STRANGER):
            answer = await http.delete("/api/rooms/KVRT/games", headers=method)
            assert refused(answer) == NO_SUCH_GAME
        answer = await http.delete("/api/rooms/KVRT/games", headers=ANNA)
        assert refused(answer) == (409, "game-running")

        assert events.given == []

    async def test_whoever_does_not_sit_there_has_nothing_looked_up_in_past_games(
        self, http: httpx.AsyncClient, events: Watched
    ):
        await keep(events, stored(won()))
        length = len(stored(won()))

        assert refused(await http.delete("/api/rooms/KVRT/games", headers=STRANGER)) == NO_SUCH_GAME

        assert events.given == [("KVRT", length)]  # the room itself, to see who sits there

    @pytest.mark.parametrize(
        "path",
        [
            "/api/rooms/KVRT/evening",
            REPLAY,
            "/api/rooms/KVRT/games/1/sheet",
            "/api/rooms/KVRT/games/1.csv",
        ],
    )
    async def test_what_was_made_already(self, http: httpx.AsyncClient, events: Watched, path: str):
        await keep(events, stored(won()))
        first = await http.get(path)
        events.given.clear()

        again = await http.get(path)

        assert (again.status_code, again.content) == (200, first.content)
        assert events.given == []

    async def test_who_waits_for_the_same_gets_the_same(
        self, http: httpx.AsyncClient, events: Watched
    ):
        await keep(events, stored(won()))
        await http.get("/api/archive")
        events.given.clear()

        answers = await asyncio.gather(*(http.get("/api/rooms/KVRT/evening") for _ in range(20)))

        assert {answer.status_code for answer in answers} == {200}
        assert len(events.given) == 1


class TestWhileOneIsMade:
    @pytest.fixture
    def events(self) -> EventLog:
        class Slow(MemoryLog):
            """A log that is read only once the gate is open, and knows how often it was asked."""

            def __init__(self) -> None:
                super().__init__()
                self.gate, self.reading, self.asked = asyncio.Event(), asyncio.Event(), 0

            async def read(self, room: str, *asked: int) -> list[Stored]:
                self.asked += 1
                self.reading.set()
                await self.gate.wait()
                return await super().read(room, *asked)

        return Slow()

    async def test_what_was_made_before_waits_for_nobody(
        self, http: httpx.AsyncClient, events: Any
    ):
        await keep(events, stored(won()))
        await keep(events, stored(won()), "ABCD")
        events.gate.set()
        made = await http.get(REPLAY)
        events.gate.clear()
        events.reading.clear()
        other = asyncio.create_task(http.get("/api/rooms/ABCD/evening"))
        await events.reading.wait()

        again = await asyncio.wait_for(http.get(REPLAY), 5)

        assert (again.status_code, again.content) == (200, made.content)
        events.gate.set()
        assert (await other).status_code == 200

    async def test_nothing_of_a_log_is_read_for_those_who_wait(
        self, http: httpx.AsyncClient, events: Any
    ):
        letters = "ABCDEFGHKL"
        for letter in letters:
            await keep(events, stored(won()), f"{letter}AAA")
        paths = [
            f"/api/rooms/{letter}AAA/{what}"
            for letter in letters
            for what in ("evening", "games/1/replay", "games/1/sheet", "games/1.jsonl")
        ]
        waiting = [asyncio.create_task(http.get(path)) for path in paths]
        waiting.append(asyncio.create_task(http.get("/api/archive")))
        await events.reading.wait()
        for _ in range(5):
            assert (await http.get("/api/health")).status_code == 200

        assert events.asked == 1

        events.gate.set()
        assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}


async def test_a_game_that_is_too_long_to_be_shown_in_one_piece_says_so(
    http: httpx.AsyncClient, events: EventLog, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.replay.story.MOST", 5)
    await keep(events, stored(played()))

    for what in ("/replay", ".jsonl", ".html"):
        assert refused(await http.get(f"/api/rooms/KVRT/games/1{what}")) == (413, "too-long")
    for what in ("/sheet", ".t1000", ".csv"):
        assert (await http.get(f"/api/rooms/KVRT/games/1{what}")).status_code == 200


async def test_another_room_under_the_code_of_one_that_is_gone_shows_its_own_games(
    http: httpx.AsyncClient, events: EventLog
):
    first, second = stored(won()), stored(won(), names=("Ida", "Ole", "Zoë"))
    assert len(first) == len(second)
    await keep(events, first)
    assert "Anna" in (await http.get("/api/rooms/KVRT/evening")).text
    assert (await http.delete("/api/rooms/KVRT/games", headers=ANNA)).status_code == 204

    await keep(events, second)

    assert "Ida" in (await http.get("/api/rooms/KVRT/evening")).text
    assert (await http.get("/api/rooms/KVRT/games/1/sheet")).json()["game"]["names"][0] == "Ida"


class TestWithoutALog:
    @pytest.fixture
    def events(self) -> EventLog:
        class Broken(MemoryLog):
            async def read(self, room, *asked):
                raise LogFailed(f"{room} after {asked} is gone")

            async def end(self, room):
                raise LogFailed(f"{room} is gone")

            async def ends(self):
                raise LogFailed("the disk is gone")

        return Broken()

    @pytest.mark.parametrize("path", [REPLAY, "/api/archive", "/api/rooms/KVRT/evening"])
    async def test_it_says_that_it_cannot_be_read(self, http: httpx.AsyncClient, path: str):
        assert refused(await http.get(path)) == (503, "unreadable")


class TestWithAFullDisk:
    @pytest.fixture
    def events(self) -> EventLog:
        class Full(MemoryLog):
            async def forget(self, room):
                raise LogFailed(f"{room} stays")

        return Full()

    async def test_a_room_that_cannot_be_forgotten_is_still_there(
        self, http: httpx.AsyncClient, events: EventLog
    ):
        await keep(events, stored(won()))

        answer = await http.delete("/api/rooms/KVRT/games", headers=ANNA)

        assert refused(answer) == (503, "not-stored")
        assert (await http.get("/api/rooms/KVRT")).status_code == 200


def test_the_numbers_that_clients_are_told_are_those_of_the_code():
    told = (Path(__file__).parents[2] / "server" / "PROTOCOL.md").read_text("utf-8")

    assert f"A game of more than {MOST} steps is 413 `too-long`" in told
    assert f"{archive.ROOM_KEPT} games of a room are listed and {archive.ALL_KEPT} in all" in told
    assert f"{archive.PAGE} a page" in told
    assert archive.PATIENCE == 5
