"""What can have happened in a room. The tags are permanent: old logs must load for ever.

Every number that matters stands in the event, so that `evolve` only copies and no later change of
rules rewrites an old evening.
"""

from typing import Literal

from msgspec import Struct

from engine.cards import Card, Seat, Suit
from engine.profile import Profile


class Standing(Struct, frozen=True, kw_only=True):
    """What stands on the sheet for one seat, in points and counts."""

    score: int = 0
    bolts: int = 0
    barrel: int | None = None
    """Counted deals on the barrel; None: not on it."""
    concessions: int = 0
    falls: int = 0


class Gift(Struct, frozen=True):
    """A card and the defender who is to get it."""

    to: Seat
    card: Card


class Call(Struct, frozen=True):
    """What a seat said in the auction: points, or None for a pass."""

    seat: Seat
    points: int | None


class PlayedCard(Struct, frozen=True):
    """A card in a trick and who laid it."""

    seat: Seat
    card: Card


Cause = Literal[
    "contract_made",
    "contract_failed",
    "points",
    "virgin",
    "income",
    "concession_pay",
    "concession_cost",
    "forgotten",
    "barrel_keeps",
    "lock_keeps",
    "bolts",
    "reset",
    "barrel_stop",
    "barrel_fall",
    "sent_off",
    "falls_to_zero",
]
"""Why a total changed."""


class Change(Struct, frozen=True):
    """One step of a settlement: `points` were added to the total because of `cause`."""

    cause: Cause
    points: int


Role = Literal["declarer", "defender", "sitter", "player"]
"""What a seat was in a deal; `player` where nobody declares."""


Outcome = Literal["played", "conceded", "thrown_in", "forgotten"]


class Line(Struct, frozen=True, kw_only=True):
    """What one deal wrote for one seat. The changes lead from `before` to `after`."""

    seat: Seat
    role: Role
    cards: int
    """Card points, with laid-away and out-of-play cards that came to this seat."""
    melds: int
    """Points of melds that count."""
    tricks: int
    changes: tuple[Change, ...]
    before: Standing
    after: Standing

    @property
    def raw(self) -> int:
        """Points before any rounding."""
        return self.cards + self.melds


class Event(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A fact."""


# The table.


class RoomOpened(Event, frozen=True, kw_only=True, tag="room_opened"):
    """Somebody opened a table."""

    profile: Profile


class ProfileChosen(Event, frozen=True, kw_only=True, tag="profile_chosen"):
    """The next game is played by `profile`."""

    profile: Profile


class PlayerSeated(Event, frozen=True, kw_only=True, tag="player_seated"):
    """A player took a chair. `key` recognises the player's token and does not reveal it.

    `agreed` vouched for a player who came into a running game.
    """

    seat: Seat
    name: str
    key: str
    agreed: tuple[Seat, ...] = ()


class PlayersMoved(Event, frozen=True, kw_only=True, tag="players_moved"):
    """The chairs `a` and `b` changed what sits on them."""

    a: Seat
    b: Seat


class PlayerLeft(Event, frozen=True, kw_only=True, tag="player_left"):
    """A chair is free again."""

    seat: Seat


class PlayerKicked(Event, frozen=True, kw_only=True, tag="player_kicked"):
    """The table took a chair from a player: `by` asked for it and `agreed` consented."""

    seat: Seat
    by: Seat
    agreed: tuple[Seat, ...]


class SeatHandedOver(Event, frozen=True, kw_only=True, tag="seat_handed_over"):
    """Another device is this player now; the token before is void. `agreed` vouched for it."""

    seat: Seat
    key: str
    agreed: tuple[Seat, ...]


class ReadySet(Event, frozen=True, kw_only=True, tag="ready_set"):
    """A player is ready for the next game, or no longer."""

    seat: Seat
    ready: bool


class FirstDealerChosen(Event, frozen=True, kw_only=True, tag="first_dealer_chosen"):
    """Who deals first in the next game; None: the lot decides."""

    dealer: Seat | None


TakeBackMode = Literal["off", "ask", "free"]
"""May decisions be taken back: never, with the others' consent, or one's own last one at once."""


class TakeBackChosen(Event, frozen=True, kw_only=True, tag="take_back_chosen"):
    """Whether decisions may be taken back at this table."""

    mode: TakeBackMode


class GameStarted(Event, frozen=True, kw_only=True, tag="game_started"):
    """A game began from nothing, under this very profile whatever the files say later.

    `at`: when, in seconds since 1970, by the house's clock, to be shown and for nothing else;
    None: not known.
    """

    number: int
    profile: Profile
    dealer: Seat
    by_lot: bool
    at: int | None
    standings: tuple[Standing, ...]


# A deal.


class CardsDealt(Event, frozen=True, kw_only=True, tag="cards_dealt"):
    """`deck` was dealt out. `order` are the seats that play, forehand first."""

    dealer: Seat
    sitter: Seat | None
    order: tuple[Seat, ...]
    deck: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    talons: tuple[tuple[Card, ...], ...]
    opens: Literal["auction", "play"]


class BidPlaced(Event, frozen=True, kw_only=True, tag="bid_placed"):
    """A call. `next` speaks then; None: the auction is over."""

    seat: Seat
    points: int
    next: Seat | None


class Passed(Event, frozen=True, kw_only=True, tag="passed"):
    """A final pass. `next` speaks then; None: the auction is over."""

    seat: Seat
    next: Seat | None


class AuctionWon(Event, frozen=True, kw_only=True, tag="auction_won"):
    """The last one left is declarer at what was said."""

    declarer: Seat
    points: int


class TalonTaken(Event, frozen=True, kw_only=True, tag="talon_taken"):
    """The declarer turned talon number `talon` and took its cards; `shown`: for everybody."""

    seat: Seat
    talon: int
    cards: tuple[Card, ...]
    shown: bool


class CardsGiven(Event, frozen=True, kw_only=True, tag="cards_given"):
    """One card face down to each defender."""

    seat: Seat
    gifts: tuple[Gift, ...]


class CardsLaidAway(Event, frozen=True, kw_only=True, tag="cards_laid_away"):
    """The declarer put cards face down aside."""

    seat: Seat
    cards: tuple[Card, ...]


class ContractSet(Event, frozen=True, kw_only=True, tag="contract_set"):
    """The declarer undertakes `points` and leads to the first trick."""

    seat: Seat
    points: int


class CardPlayed(Event, frozen=True, kw_only=True, tag="card_played"):
    """A card laid to the trick. `next` plays then; None: the trick is full."""

    seat: Seat
    card: Card
    next: Seat | None


class MarriageMelded(Event, frozen=True, kw_only=True, tag="marriage_melded"):
    """A marriage was announced; its suit is trump at once."""

    seat: Seat
    suit: Suit
    points: int


class AcesMelded(Event, frozen=True, kw_only=True, tag="aces_melded"):
    """The four aces were announced; trump stays as it is."""

    seat: Seat
    points: int


class TrickTaken(Event, frozen=True, kw_only=True, tag="trick_taken"):
    """The trick went to `seat`, with `points` in its cards. The winner leads."""

    seat: Seat
    points: int


# How a deal ends.


class DealVoided(Event, frozen=True, kw_only=True, tag="deal_voided"):
    """Nothing is written; the same dealer deals again.

    `cards` were shown: the nines of `seat`, or the talon. By agreement: `seat` asked for it.
    """

    reason: Literal["four_nines", "weak_talon", "agreed"]
    seat: Seat | None
    cards: tuple[Card, ...]
    agreed: tuple[Seat, ...] = ()


class DealConceded(Event, frozen=True, kw_only=True, tag="deal_conceded"):
    """The declarer gave the deal up at a contract of `points`."""

    seat: Seat
    points: int


class DiscardForgotten(Event, frozen=True, kw_only=True, tag="discard_forgotten"):
    """The declarer's time to lay away ran out."""

    seat: Seat


class DealScored(Event, frozen=True, kw_only=True, tag="deal_scored"):
    """What the deal wrote, a line for each seat, and who deals next."""

    number: int
    outcome: Outcome
    dealer: Seat
    declarer: Seat | None
    contract: int | None
    made: bool | None
    lines: tuple[Line, ...]
    next_dealer: Seat


class GameWon(Event, frozen=True, kw_only=True, tag="game_won"):
    """The game is over; more than one winner share it."""

    winners: tuple[Seat, ...]


class GameEnded(Event, frozen=True, kw_only=True, tag="game_ended"):
    """The table ended the game with the standings as they are; nobody has won.

    `by` asked for it and `agreed` consented.
    """

    by: Seat
    agreed: tuple[Seat, ...]


class Undone(Event, frozen=True, kw_only=True, tag="undone"):
    """No decision of the game after entry `back_to` counts any longer; chairs stay as they are.

    `by` asked for it and `agreed` consented. It speaks of entries and not of the room, so `evolve`
    knows nothing of it.
    """

    back_to: int
    by: Seat
    agreed: tuple[Seat, ...]


AnyEvent = (
    RoomOpened
    | ProfileChosen
    | PlayerSeated
    | PlayersMoved
    | PlayerLeft
    | PlayerKicked
    | SeatHandedOver
    | ReadySet
    | FirstDealerChosen
    | TakeBackChosen
    | GameStarted
    | CardsDealt
    | BidPlaced
    | Passed
    | AuctionWon
    | TalonTaken
    | CardsGiven
    | CardsLaidAway
    | ContractSet
    | CardPlayed
    | MarriageMelded
    | AcesMelded
    | TrickTaken
    | DealVoided
    | DealConceded
    | DiscardForgotten
    | DealScored
    | GameWon
    | GameEnded
)
