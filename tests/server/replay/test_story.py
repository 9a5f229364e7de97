"""Which entries make a game, and which of them still count."""

import pytest

from engine.record import NoSuchGame
from server.replay import story_of
from tests.server.games import again, dealt, played, stored, won


def kinds(story) -> list[str]:
    return [moment.entry.facts[0].__struct_config__.tag for moment in story.moments()]


def test_a_game_lasts_from_its_beginning_to_its_end():
    story = story_of(stored(won()), 1)

    assert kinds(story)[0] == "game_started"
    assert kinds(story)[-1] == "deal_conceded"
    assert story.finished


def test_what_comes_after_a_game_is_not_told_with_it():
    log = stored(again(won()))

    assert len(kinds(story_of(log, 1))) == len(kinds(story_of(stored(won()), 1)))


def test_a_game_that_runs_is_told_as_far_as_it_went():
    story = story_of(stored(again(won())), 2)

    assert kinds(story) == ["game_started", "cards_dealt"]
    assert not story.finished


def test_there_is_no_game_that_has_not_begun():
    for number in (0, 2):
        with pytest.raises(NoSuchGame):
            story_of(stored(won()), number)
    with pytest.raises(NoSuchGame):
        story_of(stored(won())[:1], 1)
    with pytest.raises(NoSuchGame):
        story_of([], 1)


def test_what_was_taken_back_is_left_out():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.does("B pass")

    assert kinds(story_of(stored(room), 1)) == [
        "game_started",
        "cards_dealt",
        "bid_placed",
        "passed",
    ]


def test_on_wish_it_is_there_and_marked_and_so_is_the_taking_back():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.does("B pass")

    story = story_of(stored(room), 1, undone=True)

    assert kinds(story)[2:] == ["bid_placed", "bid_placed", "undone", "passed"]
    assert [moment.undone for moment in story.moments()] == [
        False,
        False,
        False,
        True,
        False,
        False,
    ]


def test_who_comes_while_something_stands_that_is_taken_back_is_told_with_it():
    room = dealt()
    room.does("B bid 105")
    room.hands_over("C", "another key")
    room.takes_back("B")
    room.does("B pass")

    assert kinds(story_of(stored(room), 1))[2:] == ["bid_placed", "passed"]
    story = story_of(stored(room), 1, undone=True)
    assert kinds(story)[3:5] == ["bid_placed", "seat_handed_over"]
    assert [moment.undone for moment in story.moments()][3:] == [True, True, False, False]


def test_a_game_that_was_opened_again_ends_with_its_last_end():
    room = dealt()
    room.ends("A")
    room.reopens("B")
    room.does("B pass")
    room.ends("C")

    story = story_of(stored(room), 1)

    assert kinds(story)[2:] == ["bid_placed", "passed", "game_ended"]
    with_undone = story_of(stored(room), 1, undone=True)
    assert kinds(with_undone)[3:] == ["game_ended", "undone", "passed", "game_ended"]
    assert with_undone.finished


def test_a_card_knows_its_trick():
    story = story_of(stored(played()), 1)

    tricks = [moment.trick for moment in story.moments() if moment.trick is not None]
    assert tricks == [trick for trick in range(1, 9) for _ in range(3)]


def test_seats_are_found_by_their_keys():
    log = stored(won())
    key = log[0].facts[2].key  # type: ignore[union-attr]  # Ben's

    assert story_of(log, 1).seats_of({key, "a stranger's"}) == (1,)
