"""All games of a room added up."""

from engine.commands import Act, MoveTo
from engine.events import Standing
from server.evening import evening_of
from server.identity import key_of
from server.replay_messages import Evening, EveningPlayer
from tests.server.games import TOKENS, again, dealt, played, stored, won
from tests.support import A, C


def player(evening: Evening, name: str) -> EveningPlayer:
    return next(one for one in evening.players if one.name == name)


def test_a_won_game_counts_for_its_winner():
    evening = evening_of("KVRT", stored(won()))

    assert [(one.name, one.games, one.won) for one in evening.players] == [
        ("Anna", 1, 0),
        ("Ben", 1, 1),
        ("Carla", 1, 0),
    ]
    assert player(evening, "Anna").conceded == 1
    assert [game.number for game in evening.games] == [1]


def test_points_are_what_deals_have_added_and_not_where_a_game_began():
    evening = evening_of("KVRT", stored(won()))

    (game,) = evening.games
    assert player(evening, "Ben").points == game.totals[1] - 870


def test_contracts_melds_and_bolts_are_counted():
    room = played()
    (deal,) = room.game.sheet

    evening = evening_of("KVRT", stored(room))

    anna = player(evening, "Anna")
    assert (anna.made, anna.failed) == ((1, 0) if deal.made else (0, 1))
    assert anna.melds == 1
    bolts = [one.bolts for one in evening.players]
    assert bolts == [line.after.bolts for line in deal.lines]


def test_the_bolt_that_is_one_too_many_is_a_bolt_too():
    room = dealt(standings={"B": Standing(bolts=2), "C": Standing(bolts=2)})
    room.does("B pass", "C pass", "A take", "A give 9D B 9C C", "A contract 120")
    room.goes_on()
    penalised = [
        line.seat
        for line in room.scored.lines
        if any(change.cause == "bolts" for change in line.changes)
    ]

    evening = evening_of("KVRT", stored(room))

    assert penalised
    assert all(evening.players[seat].bolts == 1 for seat in penalised)


def test_what_was_taken_back_does_not_count():
    room = dealt()
    room.ends("A")
    room.reopens("B")
    room.ends("A")

    assert [one.games for one in evening_of("KVRT", stored(room)).players] == [1, 1, 1]


def test_who_changes_the_chair_stays_the_same_player():
    room = won()
    room.obeys(Act(A, MoveTo(C)))

    evening = evening_of("KVRT", stored(again(room)))

    assert [(one.name, one.games) for one in evening.players] == [
        ("Anna", 2),
        ("Ben", 2),
        ("Carla", 2),
    ]


def test_who_changes_the_device_stays_the_same_player_and_who_comes_new_is_another():
    room = dealt()
    room.hands_over("A", "another key")
    room.kicks("B")
    room.lets_in("B", "Nora", "noras key")
    room.does("B pass", "C pass", "A take", "A concede")

    evening = evening_of("KVRT", stored(room))

    assert [one.name for one in evening.players] == ["Anna", "Ben", "Carla", "Nora"]
    assert player(evening, "Anna").conceded == 1
    assert player(evening, "Nora").points == room.scored.lines[1].after.score
    assert player(evening, "Ben").points == 0


def test_who_comes_when_a_game_is_over_has_not_played_in_it():
    room = won()
    room.kicks("A")
    room.lets_in("A", "Nora", "noras key")

    players = evening_of("KVRT", stored(room)).players

    assert [(one.name, one.games) for one in players] == [("Anna", 1), ("Ben", 1), ("Carla", 1)]


def test_who_comes_back_with_another_token_is_known_by_the_name():
    room = dealt()
    room.kicks("B")
    room.lets_in("B", "Ben", "another key")

    assert len(evening_of("KVRT", stored(room)).players) == 3


def test_who_comes_back_under_another_name_is_known_by_the_key():
    room = dealt()
    room.kicks("B")
    room.lets_in("B", "Benno", key_of(TOKENS[1]))

    assert [one.name for one in evening_of("KVRT", stored(room)).players] == [
        "Anna",
        "Benno",
        "Carla",
    ]


def test_before_the_first_game_nobody_has_played():
    evening = evening_of("KVRT", stored(won())[:1])

    assert (evening.games, evening.players) == ((), ())
