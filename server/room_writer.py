"""Who writes one room: judge, store, evolve, show, in this order and one thing at a time."""

import logging
from collections.abc import Mapping

from msgspec import Struct

from engine.cards import Seat
from engine.commands import Command, ForgetDiscard, TakeSeat
from engine.decide import decide
from engine.events import Undone
from engine.history import AskId
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from server.asked import Outcome
from server.chairs import seat_of
from server.clocks import PUT_OFF
from server.consent import Proposal
from server.house import command_for
from server.identity import key_of
from server.inbox import Arriving, Asking
from server.limits import Account
from server.log import Conflict, LogFailed
from server.protocol import Answer, CallBack, Claim, Talk, Wish, Withdraw
from server.room_log import RoomStopped
from server.stage import Stage

log = logging.getLogger(__name__)

TRIES = 5
"""Times that an ask is judged while somebody else keeps writing first."""


class _By(Struct, frozen=True):
    """What leads to an entry: an ask, if it was one, and the account that pays for it."""

    ask: AskId | None = None
    account: Account | None = None


class _RaceLost(Exception):  # noqa: N818  # reads as what is the case
    """Somebody else wrote first, again and again."""


class Writer:
    """The one writer of one room on this server; one task calls it.

    What it raises beside what is said here is a fault of ours, and the room may be half changed.
    """

    def __init__(self, stage: Stage, profiles: Mapping[str, Profile]) -> None:
        self._stage = stage
        self._log = stage.log
        self._clocks = stage.clocks
        self._talk = stage.talk
        self._audience = stage.audience
        self._profiles = profiles

    async def outcome(self, asking: Asking) -> Outcome:
        """What comes of an ask; it is remembered. Its device holds a seat.

        Raises:
            RoomStopped: the log, read again, does not fit together.
            LogFailed: the log cannot be read again now.
        """
        ask, held, asked = asking.ask, asking.held, self._log.asked
        ask_id = AskId(held[0], ask.id)
        by = _By(ask_id, asking.attendee.account)
        for _ in range(TRIES):
            if (known := asked.answer_to(ask.id, held)) is not None:  # by whoever won the race
                return known
            seat = seat_of(self._log.room, asking.facing)
            acted = Reason.NOT_SEATED if seat is None else await self._act(seat, ask.action, by)
            if acted is not None:
                asked.answered(ask_id, acted)
                return acted
        raise _RaceLost

    async def admit(self, arriving: Arriving) -> Reason | None:
        """Who arrives has a chair, or the table is asked for one; otherwise why not.

        Raises:
            RoomStopped: the log, read again, does not fit together.
            LogFailed: the log cannot be read again now.
        """
        hello, account = arriving.hello, arriving.account
        outcome: Outcome | None = None
        for _ in range(TRIES):
            if seat_of(self._log.room, key_of(hello.token)) is not None:
                return None
            if isinstance(hello, Claim):
                made = self._talk.claim(hello, self._log.past, self._log.room, account)
                outcome = made if isinstance(made, Reason) else self._log.past.seq
            else:
                sits = TakeSeat(name=hello.name, key=key_of(hello.token), seat=hello.seat)
                outcome = await self._do(sits, _By(account=account))
            if outcome is not None:
                return outcome if isinstance(outcome, Reason) else None
        raise _RaceLost

    async def time_is_up(self, at: float) -> None:
        """What had run out by `at` has its consequence.

        Raises:
            RoomStopped: the log, read again, does not fit together.
            LogFailed: the log cannot be read again now.
        """
        self._clocks.look(at)
        if self._clocks.discard_is_over(at):
            await self._do(ForgetDiscard(), _By())
        self._talk.weigh(self._stage.is_here, self._audience.is_heard)
        for proposal in self._talk.due(self._stage.is_here, self._stage.is_away, at):
            self._talk.put_off(proposal, PUT_OFF)  # unless it can be stored
            try:
                outcome = await self._do(proposal.effect(), _By(account=proposal.account), proposal)
            except Exception:
                self._talk.give_up(proposal)  # or it would fail again and again
                raise
            if outcome in (Reason.TOO_MANY, Reason.ROOM_FULL):
                self._talk.settle(proposal, "lapsed")
        self._stage.refresh()

    async def _act(self, seat: Seat, wish: Wish, by: _By) -> Outcome | None:
        """What `seat` wishes is done, or put to the others; None: judge again."""
        if isinstance(wish, Talk):
            return await self._put_to_table(seat, wish, by)
        deals = self._clocks.anybody_deals
        command = command_for(wish, seat, self._log.room, self._profiles, anybody_deals=deals)
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
                made = self._talk.answer(seat, wish, self._stage.is_here)
            case Withdraw():
                made = self._talk.withdraw(seat, wish)
            case proposing:
                past = self._log.past
                made = self._talk.propose(proposing, seat, past, self._log.room, by.account)
        if isinstance(made, Reason):
            return made
        if made is not None and not self._talk.waits(made):
            return await self._do(made.effect(), by, made)
        self._stage.refresh()
        return self._log.past.seq

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
        facts = (effect,) if isinstance(effect, Undone) else decide(self._log.room, effect)
        if isinstance(facts, Rejected):
            return facts.reason
        before, seq = self._log.room, self._log.past.seq + 1
        try:
            entry = await self._log.write(facts, by.ask, by.account)
        except LogFailed as error:
            log.error("room %s: entry %d was not stored: %s", self._log.code, seq, error)  # noqa: TRY400
            return Reason.NOT_STORED
        except Conflict:
            log.warning("room %s: somebody else wrote entry %d first", self._log.code, seq)
            await self.read_again()
            self.show_again()
            return None
        if isinstance(entry, Reason):
            return entry
        if proposal is not None:
            self._talk.settle(proposal, "agreed")
        if entry is not None:
            self._clocks.follow(self._log.past)
            self._talk.happened(entry.happened, before, self._log.past)
            self._stage.show(entry.happened, whole=entry.undone is not None)
        return self._log.past.seq

    async def read_again(self) -> None:
        """The room is as it is in the log; nothing is merged.

        Raises:
            RoomStopped: the log does not fit together, or has lost what was shown.
            LogFailed: the log cannot be read now.
        """
        if not await self._log.read():
            raise RoomStopped(f"room {self._log.code} is stopped: its log is gone")

    def show_again(self) -> None:
        """Everybody sees the room as it was read."""
        self._clocks.follow(self._log.past)
        self._talk.refresh(self._log.past)
        self._stage.show(whole=True)
