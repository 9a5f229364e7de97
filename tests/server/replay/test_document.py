"""A replay shows what was shown: to every seat its own view, and all hands to nobody too early."""

import random
from typing import Any

import msgspec
import pytest

from engine.cards import Seat
from engine.choices import choices_of
from engine.commands import PlaceBid
from engine.state import Playing
from server.log import MemoryLog
from server.log.codec import entries_of
from server.protocol import Deal, Update
from server.replay import NotFinished, replay_of, story_of
from server.replay.deltas import applied
from server.replay_messages import AllHandsView
from tests import replayed_games
from tests.server.games import RULES, again, dealt, played, stored, won
from tests.server.phones import CODE, dealer_of, running, started, store_room
from tests.support import ALL_PROFILES, card, cards


async def test_every_screen_of_random_evenings_is_replayed_byte_for_byte():
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # to play the same games again
    for number in random.Random(seed).sample(range(len(ALL_PROFILES)), 5):
        assert await replayed_games.judged(number, seed)


async def test_what_a_running_server_showed_a_seat_is_replayed_byte_for_byte():
    events = MemoryLog()
    await store_room(events)
    async with running(events) as keeper:
        phones = await started(keeper)
        dealer, _ = dealer_of(phones)
        await dealer.asks(Deal())
        for phone in phones:
            await phone.catches_up()
        forehand = phones[dealer.game.turn or 0]
        await forehand.asks(PlaceBid(100))
        for phone in phones:
            await phone.catches_up()
        log = entries_of(await events.read(CODE))

        for seat, phone in enumerate(phones):
            replay = msgspec.json.encode(replay_of(CODE, story_of(log, 1), [Seat(seat)]))
            told = {one.seq: [one.game, one.glimpses] for one in replayed_games.shown(replay)}
            *_, dealing, call = [one for one in phone.messages if isinstance(one, Update)]
            for update in (dealing, call):
                assert told[update.seq] == decoded([update.game, update.glimpses])


def decoded(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def hands_in(replay) -> list[AllHandsView]:
    """What stands there of all hands, step by step."""
    found: Any = None
    shown = []
    for patch in msgspec.json.decode(msgspec.json.encode(replay.all_hands)):
        found = applied(found, patch)
        shown.append(msgspec.convert(found, AllHandsView))
    return shown


def test_a_finished_game_has_the_views_of_all_and_all_hands():
    replay = replay_of("KVRT", story_of(stored(played()), 1))

    assert replay.viewers == (None, 0, 1, 2)
    assert replay.finished
    hands = hands_in(replay)
    assert hands[0].hands == ()
    assert [len(hand) for hand in hands[1].hands] == [7, 7, 7]
    assert hands[1].talons == (cards("JC 9H AD"),)
    assert {gift.card for gift in hands[-1].gifts} == set()
    given = next(one for one in hands if one.gifts)
    assert [gift.card for gift in given.gifts] == [card("9D"), card("9C")]


def test_all_hands_know_what_the_seat_on_turn_could_do():
    story = story_of(stored(played()), 1)
    hands = hands_in(replay_of("KVRT", story))

    for moment, shown in zip(story.moments(), hands, strict=True):
        phase = moment.past.room and moment.past.room.phase
        if isinstance(phase, Playing) and phase.turn is not None:
            assert shown.may == choices_of(phase, phase.turn)
            assert shown.points == phase.points


def test_a_game_that_runs_shows_no_hands_but_those_of_whom_is_asked_for():
    story = story_of(stored(dealt()), 1)

    with pytest.raises(NotFinished):
        replay_of("KVRT", story)
    replay = replay_of("KVRT", story, [Seat(1)])

    assert replay.viewers == (1,)
    assert replay.all_hands is None
    text = msgspec.json.encode(replay).decode()
    for hidden in ("SA", "CT", "CJ"):  # of A, of C, in the talon
        assert f'"{hidden}"' not in text
    assert '"SK"' in text


def test_a_finished_game_can_be_asked_for_as_one_seat_saw_it():
    replay = replay_of("KVRT", story_of(stored(won()), 1), [Seat(0)])

    assert (replay.viewers, replay.all_hands) == ((0,), None)


def test_chapters_are_deals_and_tell_which_were_void():
    replay = replay_of("KVRT", story_of(stored(played()), 1))

    told = [(chapter.deal, chapter.voided) for chapter in replay.chapters]
    assert told == [(0, None), (1, None), (2, "agreed"), (2, None)]
    firsts = [replay.steps[chapter.first].kind for chapter in replay.chapters]
    assert firsts == ["game_started", "cards_dealt", "cards_dealt", "cards_dealt"]


def test_a_chapter_begins_whole_so_that_no_step_needs_an_earlier_one():
    replay = msgspec.json.decode(
        msgspec.json.encode(replay_of("KVRT", story_of(stored(played()), 1)))
    )

    everything = list(replayed_games.shown(msgspec.json.encode(replay)))
    for chapter in replay["chapters"]:
        first = chapter["first"]
        for at, viewer in enumerate(replay["viewers"]):
            shown = applied(None, replay["games"][first][at])
            seq = replay["steps"][first]["seq"]
            there = [one.game for one in everything if (one.viewer, one.seq) == (viewer, seq)]
            assert there == [shown]


def test_steps_say_who_did_what():
    room = dealt()
    room.does("B bid 105")
    room.takes_back("B")
    room.ends("C")

    replay = replay_of("KVRT", story_of(stored(room), 1, undone=True))

    assert [(step.kind, step.seat, step.undone) for step in replay.steps] == [
        ("game_started", None, False),
        ("cards_dealt", 2, False),
        ("bid_placed", 0, False),
        ("bid_placed", 1, True),
        ("undone", 1, False),
        ("game_ended", 2, False),
    ]


def test_the_sheet_is_marked_where_something_was_taken_back():
    replay = replay_of("KVRT", story_of(stored(played()), 1))

    *_, last = replayed_games.shown(msgspec.json.encode(replay))
    (mark,) = last.common["sheet"]["taken_back"]
    assert mark["deal"] == 2
    assert last.common["table"]["players"][0] == {"name": "Anna", "ready": False}
    assert last.common["sheet"]["profile"]["chosen"] == RULES.chosen


def test_of_two_games_each_is_told_alone():
    log = stored(again(won()))

    assert replay_of("KVRT", story_of(log, 1)).number == 1
    second = replay_of("KVRT", story_of(log, 2), [Seat(0)])
    assert (second.number, second.steps[0].kind) == (2, "game_started")
