"""A game as the log of a room of its own."""

import json
import random

import pytest
from msgspec.structs import replace

from engine.commands import Act, ChooseFirstDealer, ChooseTakeBack, SetReady, StartGame
from engine.history import AskId, past_of
from engine.record import Unreadable
from engine.state import game_of
from server.identity import key_of
from server.take_home.log_lines import read_lines, write_lines
from tests.engine.agreeing import eventful
from tests.server.games import TOKENS, again, dealt, played, stored, won
from tests.support import ALL_PROFILES, A, B, C, seat


def test_what_is_read_and_written_again_is_the_same_text():
    text = write_lines(stored(played()), 1)

    assert write_lines(read_lines(text), 1) == text


def test_so_it_is_with_random_evenings_by_all_rules():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    for profile in ALL_PROFILES:
        room = eventful(profile, seed, deals=2)
        log = stored(room)

        text = write_lines(log, 1)

        entries = read_lines(text)
        assert write_lines(entries, 1) == text
        there, here = past_of(entries).room, past_of(log).room
        assert there is not None
        assert here is not None
        assert game_of(there) == game_of(here)


def test_a_later_game_stands_alone_with_its_number():
    room = again(won())
    room.ends("A")

    entries = read_lines(write_lines(stored(room), 2))

    past = past_of(entries)
    assert past.room is not None
    game = game_of(past.room)
    assert game is not None
    assert (game.number, len(entries)) == (2, 4)
    assert [player and player.name for player in past.room.players] == ["Anna", "Ben", "Carla"]


def test_what_was_taken_back_in_a_later_game_is_the_same_there():
    room = again(won())
    caller = "ABC"[room.view(None).turn or 0]
    room.does(f"{caller} bid 100")
    room.takes_back(caller)

    there, here = past_of(read_lines(write_lines(stored(room), 2))), past_of(stored(room))

    assert there.room is not None
    assert here.room is not None
    assert there.room.phase == here.room.phase
    assert there.taken_back == here.taken_back != ()


def test_the_table_is_as_it_was_when_the_game_began():
    room = won()
    for letter in "ABC":
        room.obeys(Act(seat(letter), SetReady(ready=True)))
    room.obeys(Act(A, ChooseFirstDealer(B)))
    room.obeys(Act(A, ChooseTakeBack("free")))
    room.obeys(StartGame(lot=C))
    room.ends("A")

    there = past_of(read_lines(write_lines(stored(room), 2))).room

    assert there is not None
    assert (there.first_dealer, there.take_back, there.games) == (B, "free", 2)
    assert there.profile == room.room.profile


def test_nothing_recognises_a_player():
    room = dealt()
    room.hands_over("C", "another key")
    asked = AskId(key_of(TOKENS[0]), "ask-0001")
    log = [replace(entry, ask=asked) for entry in stored(room)]
    text = write_lines(log, 1)

    assert not any(key_of(token) in text for token in TOKENS)
    assert "another key" not in text
    assert json.loads(text.splitlines()[0]) == {"prikup_log": 1, "left_out": ["ask", "key"]}
    assert all(json.loads(line)["ask"] is None for line in text.splitlines()[1:])


def test_what_was_taken_back_is_in_it():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")

    kinds = [
        json.loads(line)["facts"][0]["type"]
        for line in write_lines(stored(room), 1).splitlines()[1:]
    ]

    assert kinds[2:] == ["cards_dealt", "bid_placed", "bid_placed", "undone"]


def entry(seq: int, **fact: object) -> str:
    return json.dumps({"seq": seq, "schema": 3, "facts": [fact]})


def ended_and_begun_again(lines: list[str]) -> list[str]:
    game = json.loads(lines[2])["facts"][0] | {"number": 2}
    return [entry(6, type="game_ended", by=0, agreed=[]), entry(7, **game)]


def taken_back_without_end(lines: list[str]) -> list[str]:
    bid = json.loads(lines[5])["facts"][0]
    back = {"type": "undone", "back_to": 5, "by": 0, "agreed": []}
    return [entry(6 + at, **(back if at % 2 else bid)) for at in range(4000)]


@pytest.mark.parametrize(
    ("spoil", "line", "words"),
    [
        (lambda _: [], 1, "no log of a game"),
        (lambda lines: ["{}", *lines[1:]], 1, "no log of a game"),
        (lambda lines: ['{"prikup_log": 2}', *lines[1:]], 1, "format 1, not 2"),
        (lambda lines: lines[:1], 1, "no game begins"),
        (lambda lines: lines[:2], 2, "no game begins"),
        (lambda lines: [*lines[:4], "{", *lines[5:]], 5, "cannot be read"),
        (lambda lines: [*lines[:4], *lines[5:]], 5, "says it is number 5"),
        (lambda lines: [*lines[:4], lines[4].replace('"schema":3', '"schema":9')], 5, "schema 9"),
        (lambda lines: [*lines[:3], lines[4].replace('"seq":4', '"seq":3')], 4, "cannot follow"),
        (lambda lines: [*lines[:1], lines[1].replace('"seat":0', '"seat":7')], 2, "cannot follow"),
        (lambda lines: [*lines, '{"seq":6,"schema":3,"facts":[]}'], 7, "decides nothing"),
        (lambda lines: [*lines, *ended_and_begun_again(lines)], 8, "a second game begins"),
        (lambda lines: [*lines, *taken_back_without_end(lines)], 2008, "no game has so many"),
    ],
)
def test_what_was_spoilt_by_hand_is_named_with_its_line(spoil, line, words):
    room = dealt()
    room.does("B pass")
    lines = write_lines(stored(room), 1).splitlines()
    text = "".join(f"{one}\n" for one in spoil(lines))

    with pytest.raises(Unreadable) as refused:
        read_lines(text)

    assert refused.value.line == line
    assert words in refused.value.text
