"""The games in a log, in short."""

from server.identity import key_of
from server.played import games_in, summary_of, who_played
from server.replay_messages import GameSummary
from tests.server.games import BEGAN, TOKENS, again, dealt, stored, won
from tests.support import B


def test_a_won_game_says_who_won():
    (game,) = games_in(stored(won()))

    assert summary_of("KVRT", game) == GameSummary(
        code="KVRT",
        number=1,
        at=BEGAN,
        profile="ru-3",
        version=1,
        state="won",
        names=("Anna", "Ben", "Carla"),
        totals=tuple(standing.score for standing in game.game.standings),
        winners=(B,),
        deals=1,
    )


def test_a_game_that_was_ended_has_no_winner_and_one_that_runs_neither():
    ended = dealt()
    ended.ends("A")

    states = [(game.state, game.winners) for game in games_in(stored(again(ended)))]

    assert states == [("ended", ()), ("running", ())]


def test_a_name_is_of_whoever_sat_there_last_and_all_have_played():
    room = dealt()
    room.kicks("B")
    room.lets_in("B", "Nora", "noras key")
    room.kicks("C")

    (game,) = games_in(stored(room))

    assert game.names == ("Anna", "Nora", "Carla")
    keys = {*map(key_of, TOKENS[:3]), "noras key"}
    assert who_played(stored(room), {*keys, "a stranger's"}) == keys


def test_who_comes_after_the_end_has_not_played():
    room = won()
    room.kicks("B")
    room.lets_in("B", "Nora", "noras key")

    (game,) = games_in(stored(room))

    assert game.names == ("Anna", "Ben", "Carla")
    assert who_played(stored(room), {"noras key", key_of(TOKENS[1])}) == {key_of(TOKENS[1])}


def test_an_end_that_was_undone_is_none():
    room = dealt()
    room.ends("A")
    room.reopens("B")

    assert [game.state for game in games_in(stored(room))] == ["running"]


def test_before_the_first_game_there_is_none():
    assert list(games_in(stored(won())[:1])) == []
