"""Where a room stands: one type per phase, and a field exists only while it means something."""

from msgspec import Struct

from engine.cards import Card, Seat, Suit
from engine.events import (
    Call,
    CardsDealt,
    DealScored,
    DealVoided,
    Gift,
    PlayedCard,
    Standing,
    TakeBackMode,
)
from engine.profile import Profile


class Player(Struct, frozen=True):
    """A person on a chair. `key` recognises the player's token."""

    name: str
    key: str
    ready: bool = False


class Game(Struct, frozen=True, kw_only=True):
    """What lasts from deal to deal. `dealer` is the running deal's, or the next one's."""

    number: int
    profile: Profile
    standings: tuple[Standing, ...]
    dealer: Seat
    at: int | None = None
    """When it began, in seconds since 1970; None: not known."""
    sheet: tuple[DealScored, ...] = ()


class Deal(Struct, frozen=True, kw_only=True):
    """What is settled for the rest of a deal, but for the hands."""

    dealt: CardsDealt
    calls: tuple[Call, ...] = ()
    talon: tuple[Card, ...] = ()
    """The talon that was taken."""
    talon_shown: bool = False
    gifts: tuple[Gift, ...] = ()
    laid_away: tuple[Card, ...] = ()
    unused: tuple[Card, ...] = ()
    """Cards left in a talon that was not chosen."""

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats that play, forehand first."""
        return self.dealt.order


class Trick(Struct, frozen=True):
    """A finished trick."""

    cards: tuple[PlayedCard, ...]
    winner: Seat


class MeldMade(Struct, frozen=True):
    """A meld of this deal; no suit: the four aces."""

    seat: Seat
    suit: Suit | None
    points: int


class Gathering(Struct, frozen=True):
    """Chairs are filled; no game has begun."""


class Between(Struct, frozen=True, kw_only=True):
    """No deal runs: the dealer is to deal."""

    game: Game
    last_trick: Trick | None = None
    voided: DealVoided | None = None


class Auction(Struct, frozen=True, kw_only=True):
    """Seats speak in turn. `turn` is None once nobody is left to speak."""

    game: Game
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    turn: Seat | None


class TakingTalon(Struct, frozen=True, kw_only=True):
    """The declarer is to turn and take the talon."""

    game: Game
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    declarer: Seat
    bid: int


class Exchanging(Struct, frozen=True, kw_only=True):
    """The declarer holds the talon and is to give or lay away."""

    game: Game
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    declarer: Seat
    bid: int


class Contracting(Struct, frozen=True, kw_only=True):
    """The declarer is to keep or raise the bid."""

    game: Game
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    declarer: Seat
    bid: int


class Playing(Struct, frozen=True, kw_only=True):
    """Cards fall. Points, tricks and melds are kept by seat."""

    game: Game
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    declarer: Seat | None
    contract: int | None
    turn: Seat | None
    """Who is to play; None: the trick is full."""
    points: tuple[int, ...]
    """Card points in tricks won."""
    tricks: tuple[int, ...]
    trump: Suit | None = None
    trick: tuple[PlayedCard, ...] = ()
    last_trick: Trick | None = None
    melds: tuple[MeldMade, ...] = ()


class Conceded(Struct, frozen=True, kw_only=True):
    """The declarer gave up; only the settlement is missing."""

    game: Game
    deal: Deal
    declarer: Seat
    contract: int


class Forgotten(Struct, frozen=True, kw_only=True):
    """The declarer forgot to lay away; only the settlement is missing."""

    game: Game
    deal: Deal
    declarer: Seat
    bid: int


class Over(Struct, frozen=True, kw_only=True):
    """Somebody has won; or nobody, where the table ended the game."""

    game: Game
    winners: tuple[Seat, ...]
    last_trick: Trick | None = None


InDeal = Auction | TakingTalon | Exchanging | Contracting | Playing
Phase = Gathering | Between | InDeal | Conceded | Forgotten | Over


class Room(Struct, frozen=True, kw_only=True):
    """A table: chairs, what the next game is played by, and where the game stands."""

    profile: Profile
    players: tuple[Player | None, ...]
    first_dealer: Seat | None = None
    take_back: TakeBackMode = "ask"
    games: int = 0
    phase: Phase = Gathering()


def game_of(room: Room) -> Game | None:
    """The game that runs or was played last; None before the first."""
    return None if isinstance(room.phase, Gathering) else room.phase.game
