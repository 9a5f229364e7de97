"""The keeper of one room: judge, store, evolve, show, in this order and one ask at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence

from msgspec import Struct

from engine.cards import Seat
from engine.commands import Command, ForgetDiscard, TakeSeat
from engine.decide import decide
from engine.events import AnyEvent, Undone
from engine.history import AskId, Past
from engine.lobby import game_runs
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Room
from server.asked import Outcome
from server.audience import Attendee, Audience
from server.chairs import seat_of
from server.clocks import PUT_OFF, Clocks
from server.consent import Proposal
from server.house import command_for
from server.identity import key_of
from server.limits import Account
from server.log import Conflict, EventLog, LogFailed
from server.protocol import (
    Answer,
    Ask,
    CallBack,
    Claim,
    Close,
    Done,
    Join,
    Refused,
    Seen,
    Talk,
    Wish,
    Withdraw,
)
from server.room_log import RoomFailed, RoomLog, RoomStopped
from server.shown import Scene, is_covered
from server.table_talk import TableTalk
from server.turns import Turns
from server.waking import GRACE, Alarm, Clock

log = logging.getLogger(__name__)

DEALER_ALONE = 10.0
"""Seconds for which only the dealer's phone deals (DEAL-3)."""

INBOX = 256
"""Asks that may wait in one room; more make their senders wait."""

TRIES = 5
"""Times that an ask is judged while somebody else keeps writing first."""

FAULTS = 3
"""Faults of ours, with nothing done well between them, that stop a room."""


class _Asking(Struct, frozen=True):
    """An ask, and with whose eyes its device looked when it came."""

    attendee: Attendee
    facing: str | None
    ask: Ask


class _Arriving(Struct, frozen=True):
    """A hello that needs a chair, and where its answer is awaited."""

    hello: Join | Claim
    account: Account | None
    admitted: asyncio.Future[Reason | None]


class _By(Struct, frozen=True):
    """What leads to an entry: an ask, if it was one, and the account that pays for it."""

    ask: AskId | None = None
    account: Account | None = None


class _TimeIsUp(Struct, frozen=True):
    """Something in the room may have run out by the moment `at`.

    Whatever came until then stands before it in the inbox. What runs out while the room is busy is
    not judged yet: what speaks against it may stand behind.
    """

    at: float


class _RaceLost(Exception):  # noqa: N818  # reads as what is the case
    """Somebody else wrote first, again and again."""


class RoomKeeper:
    """The one writer of one room on this server.

    Only `run` changes the room. Everybody else puts something into the inbox.
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
        self._profiles = profiles
        self._epoch = epoch
        self._now = clock
        self._audience = Audience(self._now, code)
        self._talk = TableTalk(self._now, self._audience.tell)
        self._clocks = Clocks(self._now, dealer_alone)
        self._alarm = Alarm(self._now, self.ring)
        self._rung = False
        self._faults = 0
        """How many there were since something was done well."""
        self._inbox: asyncio.Queue[_Asking | _Arriving | _TimeIsUp] = asyncio.Queue(INBOX)
        self._passing_shown = (False, False)
        self._waiting_shown: tuple[object, ...] = ((), ())

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
        self._refresh()
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
            match await self._inbox.get():
                case _Asking() as asking:
                    await self._answer(asking)
                case _Arriving() as arriving:
                    await self._admit(arriving)
                case _TimeIsUp(at=at):
                    self._rung = False
                    if not await self._goes_well(self._time_is_up(at)):
                        self._goes_on()
        raise RoomFailed(
            f"room {self.code} is stopped after entry {self.seq}, which is in the log: "
            f"{FAULTS} times in a row the server failed"
        )

    async def ask(self, attendee: Attendee, ask: Ask) -> None:
        """`ask` will be answered, once, in the attendee's outbox."""
        await self._inbox.put(_Asking(attendee, attendee.facing, ask))

    async def admit(self, hello: Join | Claim, account: Account | None = None) -> Reason | None:
        """A chair for the token of `hello`, or the table is asked for one; otherwise why not.

        `account` pays for it.

        Raises:
            RoomStopped: the room was closed before it could answer.
        """
        admitted: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        if self.closed_with is None:
            await self._inbox.put(_Arriving(hello, account, admitted))
        if self.closed_with is not None:  # perhaps while the inbox was full
            _fail(admitted, self.code)
        return await admitted

    def seat_of(self, token: str) -> Seat | None:
        """Where whoever has `token` sits; None: nowhere."""
        return seat_of(self.state, key_of(token))

    def key_on(self, seat: Seat | None, keys: tuple[str, ...]) -> str | None:
        """The one of `keys` that sits on `seat`; None: none of them does."""
        sits = (key for key in keys if seat is not None and seat_of(self.state, key) == seat)
        return next(sits, None)

    def enter(self, attendee: Attendee, seen: Seen | None = None) -> None:
        """`attendee` sees the room, now and after every change."""
        self._audience.enter(attendee, self._scene(), seen, self._epoch)

    def leave(self, attendee: Attendee) -> None:
        """The connection of `attendee` is gone."""
        self._audience.leave(attendee)

    def hear(self, attendee: Attendee) -> None:
        """The device of `attendee` said something."""
        self._audience.hear(attendee)

    def face(self, attendee: Attendee, seat: Seat | None) -> None:
        """`attendee` looks with the eyes of `seat`, if it may."""
        self._audience.face(attendee, seat, self._scene())

    def look_around(self) -> None:
        """Everybody sees who is near, if that has changed; absence may complete a consent."""
        self._audience.show_presence(self._scene())
        if self._talk.is_ripe(self._is_here, self._audience.is_heard, self._now() - GRACE):
            self.ring(self._now() - GRACE)

    def ring(self, at: float) -> None:
        """Time has passed: what had run out by `at` will have its consequence."""
        if self._rung:
            return
        if self._inbox.full():  # the act that somebody waits for may be among what waits
            self._alarm.set(self._now() + PUT_OFF)
        else:
            self._rung = True
            self._inbox.put_nowait(_TimeIsUp(at))

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`; whoever still waits or comes learns it too."""
        self.closed_with = code
        self._log.past = Past()
        self._alarm.set(None)
        self._audience.close(code)
        while not self._inbox.empty():
            if isinstance(waiting := self._inbox.get_nowait(), _Arriving):
                _fail(waiting.admitted, self.code)

    # The one writer.

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
            await self._read_again()
            return False
        return True

    def _goes_on(self) -> None:
        """Everybody sees the room as it was read after a fault; without that it has to stop."""
        try:
            self._show_again()
        except Exception:
            log.exception("room %s cannot be shown at entry %d", self.code, self.seq)
            self._faults = FAULTS

    async def _answer(self, asking: _Asking) -> None:
        """Done or refused in the attendee's outbox; under a known id the same as before."""
        attendee, facing, ask = asking.attendee, asking.facing, asking.ask
        held = attendee.keys if facing is None else (facing, *attendee.keys)
        asked, proposals = self._log.asked, self._talk.open

        async def judged() -> None:
            attendee.outbox.post(_answer_to(ask, await self._outcome(asking, held)))

        if await self._goes_well(judged()):
            return
        outcome = asked.answer_to(ask.id, held)
        if outcome is None:  # it was not stored
            outcome = Reason.FAILED if self._talk.reset(proposals) else self.seq
            asked.answered(AskId(held[0], ask.id), outcome)
        self._goes_on()
        self._audience.tell(_answer_to(ask, outcome), to=[attendee])

    async def _outcome(self, asking: _Asking, held: tuple[str, ...]) -> Outcome:
        """What comes of an ask by a device that has the seats of the keys it `held`."""
        ask, facing = asking.ask, asking.facing
        if not held:
            return Reason.NOT_SEATED
        ask_id, asked = AskId(held[0], ask.id), self._log.asked
        by = _By(ask_id, asking.attendee.account)
        for _ in range(TRIES):
            if (known := asked.answer_to(ask.id, held)) is not None:
                return known
            seat = seat_of(self.state, facing)
            acted = Reason.NOT_SEATED if seat is None else await self._act(seat, ask.action, by)
            if acted is not None:
                asked.answered(ask_id, acted)
                self._faults = 0
                return acted
        raise _RaceLost

    async def _act(self, seat: Seat, wish: Wish, by: _By) -> Outcome | None:
        """What `seat` wishes is done, or put to the others; None: judge again."""
        if isinstance(wish, Talk):
            return await self._put_to_table(seat, wish, by)
        deals = self._clocks.anybody_deals
        command = command_for(wish, seat, self.state, self._profiles, anybody_deals=deals)
        if isinstance(command, Rejected):
            return command.reason
        return await self._do(command, by)

    async def _put_to_table(self, seat: Seat, wish: Talk, by: _By) -> Outcome | None:
        """What concerns the others too is done, once they agree; until then it is open."""
        match wish:
            case CallBack():
                command = self._talk.calling_back(wish, seat)
                return command if isinstance(command, Reason) else await self._do(command, by)
            case Answer():
                made = self._talk.answer(seat, wish, self._is_here)
            case Withdraw():
                made = self._talk.withdraw(seat, wish)
            case proposing:
                past = self._log.past
                made = self._talk.propose(proposing, seat, past, self.state, by.account)
        if isinstance(made, Reason):
            return made
        if made is not None and not self._talk.waits(made):
            return await self._do(made.effect(), by, made)
        self._refresh()
        return self.seq

    async def _admit(self, arriving: _Arriving) -> None:
        """The answer to an arrival, whatever happens to the room meanwhile."""
        hello, admitted, proposals = arriving.hello, arriving.admitted, self._talk.open

        async def judged() -> None:
            reason = await self._admitted(hello, arriving.account)
            if not admitted.done():
                admitted.set_result(reason)
            self._refresh()

        try:
            if not await self._goes_well(judged()):
                sits = self.seat_of(hello.token) is not None
                if not admitted.done():
                    admitted.set_result(None if sits else Reason.FAILED)
                    self._talk.reset(proposals)
                self._goes_on()
        finally:
            _fail(admitted, self.code)

    async def _admitted(self, hello: Join | Claim, account: Account | None) -> Reason | None:
        outcome: Outcome | None = None
        for _ in range(TRIES):
            if self.seat_of(hello.token) is not None:
                return None
            if isinstance(hello, Claim):
                made = self._talk.claim(hello, self._log.past, self.state, account)
                outcome = made if isinstance(made, Reason) else self.seq
            else:
                sits = TakeSeat(name=hello.name, key=key_of(hello.token), seat=hello.seat)
                outcome = await self._do(sits, _By(account=account))
            if outcome is not None:
                self._faults = 0
                return outcome if isinstance(outcome, Reason) else None
        raise _RaceLost

    async def _do(
        self, effect: Command | Undone, by: _By, proposal: Proposal | None = None
    ) -> Outcome | None:
        """Judge, store, evolve, show; `proposal` is what was agreed to. None: judge again.

        What changes nothing is done already. If storing fails nothing was shown to anybody, so
        nobody has to be told that what they saw was not so.

        Raises:
            RoomStopped: somebody else wrote first, and the log read again does not fit together.
            LogFailed: somebody else wrote first, and the log cannot be read again now.
        """
        facts = (effect,) if isinstance(effect, Undone) else decide(self.state, effect)
        if isinstance(facts, Rejected):
            return facts.reason
        before, seq = self.state, self.seq + 1
        try:
            entry = await self._log.write(facts, by.ask, by.account)
        except LogFailed as error:
            log.error("room %s: entry %d was not stored: %s", self.code, seq, error)  # noqa: TRY400
            return Reason.NOT_STORED
        except Conflict:
            log.warning("room %s: somebody else wrote entry %d first", self.code, seq)
            await self._read_again()
            self._show_again()
            return None
        if isinstance(entry, Reason):
            return entry
        if proposal is not None:
            self._talk.settle(proposal, "agreed")
        if entry is not None:
            self._clocks.follow(self._log.past)
            self._talk.happened(entry.happened, before, self._log.past)
            self._show(entry.happened, whole=entry.undone is not None)
        return self.seq

    async def _read_again(self) -> None:
        """The room is as it is in the log; nothing is merged."""
        if not await self._log.read():
            raise RoomStopped(f"room {self.code} is stopped: its log is gone")

    def _show_again(self) -> None:
        """Everybody sees the room as it was read."""
        self._clocks.follow(self._log.past)
        self._talk.refresh(self._log.past)
        self._show(whole=True)

    def _scene(self) -> Scene:
        return Scene(
            room=self.state,
            past=self._log.past,
            now=self._now(),
            anybody_deals=self._clocks.anybody_deals,
            reopenable=self._talk.reopenable,
            clock=self._clocks.discard_ends,
            proposals=self._talk.open,
            kicked=self._talk.kicked,
        )

    def _show(self, facts: Sequence[AnyEvent] = (), *, whole: bool = False) -> None:
        """Everybody sees the room as it is after `facts`."""
        scene = self._scene()
        self._passing_shown = _passing(scene)
        self._audience.show(scene, facts, whole=whole)
        self._refresh()

    def _refresh(self) -> None:
        """Everybody sees what changes without an entry, if it has; the alarm is set anew."""
        scene = self._scene()
        if _passing(scene) != self._passing_shown:
            self._passing_shown = _passing(scene)
            self._audience.show(scene)
        if _waiting(scene) != self._waiting_shown:
            self._waiting_shown = _waiting(scene)
            self._audience.show_proposals(scene)
        ends = (self._clocks.next_end, self._talk.next_end())
        self._alarm.set(min((end for end in ends if end is not None), default=None))

    async def _time_is_up(self, at: float) -> None:
        """What had run out by `at` has its consequence."""
        self._clocks.look(at)
        if self._clocks.discard_is_over(at):
            await self._do(ForgetDiscard(), _By())
        self._talk.weigh(self._is_here, self._audience.is_heard)
        for proposal in self._talk.due(self._is_here, self._is_away, at):
            self._talk.put_off(proposal, self._now() + PUT_OFF)  # unless it can be stored
            try:
                outcome = await self._do(proposal.effect(), _By(account=proposal.account), proposal)
            except Exception:
                self._talk.give_up(proposal)  # or it would fail again and again
                raise
            if outcome in (Reason.TOO_MANY, Reason.ROOM_FULL):
                self._talk.settle(proposal, "lapsed")
        self._refresh()

    def _is_here(self, seat: Seat) -> bool:
        return self._audience.nearness(self._scene(), seat) == "here"

    def _is_away(self, seat: Seat) -> bool:
        return self._audience.nearness(self._scene(), seat) == "away"


def _passing(scene: Scene) -> tuple[bool, bool]:
    """What time alone changes in the views."""
    return scene.anybody_deals, scene.reopenable


def _waiting(scene: Scene) -> tuple[object, ...]:
    """What waits for somebody, and for how long."""
    return scene.proposals, scene.kicked


def _answer_to(ask: Ask, outcome: Outcome) -> Done | Refused:
    if isinstance(outcome, Reason):
        return Refused(id=ask.id, reason=outcome)
    return Done(id=ask.id, seq=outcome)


def _fail(admitted: asyncio.Future[Reason | None], code: str) -> None:
    if not admitted.done():
        admitted.set_exception(RoomStopped(f"room {code} is closed"))
