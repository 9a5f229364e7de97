"""The scene of a room, shown again only where it has changed, and timed by what runs out next."""

import pytest

from engine.cards import Seat
from server.audience import Attendee, Audience
from server.clocks import Clocks
from server.log import MemoryLog
from server.outbox import Outbox
from server.protocol import EndGame, Proposals, Update
from server.room_log import RoomLog
from server.stage import Stage
from server.table_talk import TableTalk
from tests.server.clock import Clock
from tests.server.phones import CODE, running, started, store_room

ALONE = 10.0


class Watched(Stage):
    """A stage without a keeper, and a watcher before it."""

    def __init__(self, log: RoomLog, clock: Clock) -> None:
        self.rings: list[float | None] = []
        audience = Audience(clock)
        super().__init__(
            log=log,
            clocks=Clocks(clock, ALONE),
            talk=TableTalk(clock, audience.tell),
            audience=audience,
            clock=clock,
            ring_at=self.rings.append,
        )
        self.clocks.follow(log.past)
        self.outbox = Outbox()
        audience.enter(Attendee(self.outbox), self.scene)
        self.refresh()
        self.outbox._take()  # noqa: SLF001  # what was shown to begin with

    def shown(self) -> list[type]:
        """What was shown since the last look."""
        return [type(message) for message in self.outbox._take()]  # noqa: SLF001


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def stage(clock: Clock) -> Watched:
    """Of a room that waits for the dealer."""
    events = MemoryLog()
    await store_room(events)
    async with running(events) as keeper:
        await started(keeper)
    log = RoomLog(CODE, events)
    assert await log.read()
    return Watched(log, clock)


async def test_what_time_changes_is_shown_once(stage: Watched, clock: Clock):
    stage.refresh()
    assert stage.shown() == []

    clock.wind(ALONE)
    stage.clocks.look(clock())
    stage.refresh()
    assert stage.shown() == [Update]
    stage.refresh()
    assert stage.shown() == []


async def test_what_waits_for_consent_is_shown_once(stage: Watched):
    stage.talk.propose(EndGame(), Seat(0), stage.log.past, stage.log.room)
    stage.refresh()
    assert stage.shown() == [Proposals]
    stage.refresh()
    assert stage.shown() == []


async def test_it_says_when_the_next_of_all_runs_out(stage: Watched, clock: Clock):
    assert stage.rings == [clock() + ALONE]

    clock.wind(ALONE)
    stage.clocks.look(clock())
    stage.refresh()
    assert stage.rings[-1] is None

    stage.talk.propose(EndGame(), Seat(0), stage.log.past, stage.log.room)
    stage.refresh()
    assert stage.rings[-1] == stage.talk.next_end()
