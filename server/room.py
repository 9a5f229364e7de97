"""The keeper of one room: judge, store, evolve, show, in this order and one ask at a time."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping

from engine.cards import Seat
from engine.commands import Command, ForgetDiscard, TakeSeat
from engine.decide import decide
from engine.events import AnyEvent, Undone
from engine.evolve import LogCorrupt
from engine.history import AskId, Entry, Past, past_of
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Between, Exchanging, Room
from server.audience import Attendee, Audience, seat_of
from server.consent import Proposal
from server.house import command_for
from server.identity import key_of
from server.log import Conflict, EventLog, LogFailed
from server.log.codec import EntryUnreadable, decode, encode
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
    Settled,
    Talk,
    Wish,
    Withdraw,
)
from server.shown import Scene
from server.table_talk import TableTalk

log = logging.getLogger(__name__)

DEALER_ALONE = 10.0
"""Seconds for which only the dealer's phone deals (DEAL-3)."""

ANSWERS_KEPT = 256
"""Answers without an entry that are remembered, so that a repeated ask is not judged again."""

INBOX = 256
"""Asks that may wait in one room; more make their senders wait."""

PUT_OFF = 1.0
"""Seconds after which the clock looks again, when what it has to say cannot be heard or stored."""

Outcome = int | Reason
"""The number of the entry that was stored, or why there is none."""


class RoomStopped(Exception):  # noqa: N818  # reads as what is the case
    """The room's log does not fit together. Nothing was touched; the operator has to look."""


class Alarm:
    """Something in the room has run out."""


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
        epoch: str = "",
    ) -> None:
        self.code = code
        self.visitors = 0
        """Connections that are in the room or at its door; the room stays in memory for them."""
        self.closed_with: Close | None = None
        self.restored: int | None = None
        """The last entry, if the log was cut after it and nothing was stored since."""
        self._events = events
        self._profiles = profiles
        self._dealer_alone = dealer_alone
        self._epoch = epoch
        self._now = asyncio.get_running_loop().time
        self._audience = Audience(self._now)
        self._talk = TableTalk(self._now, self._audience.tell)
        self._inbox: asyncio.Queue[
            tuple[Attendee, Ask] | tuple[Join | Claim, asyncio.Future[Reason | None]] | Alarm
        ]
        self._inbox = asyncio.Queue(INBOX)
        self._past = Past()
        self._done: dict[AskId, int] = {}
        self._answered: OrderedDict[AskId, Outcome] = OrderedDict()
        self._anybody_deals = False
        self._deal_opens: float | None = None
        self._discard_ends: float | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._talk_shown: tuple[object, ...] = ((), ())

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return self._past.seq

    @property
    def state(self) -> Room:
        """Where the room stands.

        Raises:
            RoomStopped: it was not loaded, or has stopped since.
        """
        if self._past.room is None:
            raise RoomStopped(f"room {self.code} is not loaded")
        return self._past.room

    async def load(self) -> bool:
        """The room is as the log says; False: the log knows no such room.

        Raises:
            RoomStopped: its entries cannot be read or do not follow each other.
            LogFailed: the log cannot be read now.
        """
        before, self._past = self._past, Past()
        stored = await self._events.read(self.code)
        try:
            entries = [decode(one) for one in stored]
            self._past = past_of(entries)
        except (EntryUnreadable, LogCorrupt) as error:
            raise RoomStopped(
                f"room {self.code} is stopped, its log was not touched: {error}"
            ) from error
        if self._past.room is None:
            return False
        self._done = {entry.ask: entry.seq for entry in entries if entry.ask is not None}
        self.restored = await self._events.mended(self.code)
        self._moved(before)
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
                case Join() | Claim() as wish, asyncio.Future() as seated:
                    await self._admit(wish, seated)
                case Alarm():
                    await self._alarmed()

    async def ask(self, attendee: Attendee, ask: Ask) -> None:
        """`ask` will be answered, once, in the attendee's outbox."""
        await self._inbox.put((attendee, ask))

    async def admit(self, wish: Join | Claim) -> Reason | None:
        """A chair for the token of `wish`, or the table is asked for one; otherwise why not.

        Raises:
            RoomStopped: the room was closed before it could answer.
        """
        if self.closed_with is not None:
            raise RoomStopped(f"room {self.code} is closed")
        admitted: asyncio.Future[Reason | None] = asyncio.get_running_loop().create_future()
        await self._inbox.put((wish, admitted))
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
        """Everybody sees who is near, if that has changed."""
        if self._past.room is not None:
            self._audience.show_presence(self._scene())

    def close(self, code: Close) -> None:
        """Every connection is closed with `code`; whoever still waits or comes learns it too."""
        self.closed_with = code
        self._past = Past()
        if self._alarm is not None:
            self._alarm.cancel()
        self._audience.close(code)
        while not self._inbox.empty():
            match self._inbox.get_nowait():
                case (Join() | Claim(), asyncio.Future() as admitted):
                    _fail(admitted, self.code)

    # The one writer.

    async def _answer(self, attendee: Attendee, ask: Ask) -> None:
        """Done or refused in the attendee's outbox; under a known id the same as before."""
        outcome = await self._outcome(attendee.facing, ask)
        if isinstance(outcome, Reason):
            attendee.outbox.post(Refused(id=ask.id, reason=outcome))
        else:
            attendee.outbox.post(Done(id=ask.id, seq=outcome))

    async def _outcome(self, key: str | None, ask: Ask) -> Outcome:
        if key is None:
            return Reason.NOT_SEATED
        ask_id = AskId(key, ask.id)
        while True:
            known = self._done.get(ask_id) or self._answered.get(ask_id)
            if known is not None:
                return known
            seat = seat_of(self.state, key)
            if seat is None:
                return Reason.NOT_SEATED
            outcome = await self._act(seat, ask.action, ask_id)
            if outcome is not None:
                self._remember(ask_id, outcome)
                return outcome

    async def _act(self, seat: Seat, wish: Wish, ask: AskId) -> Outcome | None:
        """What `seat` wishes is done, or put to the others; None: judge again."""
        if isinstance(wish, Talk):
            return await self._settle(seat, wish, ask)
        command = command_for(
            wish, seat, self.state, self._profiles, anybody_deals=self._anybody_deals
        )
        if isinstance(command, Rejected):
            return command.reason
        return await self._handle(command, ask)

    async def _settle(self, seat: Seat, wish: Talk, ask: AskId) -> Outcome | None:
        """What concerns the others too is done, once they agree; until then it is open."""
        match wish:
            case CallBack(seat=chair):
                kicked = next((one for one in self._talk.kicked if one.seat == chair), None)
                if kicked is None:
                    return Reason.TOO_LATE
                return await self._handle(TakeSeat(kicked.name, kicked.key, chair, (seat,)), ask)
            case Answer():
                made: Proposal | Undone | Reason = self._talk.answer(seat, wish)
            case Withdraw():
                made = self._talk.withdraw(seat, wish)
            case _:
                made = self._talk.propose(wish, seat, self._past, self.state)
        match made:
            case Undone():
                outcome = await self._store((made,), ask)
                if isinstance(outcome, int):
                    self._audience.tell(_taken_back(made.by))
                return outcome
            case Proposal() if made.is_agreed:
                return await self._carry_out(made, ask)
            case Proposal():
                self._show_talk()
                return self.seq
            case refused:
                return refused

    async def _carry_out(self, proposal: Proposal, ask: AskId | None) -> Outcome | None:
        """What the table agreed to is done."""
        effect = proposal.effect()
        if isinstance(effect, Undone):
            return await self._store((effect,), ask, proposal)
        return await self._handle(effect, ask, proposal)

    def _remember(self, ask: AskId, outcome: Outcome) -> None:
        # What failed for want of disk space may be asked again under the same id.
        if ask in self._done or outcome is Reason.NOT_STORED:
            return
        self._answered[ask] = outcome
        if len(self._answered) > ANSWERS_KEPT:
            self._answered.popitem(last=False)

    async def _admit(self, wish: Join | Claim, admitted: asyncio.Future[Reason | None]) -> None:
        """The wish's answer in `admitted`, whatever happens to the room meanwhile."""
        try:
            reason = await self._admitted(wish)
        except Exception:
            _fail(admitted, self.code)
            raise
        if not admitted.cancelled():
            admitted.set_result(reason)

    async def _admitted(self, wish: Join | Claim) -> Reason | None:
        if isinstance(wish, Claim):
            if self.seat_of(wish.token) is not None:
                return None
            made = self._talk.claim(wish, self._past, self.state)
            self._show_talk()
            return made if isinstance(made, Reason) else None
        command = TakeSeat(name=wish.name, key=key_of(wish.token), seat=wish.seat)
        while self.seat_of(wish.token) is None:
            outcome = await self._handle(command, None)
            if isinstance(outcome, Reason):
                return outcome
        return None

    async def _handle(
        self, command: Command, ask: AskId | None, proposal: Proposal | None = None
    ) -> Outcome | None:
        """Judge, then store. None: somebody else wrote first, so judge again.

        Raises:
            RoomStopped: the log, read again, does not fit together.
        """
        decision = decide(self.state, command)
        if isinstance(decision, Rejected):
            return decision.reason
        return await self._store(decision, ask, proposal)

    async def _store(
        self,
        facts: tuple[AnyEvent | Undone, ...],
        ask: AskId | None,
        proposal: Proposal | None = None,
    ) -> Outcome | None:
        """Store, evolve, show; `proposal` is what was agreed to.

        If storing fails nothing was shown to anybody, so nobody has to be told that what they saw
        was not so.
        """
        entry = Entry(seq=self.seq + 1, facts=facts, ask=ask)
        try:
            await self._events.append(self.code, entry.seq, encode(entry))
        except LogFailed as error:
            log.error("room %s: entry %d was not stored: %s", self.code, entry.seq, error)  # noqa: TRY400
            return Reason.NOT_STORED
        except Conflict:
            log.warning("room %s: somebody else wrote entry %d first", self.code, entry.seq)
            return await self._reload()
        before, self._past = self._past, self._past.after(entry)
        if ask is not None:
            self._done[ask] = entry.seq
        self.restored = None
        if proposal is not None:
            self._talk.settle(proposal, "agreed")
        self._talk.happened(facts, before.room, self._past)
        self._moved(before)
        self._audience.show(self._scene(), entry.happened, whole=entry.undone is not None)
        self._show_talk()
        return entry.seq

    async def _reload(self) -> Reason | None:
        """The room as it is in the log, shown to everybody; nothing is merged."""
        try:
            await self.load()
        except LogFailed:
            raise RoomStopped(f"room {self.code} could not be read again") from None
        self._talk.refresh(self._past)
        self._audience.show(self._scene(), whole=True)
        self._show_talk()
        return None

    def _scene(self) -> Scene:
        return Scene(
            past=self._past,
            now=self._now(),
            anybody_deals=self._anybody_deals,
            reopenable=self._talk.reopenable,
            clock=self._discard_ends,
            proposals=self._talk.open,
            kicked=self._talk.kicked,
        )

    def _show_talk(self) -> None:
        """Everybody sees what waits for consent, if that has changed."""
        now = (self._talk.open, self._talk.kicked)
        if now != self._talk_shown:
            self._talk_shown = now
            self._audience.show_proposals(self._scene())
        self._wind()

    # Time. The engine has none; what runs out here begins again after a restart.

    def _moved(self, before: Past) -> None:
        """The clocks run for the phase as it is; who sits where is no new phase.

        One for the dealer alone, one for a declarer who may forget to lay away.
        """
        phase = self.state.phase
        if before.room is not None and before.room.phase is phase:
            return
        self._anybody_deals, self._deal_opens, self._discard_ends = False, None, None
        match phase:
            case Between():
                self._deal_opens = self._now() + self._dealer_alone
            case Exchanging(game=game) if seconds := _discard_seconds(game.profile):
                self._discard_ends = self._now() + seconds
            case _:
                pass
        self._wind()

    def _wind(self) -> None:
        """The alarm rings at the next moment at which something runs out."""
        if self._alarm is not None:
            self._alarm.cancel()
        ends = (self._deal_opens, self._discard_ends, self._talk.next_end())
        at = min((end for end in ends if end is not None), default=None)
        loop = asyncio.get_running_loop()
        self._alarm = None if at is None else loop.call_at(at, self._ring)

    def _ring(self) -> None:
        if self._inbox.full():  # the act that somebody waits for may be among what waits
            self._alarm = asyncio.get_running_loop().call_later(PUT_OFF, self._ring)
        else:
            self._inbox.put_nowait(Alarm())

    async def _alarmed(self) -> None:
        """What has run out has its consequence."""
        now = self._now()
        if self._discard_ends is not None and self._discard_ends <= now:
            self._discard_ends = now + PUT_OFF  # unless it can be stored
            await self._handle(ForgetDiscard(), None)
        if self._deal_opens is not None and self._deal_opens <= now:
            self._anybody_deals, self._deal_opens = True, None
        for proposal in self._talk.ended(self._is_away):
            self._talk.put_off(proposal, now + PUT_OFF)  # unless it can be stored
            await self._carry_out(proposal, None)
        self._audience.show(self._scene())
        self._show_talk()

    def _is_away(self, seat: Seat) -> bool:
        return self._audience.is_away(self._scene(), seat)


def _taken_back(by: Seat) -> Settled:
    """Nobody had to be asked; everybody is told."""
    return Settled(kind="take_back", by=by, seat=None, name="", outcome="agreed")


def _discard_seconds(profile: Profile) -> int:
    """Seconds to lay away by this profile (EXCH-7); 0: for ever."""
    return profile.exchange.discard_seconds if profile.exchange else 0


def _fail(admitted: asyncio.Future[Reason | None], code: str) -> None:
    if not admitted.done():
        admitted.set_exception(RoomStopped(f"room {code} is closed"))
