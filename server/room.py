"""The keeper of one room: judge, store, evolve, show, in this order and one ask at a time."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping

from engine.commands import Command, ForgetDiscard, TakeSeat
from engine.decide import decide
from engine.evolve import LogCorrupt, evolve, fold
from engine.history import AskId, Entry
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Between, Exchanging, Room
from server.audience import Attendee, Audience, seat_of
from server.house import command_for
from server.identity import key_of
from server.log import Conflict, EventLog, LogFailed
from server.log.codec import EntryUnreadable, decode, encode
from server.protocol import Ask, Close, Done, Join, Refused

log = logging.getLogger(__name__)

DEALER_ALONE = 10.0
"""Seconds for which only the dealer's phone deals (DEAL-3)."""

REFUSALS_KEPT = 64
"""Refusals that are remembered, so that a repeated ask is answered and not judged again."""

INBOX = 256
"""Asks that may wait in one room; more make their senders wait."""

PUT_OFF = 1.0
"""Seconds after which the clock looks again, when what it has to say cannot be heard or stored."""

Outcome = int | Reason
"""The number of the entry that was stored, or why there is none."""


class RoomStopped(Exception):  # noqa: N818  # reads as what is the case
    """The room's log does not fit together. Nothing was touched; the operator has to look."""


class RoomKeeper:
    """The one writer of one room on this server.

    Only `run` changes the room. Everybody else puts something into the inbox.
    """

    def __init__(
        self,
        code: str,
        events: EventLog,
        profiles: Mapping[str, Profile],
        dealer_alone: float = DEALER_ALONE,
    ) -> None:
        self.code = code
        self.audience = Audience()
        self.seq = 0
        """The number of the last entry."""
        self.visitors = 0
        """Connections that are in the room or at its door; the room stays in memory for them."""
        self.closed_with: Close | None = None
        self._events = events
        self._profiles = profiles
        self._dealer_alone = dealer_alone
        self._inbox: asyncio.Queue[
            tuple[Attendee, Ask] | tuple[Join, asyncio.Future[Reason | None]] | int
        ]
        self._inbox = asyncio.Queue(INBOX)
        self._state: Room | None = None
        self._done: dict[AskId, int] = {}
        self._refused: OrderedDict[AskId, Reason] = OrderedDict()
        self._anybody_deals = False
        self._clock: asyncio.TimerHandle | None = None

    @property
    def state(self) -> Room:
        """Where the room stands.

        Raises:
            RoomStopped: it was not loaded, or has stopped since.
        """
        if self._state is None:
            raise RoomStopped(f"room {self.code} is not loaded")
        return self._state

    async def load(self) -> bool:
        """The room is as the log says; False: the log knows no such room.

        Raises:
            RoomStopped: its entries cannot be read or do not follow each other.
            LogFailed: the log cannot be read now.
        """
        self._state = None
        stored = await self._events.read(self.code)
        try:
            entries = [decode(one) for one in stored]
            self._state = fold(fact for entry in entries for fact in entry.facts)
        except (EntryUnreadable, LogCorrupt) as error:
            raise RoomStopped(
                f"room {self.code} is stopped, its log was not touched: {error}"
            ) from error
        if self._state is None:
            return False
        self.seq = len(entries)
        self._done = {entry.ask: entry.seq for entry in entries if entry.ask is not None}
        self._set_clock()
        return True

    async def run(self) -> None:
        """Answer what comes into the inbox, until cancelled or until the room has to stop.

        Raises:
            RoomStopped: the log, read again after a lost race, does not fit together.
        """
        while True:
            match await self._inbox.get():
                case Attendee() as attendee, Ask() as ask:
                    await self._answer(attendee, ask)
                case Join() as join, asyncio.Future() as seated:
                    await self._seat(join, seated)
                case int(seq) if seq == self.seq:  # a clock ran out, and nothing happened since
                    await self._time_out()

    async def ask(self, attendee: Attendee, ask: Ask) -> None:
        """`ask` will be answered, once, in the attendee's outbox."""
        await self._inbox.put((attendee, ask))

    async def join(self, join: Join) -> Reason | None:
        """A chair for the join's token, unless it has one; otherwise why there is none.

        Raises:
            RoomStopped: the room was closed before it could answer.
        """
        if self.closed_with is not None:
            raise RoomStopped(f"room {self.code} is closed")
        seated: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        await self._inbox.put((join, seated))
        return await seated

    def knows(self, token: str) -> bool:
        """Whether somebody sits here with `token`."""
        return seat_of(self.state, key_of(token)) is not None

    def enter(self, attendee: Attendee) -> None:
        """`attendee` sees the room, now and after every change."""
        self.audience.enter(attendee, self.state, self.seq, anybody_deals=self._anybody_deals)

    def leave(self, attendee: Attendee) -> None:
        """The connection of `attendee` is gone."""
        if self._state is not None:
            self.audience.leave(attendee, self._state)

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`; whoever still waits or comes learns it too."""
        self.closed_with = code
        self._state = None
        self._stop_clock()
        self.audience.close(code)
        while not self._inbox.empty():
            match self._inbox.get_nowait():
                case (Join(), asyncio.Future() as seated):
                    _fail(seated, self.code)

    # The one writer.

    async def _answer(self, attendee: Attendee, ask: Ask) -> None:
        """Done or refused in the attendee's outbox; under a known id the same as before."""
        outcome = await self._outcome(attendee.key, ask)
        if isinstance(outcome, Reason):
            attendee.outbox.post(Refused(id=ask.id, reason=outcome))
        else:
            attendee.outbox.post(Done(id=ask.id, seq=outcome))

    async def _outcome(self, key: str | None, ask: Ask) -> Outcome:
        if key is None:
            return Reason.NOT_SEATED
        ask_id = AskId(key, ask.id)
        while True:
            known = self._done.get(ask_id) or self._refused.get(ask_id)
            if known is not None:
                return known
            seat = seat_of(self.state, key)
            if seat is None:
                return Reason.NOT_SEATED
            command = command_for(
                ask.action, seat, self.state, self._profiles, anybody_deals=self._anybody_deals
            )
            if isinstance(command, Rejected):
                return self._refuse(ask_id, command.reason)
            outcome = await self._handle(command, ask_id)
            if isinstance(outcome, Reason):
                return self._refuse(ask_id, outcome)
            if outcome is not None:
                return outcome

    def _refuse(self, ask_id: AskId, reason: Reason) -> Reason:
        # What failed for want of disk space may be asked again under the same id.
        if reason is not Reason.NOT_STORED:
            self._refused[ask_id] = reason
            if len(self._refused) > REFUSALS_KEPT:
                self._refused.popitem(last=False)
        return reason

    async def _seat(self, join: Join, seated: asyncio.Future[Reason | None]) -> None:
        """The join's answer in `seated`, whatever happens to the room meanwhile."""
        command = TakeSeat(name=join.name, key=key_of(join.token), seat=join.seat)
        outcome: Outcome | None = None
        try:
            while not isinstance(outcome, Reason) and not self.knows(join.token):
                outcome = await self._handle(command, None)
        except Exception:
            _fail(seated, self.code)
            raise
        if not seated.cancelled():
            seated.set_result(outcome if isinstance(outcome, Reason) else None)

    async def _handle(self, command: Command, ask: AskId | None) -> Outcome | None:
        """Judge, store, evolve, show. None: somebody else wrote first, so judge again.

        If storing fails nothing was shown to anybody, so nobody has to be told that what they saw
        was not so.

        Raises:
            RoomStopped: the log, read again, does not fit together.
        """
        state = self.state
        decision = decide(state, command)
        if isinstance(decision, Rejected):
            return decision.reason
        entry = Entry(seq=self.seq + 1, facts=decision, ask=ask)
        try:
            await self._events.append(self.code, entry.seq, encode(entry))
        except LogFailed as error:
            log.error("room %s: entry %d was not stored: %s", self.code, entry.seq, error)  # noqa: TRY400
            return Reason.NOT_STORED
        except Conflict:
            log.warning("room %s: somebody else wrote entry %d first", self.code, entry.seq)
            return await self._reload()
        for fact in decision:
            state = evolve(state, fact)
        self._state, self.seq = state, entry.seq
        if ask is not None:
            self._done[ask] = entry.seq
        self._set_clock()
        self.audience.show(state, self.seq, decision, anybody_deals=self._anybody_deals)
        return entry.seq

    async def _reload(self) -> Reason | None:
        """The room as it is in the log, shown to everybody; nothing is merged."""
        try:
            await self.load()
        except LogFailed:
            raise RoomStopped(f"room {self.code} could not be read again") from None
        self.audience.show(self.state, self.seq, (), anybody_deals=self._anybody_deals)
        return None

    # Time. The engine has none; what runs out here begins again after a restart.

    def _set_clock(self) -> None:
        """One clock at most: for the dealer alone, or for a declarer who may forget to lay away."""
        self._stop_clock()
        match self.state.phase:
            case Between():
                self._clock = self._after(self._dealer_alone, self._open_deal)
            case Exchanging(game=game) if seconds := _discard_seconds(game.profile):
                self._clock = self._after(seconds, self._forget_discard, self.seq)

    def _after(self, seconds: float, act: Callable[..., None], *given: int) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, act, *given)

    def _open_deal(self) -> None:
        self._anybody_deals = True
        self.audience.show(self.state, self.seq, (), anybody_deals=True)

    def _forget_discard(self, seq: int) -> None:
        if self._inbox.full():  # the declarer's own act may be among what waits: look again
            self._clock = self._after(PUT_OFF, self._forget_discard, seq)
        else:
            self._inbox.put_nowait(seq)

    async def _time_out(self) -> None:
        """The declarer has forgotten to lay away (EXCH-7)."""
        if await self._handle(ForgetDiscard(), None) is Reason.NOT_STORED:
            self._clock = self._after(PUT_OFF, self._forget_discard, self.seq)

    def _stop_clock(self) -> None:
        self._anybody_deals = False
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


def _discard_seconds(profile: Profile) -> int:
    """Seconds to lay away by this profile (EXCH-7); 0: for ever."""
    return profile.exchange.discard_seconds if profile.exchange else 0


def _fail(seated: asyncio.Future[Reason | None], code: str) -> None:
    if not seated.done():
        seated.set_exception(RoomStopped(f"room {code} is closed"))
