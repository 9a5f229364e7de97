"""What a record says, as data: the header and then one statement after the other."""

from typing import Literal

from msgspec import Struct

from engine.cards import Card, Seat, Suit
from engine.commands import Act
from engine.events import Standing
from engine.profile import Profile
from engine.rejections import Reason


class Hand(Struct, frozen=True):
    """Who holds what after dealing, and the line that says so."""

    seat: Seat
    cards: tuple[Card, ...]
    line: int


class DealBlock(Struct, frozen=True):
    """The next deal: every card of the pack, each once."""

    hands: tuple[Hand, ...]
    talons: tuple[tuple[Card, ...], ...]


class Forgets(Struct, frozen=True):
    """The clock of a declarer who was to lay away ran out."""

    seat: Seat


Deed = Act | Forgets
"""What somebody does, or lets pass."""


class Refusal(Struct, frozen=True):
    """The claim that `deed` is refused because of `reason`."""

    deed: Deed
    reason: Reason


# Claims. Each says what is so at its place in the record; cards and seats stand in fixed order.

Count = Literal["scores", "bolts", "barrel", "concessions", "falls", "raw"]
Place = Literal["turn", "declarer", "dealer", "sitter"]
PhaseWord = Literal["auction", "exchange", "contract", "play", "between", "over"]
Ability = Literal["concede", "pass", "nines", "take"]


class CountsAre(Struct, frozen=True):
    """Numbers on the sheet, or `raw` points of the deal just ended; None: off the barrel."""

    what: Count
    numbers: tuple[tuple[Seat, int | None], ...]


class SeatIs(Struct, frozen=True):
    """Which seat has a part; None: no seat has it."""

    what: Place
    seat: Seat | None


class PhaseIs(Struct, frozen=True):
    """Where the deal stands."""

    phase: PhaseWord


class TrumpIs(Struct, frozen=True):
    """The trump of the running deal, or of the last one."""

    suit: Suit | None


class ContractIs(Struct, frozen=True):
    """The contract, or the highest call so far, of the running deal or the last one."""

    points: int | None


class CardsAre(Struct, frozen=True):
    """Exactly these cards may be played, or led with a meld, by `seat` now."""

    what: Literal["legal", "melds"]
    seat: Seat
    cards: tuple[Card, ...]


class BidsAre(Struct, frozen=True):
    """The least and the greatest call, or contract, open to `seat` now; None: no call is."""

    seat: Seat
    range: tuple[int, int] | None


class MayDo(Struct, frozen=True):
    """Whether `seat` may do it now."""

    seat: Seat
    ability: Ability
    may: bool


class WinnersAre(Struct, frozen=True):
    """Who has won; empty: nobody yet."""

    seats: tuple[Seat, ...]


Claim = (
    CountsAre | SeatIs | PhaseIs | TrumpIs | ContractIs | CardsAre | BidsAre | MayDo | WinnersAre
)


class Statement(Struct, frozen=True):
    """Something said after the header, and the line that says it."""

    line: int
    says: DealBlock | Deed | Refusal | Claim


class Header(Struct, frozen=True, kw_only=True):
    """Where a game begins. `profile` has its house rules set; the rest goes by seats."""

    profile: Profile
    names: tuple[str, ...]
    dealer: Seat
    standings: tuple[Standing, ...]


class Record(Struct, frozen=True):
    """A game that was read and not yet played."""

    header: Header
    statements: tuple[Statement, ...]
