"""What waits for somebody's consent: who is asked, and what their answers come to.

Nothing here is stored. What the table agrees to becomes an entry of the log; everything else
leaves no trace, and a restart lets it lapse.
"""

from collections.abc import Callable, Iterator
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import Command, EndGame, HandOver, Kick, TakeSeat, VoidDeal
from engine.events import Undone
from engine.history import Past
from engine.lobby import game_runs
from engine.state import InDeal, Room
from engine.take_back import reopening
from server.chairs import player_on, seat_of
from server.limits import Account
from server.protocol import ProposalKind

PROPOSAL_LIVES = 20.0
"""Seconds to answer what a player proposes."""

CLAIM_LIVES = 120.0
"""Seconds to answer a device that asks for a chair: somebody has to look up from the game."""

Asks = Callable[[Seat], bool]
"""Says of a seat whether its player is away, or here."""

OBJECT_WITHIN = 6.0
"""Seconds for which the others may still refuse when somebody has vouched for a device."""

Outcome = Literal["agreed", "refused", "lapsed", "withdrawn", "overtaken"]


class Proposal(Struct, frozen=True, kw_only=True):
    """Something that the player `by` wants, or a device without a seat, known by its `key`.

    What it is about is bound to a place in the log: the table agrees to what it was shown.
    """

    id: str
    kind: ProposalKind
    by: Seat | None
    by_name: str = ""
    """A chair may change hands; what was proposed from it then falls."""
    seat: Seat | None = None
    """The chair in question, and with it `key` and `name` of who sits or would sit there."""
    key: str = ""
    name: str = ""
    sign: str = ""
    place: int = 0
    """The last decision, or for a deal its dealing, as the number of its entry."""
    back_to: int = 0
    """What a take-back would go back to."""
    asked: tuple[Seat, ...] = ()
    agreed: tuple[Seat, ...] = ()
    agreed_at: float | None = None
    """When the first of them agreed, by the room's clock."""
    freely: bool = False
    """Nobody has to be asked."""
    until: float
    """When it lapses, by the room's clock."""
    account: Account | None = None
    """Of the address that pays for what comes of it by time alone; None: of one without limits."""

    @property
    def enough(self) -> Literal["one", "all"]:
        """What all have built together takes all of them to undo; else one witness will do."""
        return "all" if self.kind in ("take_back", "void_deal", "reopen") else "one"

    def is_agreed(self, here: Asks, now: float) -> bool:
        """Whether those who have to agree have done so."""
        if self.freely:
            return True
        if self.by is None:
            return self._is_vouched_for(here, now)
        if self.enough == "one":
            return bool(self.agreed)
        return bool(self.asked) and set(self.agreed) >= set(self.asked)

    def _is_vouched_for(self, here: Asks, now: float) -> bool:
        """Whether a device without a seat gets the one it asks for.

        By the word of its player. A witness will do while nothing is heard of that player, and
        when everybody else who is `here` agrees too or lets the time to object go by: else
        somebody with two phones could look into any hand.
        """
        if self.seat in self.agreed:
            return True
        if self.agreed_at is None or (self.seat in self.asked and here(self.seat)):
            return False
        silent = all(seat in self.agreed or not here(seat) for seat in self.asked)
        return silent or now >= self.agreed_at + OBJECT_WITHIN

    def with_consent_of(self, seat: Seat, now: float) -> Self:
        """The proposal when `seat` has agreed."""
        return replace(
            self,
            agreed=(*(one for one in self.agreed if one != seat), seat),
            agreed_at=now if self.agreed_at is None else self.agreed_at,
        )

    def at_the_end(self, away: Asks) -> Outcome:
        """What it comes to when its time is over: whoever is away does not block the others.

        Where everybody is away who could agree, one may go on alone: end the game, or free the
        chair of somebody who is away too. No chair goes to a device without a witness.
        """
        if any(seat not in self.agreed and not away(seat) for seat in self.asked):
            return "lapsed"
        if self.agreed or self.kind == "end_game":
            return "agreed"
        if self.kind == "kick" and self.seat is not None and away(self.seat):
            return "agreed"
        return "lapsed"

    def effect(self) -> Command | Undone:
        """What is to happen once it is agreed to."""
        match self.kind, self.by, self.seat:
            case (("take_back" | "reopen"), int() as by, _):
                return Undone(back_to=self.back_to, by=by, agreed=self.agreed)
            case "void_deal", int() as by, _:
                return VoidDeal(by, self.agreed)
            case "end_game", int() as by, _:
                return EndGame(by, self.agreed)
            case "kick", int() as by, int() as seat:
                return Kick(seat, by, self.agreed)
            case "take_over", None, int() as seat:
                return HandOver(seat, self.key, self.agreed)
            case "sit_in", None, int() as seat:
                return TakeSeat(self.name, self.key, seat, self.agreed)
            case _:
                raise TypeError(f"no {self.kind} comes from {self.by} about {self.seat}")


def up_to_date(proposal: Proposal, past: Past) -> Proposal | None:
    """The proposal as the room is now; None: what it was about is no longer so."""
    room = past.room
    if room is None or not _still_open(proposal, past, room):
        return None
    silent = (proposal.by, proposal.seat if proposal.kind == "kick" else None)
    asked = tuple(
        Seat(index)
        for index, player in enumerate(room.players)
        if player is not None and index not in silent
    )
    agreed = tuple(seat for seat in proposal.agreed if seat in asked)
    return replace(
        proposal,
        asked=asked,
        agreed=agreed,
        agreed_at=proposal.agreed_at if agreed else None,
    )


def _still_open(proposal: Proposal, past: Past, room: Room) -> bool:
    if not _by_the_same(proposal, room):
        return False
    sits = player_on(room, proposal.seat)
    match proposal.kind:
        case "take_back":
            return past.place == proposal.place
        case "reopen":
            again = reopening(past)
            return getattr(again, "back_to", None) == proposal.back_to
        case "void_deal":
            return isinstance(room.phase, InDeal) and past.begun == proposal.place
        case "end_game":
            return game_runs(room)
        case "kick":
            return sits is not None and sits.key == proposal.key
        case "take_over":
            return sits is not None and sits.name == proposal.name
        case "sit_in":
            return sits is None and game_runs(room)


def _by_the_same(proposal: Proposal, room: Room) -> bool:
    """Whether who proposed it still sits there, or for a claim, still sits nowhere."""
    if proposal.by is None:
        return seat_of(room, proposal.key) is None
    proposer = player_on(room, proposal.by)
    return proposer is not None and proposer.name == proposal.by_name


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
        return next((one for one in self if one.by is None and one.key == key), None)
