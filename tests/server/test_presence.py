"""How near a player is, by when the device was heard; on a clock wound by hand."""

from engine.cards import Seat
from engine.commands import MoveTo
from server.identity import key_of
from server.presence import AWAY_AFTER, QUIET_AFTER, Heard
from server.protocol import Presence
from tests.server.clock import Clock
from tests.server.phones import Phone, passes, running, seated
from tests.support import RU_3, Evening


def test_a_player_is_here_then_quiet_then_away():
    heard = Heard(0.0)
    heard.hear("anna", 100.0)

    told = [
        (seconds, heard.nearness("anna", 100.0 + seconds))
        for seconds in (0, QUIET_AFTER - 0.1, QUIET_AFTER, AWAY_AFTER - 0.1, AWAY_AFTER)
    ]

    assert told == [(0, "here"), (9.9, "here"), (10, "quiet"), (29.9, "quiet"), (30, "away")]
    assert heard.nearness("ben", 100.0) == "away"


def test_after_a_restart_nobody_is_away_before_there_was_time_to_come_back():
    heard = Heard(100.0)

    assert heard.nearness("anna", 100.0) == "quiet"
    assert heard.nearness("anna", 100.0 + AWAY_AFTER - QUIET_AFTER) == "away"


def test_who_does_not_sit_here_any_more_is_forgotten():
    heard, room = Heard(0.0), Evening(RU_3).room
    for key in ("0", "gone"):
        heard.hear(key, 100.0)

    heard.forget_others(room)

    assert heard.nearness("0", 100.0) == "here"
    assert heard.nearness("gone", 100.0) == "away"


async def test_everybody_sees_who_falls_silent_and_who_is_heard_again():
    clock = Clock()
    async with running(clock=clock) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        watcher = Phone(keeper)
        told = []
        for seconds in (9.5, 0.5, 19.5, 0.5):
            await passes(clock, keeper, seconds, anna, watcher)
            told.append(anna.last(Presence).players[1])
        keeper.hear(ben.attendee)
        await passes(clock, keeper, 0, anna, watcher)

    assert told == ["here", "quiet", "quiet", "away"]
    assert watcher.last(Presence) == Presence(players=("here", "here", None), watchers=1)


async def test_presence_is_told_only_when_it_changes():
    clock = Clock()
    async with running(clock=clock) as keeper:
        (anna,) = await seated(keeper, "Anna")
        await anna.catches_up()
        for _ in range(20):
            await passes(clock, keeper, 1, anna)

    assert len(anna.all(Presence)) == 1


async def test_a_player_whose_line_broke_is_here_until_the_silence_is_long():
    clock = Clock()
    async with running(clock=clock) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        keeper.leave(ben.attendee)
        await passes(clock, keeper, 1, anna)
        at_once = anna.last(Presence).players[1]
        await passes(clock, keeper, 9, anna)

        assert (at_once, anna.last(Presence).players[1]) == ("here", "quiet")
        assert keeper.key_on(Seat(1), (key_of(ben.token or ""),)) is not None


async def test_nearness_moves_with_the_player():
    clock = Clock()
    async with running(clock=clock) as keeper:
        (anna,) = await seated(keeper, "Anna")
        await anna.asks(MoveTo(Seat(2)))

        assert anna.last(Presence).players == (None, None, "here")


async def test_a_device_speaks_for_all_its_seats():
    clock = Clock()
    async with running(clock=clock) as keeper:
        anna, ben = await seated(keeper, "Anna", "Ben")
        both = Phone(keeper, anna.token, ben.token, facing=Seat(0))
        await passes(clock, keeper, 60, both)

        assert both.last(Presence).players == ("here", "here", None)
