"""What the players of one room settle among themselves: proposals, answers, second chances."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import TakeSeat
from engine.events import AnyEvent, GameEnded, GameWon, PlayerKicked
from engine.history import Past
from engine.rejections import Reason
from engine.state import Room
from server.chairs import seat_of
from server.consent import Asks, Outcome, Proposal, Reopening, up_to_date
from server.identity import key_of
from server.limits import Account
from server.proposing import claimed, proposed
from server.protocol import Answer, CallBack, Claim, Proposing, Reopen, Settled, Withdraw
from server.shown import Kicked
from server.waking import Clock

CALL_BACK_FOR = 60.0
"""Seconds for which a kicked player can be called back."""

REOPEN_FOR = 60.0
"""Seconds for which a finished game can go on."""


class TableTalk:
    """The open proposals of a room, and what may be made good for a while.

    It tells what came of each through `tell`. Its moments are those of `clock`.
    """

    def __init__(self, clock: Clock, tell: Callable[[Settled], None]) -> None:
        self._clock = clock
        self._tell = tell
        self._proposals = OpenProposals()
        self._kicked: dict[Seat, Kicked] = {}
        self._reopenable_until = 0.0

    @property
    def open(self) -> tuple[Proposal, ...]:
        """What waits for consent."""
        return tuple(self._proposals)

    @property
    def kicked(self) -> tuple[Kicked, ...]:
        """Who can be called back."""
        return tuple(one for one in self._kicked.values() if one.until > self._clock())

    @property
    def reopenable(self) -> bool:
        """Whether the game ended so short a time ago that it may go on."""
        return self._clock() < self._reopenable_until

    @property
    def may_go_on(self) -> bool:
        """Whether a finished game may still be reopened, or waits for the last consent to it."""
        return self.reopenable or any(isinstance(one, Reopening) for one in self.open)

    def next_end(self) -> float | None:
        """The next moment at which something lapses."""
        ends = [proposal.next_end for proposal in self.open]
        ends += [one.until for one in self.kicked]
        if self.reopenable:
            ends.append(self._reopenable_until)
        return min(ends, default=None)

    def propose(
        self, wish: Proposing, seat: Seat, past: Past, room: Room, account: Account | None = None
    ) -> Proposal | Reason:
        """The proposal, open now unless it is agreed already; or why there is none.

        `account` pays for what comes of it by time alone.
        """
        if isinstance(wish, Reopen) and not self.reopenable:
            return Reason.TOO_LATE
        made = proposed(wish, seat, past, room, self._clock())
        if isinstance(made, Reason) or made.is_agreed(_nobody, -inf):  # nobody has to be asked
            return made
        return self._opened(made, account)

    def claim(
        self, claim: Claim, past: Past, room: Room, account: Account | None = None
    ) -> Proposal | Reason:
        """The claim, open now, or still open under the same token; or why there is none.

        A device that asks for another chair instead has withdrawn its first claim.
        """
        known = self._proposals.claimed_by(key_of(claim.token))
        if known and known.seat == claim.seat:
            return known
        made = claimed(claim, past, room, self._clock())
        opened = made if isinstance(made, Reason) else self._opened(made, account)
        if known and not isinstance(opened, Reason):
            self.settle(known, "withdrawn")
        return opened

    def _opened(self, made: Proposal, account: Account | None) -> Proposal | Reason:
        if not self._proposals.has_place_for(made):
            return Reason.PROPOSAL_OPEN
        opened = replace(made, account=account)
        self._proposals.put(opened)
        return opened

    def calling_back(self, wish: CallBack, seat: Seat) -> TakeSeat | Reason:
        """How `seat` gives somebody who was just kicked the chair again."""
        for one in self.kicked:
            if one.seat == wish.seat:
                return TakeSeat(one.name, one.key, one.seat, (seat,))
        return Reason.TOO_LATE

    def answer(self, seat: Seat, answer: Answer, here: Asks) -> Proposal | Reason | None:
        """The proposal with the consent of `seat`; None: it is refused and open no longer.

        The last consent it needs is kept by whoever carries it out: until that is stored the
        proposal stays as it was.
        """
        proposal = self._proposals.get(answer.proposal)
        if proposal is None:
            return Reason.PROPOSAL_OVER
        if seat not in proposal.asked:
            return Reason.NOT_ASKED
        if not answer.agree:
            self.settle(proposal, "refused", seat)
            return None
        agreed = self._weighed(proposal.with_consent_of(seat), here)
        if not agreed.is_agreed(here, -inf):  # what time completes is due: a refusal may wait still
            self._proposals.put(agreed)
        return agreed

    def waits(self, proposal: Proposal) -> bool:
        """Whether `proposal` needs more consent than it has."""
        return self._proposals.get(proposal.id) == proposal

    def withdraw(self, seat: Seat, withdraw: Withdraw) -> Reason | None:
        """What `seat` proposed itself is open no longer; or why it still is."""
        proposal = self._proposals.get(withdraw.proposal)
        if proposal is None:
            return Reason.PROPOSAL_OVER
        if proposal.by != seat:
            return Reason.NOT_ASKED
        self.settle(proposal, "withdrawn")
        return None

    def put_off(self, proposal: Proposal, seconds: float) -> None:
        """The proposal does not lapse for so long."""
        self._proposals.put(proposal.kept(self._clock() + seconds))

    def reset(self, earlier: Sequence[Proposal]) -> bool:
        """Whether all is open that was so `earlier`, and as it was; what was opened since is not.

        What was settled since stays settled: everybody may have been told.
        """
        still = {proposal.id for proposal in self.open}
        for proposal in self.open:
            self._proposals.drop(proposal)
        for proposal in earlier:
            if proposal.id in still:
                self._proposals.put(proposal)
        return all(proposal.id in still for proposal in earlier)

    def give_up(self, proposal: Proposal) -> None:
        """The proposal is open no longer, agreed to or not."""
        if self._proposals.get(proposal.id) is not None:
            self.settle(proposal, "lapsed")

    def settle(self, proposal: Proposal, outcome: Outcome, who: Seat | None = None) -> None:
        """The proposal is open no longer, and everybody is told what came of it."""
        self._proposals.drop(proposal)
        self._tell(
            Settled(
                kind=proposal.kind,
                by=proposal.by,
                seat=proposal.seat,
                name=proposal.name,
                outcome=outcome,
                who=who,
            )
        )

    def happened(self, facts: Iterable[AnyEvent], before: Room | None, past: Past) -> None:
        """What `facts` changed for the table: proposals that they overtook are settled."""
        for fact in facts:
            match fact:
                case PlayerKicked(seat=seat) if before and (player := before.players[seat]):
                    self._kicked[seat] = Kicked(
                        seat=seat,
                        name=player.name,
                        key=player.key,
                        until=self._clock() + CALL_BACK_FOR,
                    )
                case GameWon() | GameEnded():
                    self._reopenable_until = self._clock() + REOPEN_FOR
                case _:
                    pass
        self.refresh(past)

    def refresh(self, past: Past) -> None:
        """Every proposal fits the room as it is; those that do not are settled."""
        for proposal in self.open:
            if fresh := up_to_date(proposal, past):
                self._proposals.put(fresh)
            else:
                self.settle(proposal, "overtaken")
        players = past.room.players if past.room else ()
        for seat, kicked in tuple(self._kicked.items()):
            gone = seat >= len(players) or players[seat] is not None
            if gone or (past.room and seat_of(past.room, kicked.key) is not None):
                del self._kicked[seat]

    def is_ripe(self, here: Asks, heard: Callable[[str], bool], at: float) -> bool:
        """Whether who is near changes what waits, or completes it with what was over by `at`."""
        return any(
            self._weighed(one, here) != one
            or one.is_agreed(here, at)
            or one.is_forsaken(heard, self._clock())
            for one in self.open
        )

    def weigh(self, here: Asks, heard: Callable[[str], bool]) -> None:
        """Every proposal is as those make it who are here now.

        Claims of devices that are gone are withdrawn: nobody blocks a chair from afar.
        """
        for proposal in self.open:
            if proposal.is_forsaken(heard, self._clock()):
                self.settle(proposal, "withdrawn")
            else:
                self._proposals.put(self._weighed(proposal, here))

    def due(self, here: Asks, away: Asks, at: float) -> Iterator[Proposal]:
        """The weighed proposals that count as agreed by the moment `at`.

        Others whose time was over then are settled. What is done between two of them may overtake
        the second.
        """
        for proposal_id in [one.id for one in self.open]:
            proposal = self._proposals.get(proposal_id)
            if proposal is None:
                continue
            over = proposal.until <= at
            agreed = proposal.is_agreed(here, at)
            if agreed or (over and proposal.at_the_end(away) == "agreed"):
                yield proposal
            elif over:
                self.settle(proposal, "lapsed")

    def _weighed(self, proposal: Proposal, here: Asks) -> Proposal:
        return proposal.weighed(here, self._clock(), self._clock.woke)


def _nobody(_seat: Seat) -> bool:
    return False


class OpenProposals:
    """The open proposals of one room: one by its players at a time, and one for each chair."""

    def __init__(self) -> None:
        self._open: dict[str, Proposal] = {}

    def __iter__(self) -> Iterator[Proposal]:
        return iter(tuple(self._open.values()))

    def get(self, proposal_id: str) -> Proposal | None:
        """The open proposal of that id."""
        return self._open.get(proposal_id)

    def put(self, proposal: Proposal) -> None:
        """It is open, in the state given."""
        self._open[proposal.id] = proposal

    def drop(self, proposal: Proposal) -> None:
        """It is open no longer."""
        self._open.pop(proposal.id, None)

    def has_place_for(self, proposal: Proposal) -> bool:
        """Whether nothing of its kind waits already."""
        if proposal.by is not None:
            return all(other.by is None for other in self)
        return all(other.by is not None or other.seat != proposal.seat for other in self)

    def claimed_by(self, key: str) -> Proposal | None:
        """The open claim of the device with `key`."""
        return next((one for one in self if one.is_from(None, key)), None)
