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
    clock = Clock()
    heard = Heard(clock)
    clock.wind(100)
    heard.hear("anna")

    assert heard.nearness("ben") == "away"
    assert afterwards(heard, clock, "anna") == ["here", "here", "quiet", "quiet", "away"]


def test_after_a_restart_nobody_was_silent_before_there_was_time_to_come_back():
    clock = Clock()

    assert afterwards(Heard(clock), clock, "anna") == ["here", "here", "quiet", "quiet", "away"]


def test_when_the_server_wakes_every_silence_begins_anew():
    clock = Clock()
    heard = Heard(clock)
    heard.hear("anna")
    for seconds in (QUIET_AFTER - 0.1, AWAY_AFTER, 3600):
        clock.wind(seconds)
        clock.stand_still()

        for key in ("anna", "ben"):
            assert heard.nearness(key) == "here"
    assert afterwards(heard, clock, "anna") == ["here", "here", "quiet", "quiet", "away"]


def afterwards(heard: Heard, clock: Clock, key: str) -> list[str]:
    """How near the player is at once, before and at the end of each time of silence."""
    told, began = [], clock()
    for seconds in (0, QUIET_AFTER - 0.1, QUIET_AFTER, AWAY_AFTER - 0.1, AWAY_AFTER):
        clock.now = began + seconds
        told.append(str(heard.nearness(key)))
    return told


def test_who_does_not_sit_here_any_more_is_forgotten():
    clock, room = Clock(), Evening(RU_3).room
    heard = Heard(clock)
    clock.wind(100)
    for key in ("0", "gone"):
        heard.hear(key)

    heard.forget_others(room)

    assert heard.nearness("0") == "here"
    assert heard.nearness("gone") == "away"


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
