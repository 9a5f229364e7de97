"""A game of nobody."""

import msgspec

from engine.events import PlayerSeated
from server.played import games_in
from server.take_home.anonymous import Anonymous
from tests.server.games import dealt, played, stored


def names_in(entries) -> list[str]:
    return [
        fact.name for entry in entries for fact in entry.facts if isinstance(fact, PlayerSeated)
    ]


def test_names_are_letters_by_the_chairs():
    assert names_in(Anonymous(stored(played()), 1)) == ["A", "B", "C"]


def test_who_comes_later_has_a_later_letter():
    room = dealt()
    room.kicks("B")
    room.lets_in("B", "Nora", "noras key")

    assert names_in(Anonymous(stored(room), 1)) == ["A", "B", "C", "D"]


def test_the_letters_are_those_of_the_chairs_of_that_game():
    room = dealt()
    room.kicks("B")
    room.lets_in("B", "Nora", "noras key")
    room.ends("A")
    room.starts()

    assert names_in(Anonymous(stored(room), 2)) == ["A", "D", "C", "B"]


def test_nothing_else_is_another_game():
    log = stored(played())

    (here,), (there,) = games_in(log), games_in(Anonymous(log, 1))
    assert there.game == here.game
    assert there.names == ("A", "B", "C")
    text = msgspec.json.encode(list(Anonymous(log, 1))).decode()
    assert not any(name in text for name in ("Anna", "Ben", "Carla"))
