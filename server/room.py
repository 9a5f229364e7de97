"""The keeper of one room: what comes in is done one by one, and a fault of ours is one answer."""

import logging
from collections.abc import Awaitable, Mapping

from engine.cards import Seat
from engine.history import AskId, Past
from engine.lobby import game_runs
from engine.profile import Profile
from engine.rejections import Reason
from engine.state import Room
from server.asked import Outcome
from server.audience import Attendee, Audience
from server.chairs import seat_of
from server.clocks import Clocks
from server.identity import key_of
from server.inbox import Arriving, Asking, Inbox, TimeIsUp
from server.limits import Account
from server.log import EventLog, LogFailed
from server.protocol import (
    Ask,
    Claim,
    Close,
    Done,
    Join,
    Refused,
    Seen,
)
from server.room_log import RoomFailed, RoomLog, RoomStopped
from server.room_writer import Writer
from server.shown import is_covered
from server.stage import Stage
from server.table_talk import TableTalk
from server.turns import Turns
from server.waking import GRACE, Clock

log = logging.getLogger(__name__)

DEALER_ALONE = 10.0
"""Seconds for which only the dealer's phone deals (DEAL-3)."""

FAULTS = 3
"""Faults of ours, with nothing done well between them, that stop a room."""


class RoomKeeper:
    """One room on this server, from when it is loaded until it is closed.

    Only `run` changes it, through its one writer. Everybody else puts something into the inbox.
    """

    def __init__(  # noqa: PLR0913  # what a room runs on, named
        self,
        code: str,
        events: EventLog,
        profiles: Mapping[str, Profile],
        *,
        dealer_alone: float = DEALER_ALONE,
        epoch: str = "",
        clock: Clock,
        turns: Turns | None = None,
    ) -> None:
        self.code = code
        self.visitors = 0
        """Connections that are in the room or at its door; the room stays in memory for them."""
        self.closed_with: Close | None = None
        self._log = RoomLog(code, events, turns)
        self._epoch = epoch
        self._now = clock
        self._audience = Audience(clock, code)
        self._talk = TableTalk(clock, self._audience.tell)
        self._clocks = Clocks(clock, dealer_alone)
        self._inbox = Inbox(code, clock)
        self._stage = Stage(
            log=self._log,
            clocks=self._clocks,
            talk=self._talk,
            audience=self._audience,
            clock=clock,
            ring_at=self._inbox.ring_at,
        )
        self._writer = Writer(self._stage, profiles)
        self._faults = 0
        """How many there were since something was done well."""

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self._log.past.seq

    @property
    def restored(self) -> int | None:
        """The last entry, if the log was cut after it and nothing was stored since."""
        return self._log.restored

    @property
    def state(self) -> Room:
        """Where the room stands.

        Raises:
            RoomStopped: it was not loaded, or has stopped since.
        """
        return self._log.room

    @property
    def covered(self) -> int | None:
        """The number of the game whose cards nobody may see all of: it runs, or may yet go on."""
        past = self._log.past
        covered = game_runs(self.state) or (self._talk.may_go_on and is_covered(past))
        return self.state.games if covered else None

    @property
    def may_rest(self) -> bool:
        """Whether nobody is here, and no cards lie covered by what is in memory alone."""
        return not self.visitors and not self._talk.may_go_on

    @property
    def watchers(self) -> int:
        """Connections of devices that have no seat here."""
        return self._audience.watchers

    async def load(self) -> bool:
        """The room is as the log says; False: the log knows no such room.

        Raises:
            RoomStopped: its entries cannot be read or do not follow each other.
            LogFailed: the log cannot be read now.
        """
        if not await self._log.read():
            return False
        self._clocks.follow(self._log.past)
        self._stage.refresh()
        return True

    async def run(self) -> None:
        """Answer what comes into the inbox, until cancelled or until the room has to stop.

        What fails by a fault of ours is answered too, and the room goes on from its log.

        Raises:
            RoomStopped: the log, read again, does not fit together or has lost what was shown.
            RoomFailed: there were too many faults in a row.
            LogFailed: the log cannot be read again now.
        """
        while self._faults < FAULTS:
            match await self._inbox.next():
                case Asking() as asking:
                    await self._answer(asking)
                case Arriving() as arriving:
                    await self._admit(arriving)
                case TimeIsUp(at=at):
                    if not await self._goes_well(self._writer.time_is_up(at)):
                        self._goes_on()
        raise RoomFailed(
            f"room {self.code} is stopped after entry {self.seq}, which is in the log: "
            f"{FAULTS} times in a row the server failed"
        )

    async def ask(self, attendee: Attendee, ask: Ask) -> None:
        """`ask` will be answered, once, in the attendee's outbox."""
        await self._inbox.ask(attendee, ask)

    async def admit(self, hello: Join | Claim, account: Account | None = None) -> Reason | None:
        """A chair for the token of `hello`, or the table is asked for one; otherwise why not.

        `account` pays for it.

        Raises:
            RoomStopped: the room was closed before it could answer.
        """
        return await self._inbox.admit(hello, account)

    def seat_of(self, token: str) -> Seat | None:
        """Where whoever has `token` sits; None: nowhere."""
        return seat_of(self.state, key_of(token))

    def key_on(self, seat: Seat | None, keys: tuple[str, ...]) -> str | None:
        """The one of `keys` that sits on `seat`; None: none of them does."""
        sits = (key for key in keys if seat is not None and seat_of(self.state, key) == seat)
        return next(sits, None)

    def enter(self, attendee: Attendee, seen: Seen | None = None) -> None:
        """`attendee` sees the room, now and after every change."""
        self._audience.enter(attendee, self._stage.scene, seen, self._epoch)

    def leave(self, attendee: Attendee) -> None:
        """The connection of `attendee` is gone."""
        self._audience.leave(attendee)

    def hear(self, attendee: Attendee) -> None:
        """The device of `attendee` said something."""
        self._audience.hear(attendee)

    def face(self, attendee: Attendee, seat: Seat | None) -> None:
        """`attendee` looks with the eyes of `seat`, if it may."""
        self._audience.face(attendee, seat, self._stage.scene)

    def look_around(self) -> None:
        """Everybody sees who is near, if that has changed; absence may complete a consent."""
        self._audience.show_presence(self._stage.scene)
        if self._talk.is_ripe(self._stage.is_here, self._audience.is_heard, self._now() - GRACE):
            self.ring(self._now() - GRACE)

    def ring(self, at: float) -> None:
        """Time has passed: what had run out by `at` will have its consequence."""
        self._inbox.ring(at)

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`; whoever still waits or comes learns it too."""
        self.closed_with = code
        self._log.past = Past()
        self._audience.close(code)
        self._inbox.close()

    # A fault of ours is one answer.

    async def _goes_well(self, work: Awaitable[None]) -> bool:
        """Whether `work` was done without a fault of ours; else the room was read from its log.

        Raises:
            RoomStopped: the log, read again, does not fit together or has lost what was shown.
            LogFailed: the log cannot be read again now.
        """
        try:
            await work
        except (RoomStopped, LogFailed):
            raise
        except Exception:
            log.exception("room %s failed at entry %d", self.code, self.seq)
            self._faults += 1
            await self._writer.read_again()
            return False
        return True

    def _goes_on(self) -> None:
        """Everybody sees the room as it was read after a fault; without that it has to stop."""
        try:
            self._writer.show_again()
        except Exception:
            log.exception("room %s cannot be shown at entry %d", self.code, self.seq)
            self._faults = FAULTS

    async def _answer(self, asking: Asking) -> None:
        """Done or refused in the attendee's outbox; under a known id the same as before."""
        attendee, ask, held = asking.attendee, asking.ask, asking.held
        asked, proposals = self._log.asked, self._talk.open
        if not held:
            self._audience.tell(_answer_to(ask, Reason.NOT_SEATED), to=[attendee])
            return

        async def judged() -> None:
            if (outcome := asked.answer_to(ask.id, held)) is None:
                outcome = await self._writer.outcome(asking)
                self._faults = 0
            attendee.outbox.post(_answer_to(ask, outcome))

        if await self._goes_well(judged()):
            return
        outcome = asked.answer_to(ask.id, held)
        if outcome is None:  # it was not stored
            outcome = Reason.FAILED if self._talk.reset(proposals) else self.seq
            asked.answered(AskId(held[0], ask.id), outcome)
        self._goes_on()
        self._audience.tell(_answer_to(ask, outcome), to=[attendee])

    async def _admit(self, arriving: Arriving) -> None:
        """The answer to an arrival, whatever happens to the room meanwhile."""
        token, proposals = arriving.hello.token, self._talk.open

        async def judged() -> None:
            reason = None
            if self.seat_of(token) is None:
                reason = await self._writer.admit(arriving)
                self._faults = 0
            arriving.answer(reason)
            self._stage.refresh()

        try:
            if not await self._goes_well(judged()):
                if not arriving.admitted.done():
                    arriving.answer(Reason.FAILED if self.seat_of(token) is None else None)
                    self._talk.reset(proposals)
                self._goes_on()
        finally:
            arriving.turn_away(self.code)


def _answer_to(ask: Ask, outcome: Outcome) -> Done | Refused:
    if isinstance(outcome, Reason):
        return Refused(id=ask.id, reason=outcome)
    return Done(id=ask.id, seq=outcome)
