"""What one viewer sees of a room.

A view names what it shows; whatever it does not name stays hidden.
A viewer is a seat, or None for the shared table screen and for watchers.
"""

from typing import assert_never

from msgspec import Struct

from engine import auction
from engine.cards import Card, Seat, Suit, pairs_in, sorted_hand
from engine.choices import NOTHING, Choices, choices_of
from engine.events import Call, DealScored, DealVoided, PlayedCard, TakeBackMode
from engine.history import TakenBack
from engine.lobby import game_runs
from engine.profile import Profile, Setting
from engine.state import (
    Auction,
    Between,
    Conceded,
    Contracting,
    Deal,
    Exchanging,
    Forgotten,
    Game,
    Gathering,
    InDeal,
    MeldMade,
    Over,
    Playing,
    Room,
    TakingTalon,
    Trick,
    game_of,
)

Viewer = Seat | None


class ProfileView(Struct, frozen=True, kw_only=True):
    """The rules of the table in the few numbers that screens show."""

    id: str
    version: int
    terms: str
    players: int
    clockwise: bool
    step: int | None
    target: int
    mark: int | None
    """The total of the barrel or the lock, in points."""
    barrel_deals: int | None
    """Deals a player may sit on the barrel; None: there is no barrel."""
    bolts: int | None
    """Bolts that cost a penalty; None: there are none."""
    marriages: dict[str, int]
    """Points by suit letter."""
    chosen: dict[str, Setting]


class PlayerView(Struct, frozen=True):
    """Who sits on a chair."""

    name: str
    ready: bool


class TableView(Struct, frozen=True, kw_only=True):
    """Chairs and the next game: the same for everybody but for `me`."""

    me: Seat | None
    players: tuple[PlayerView | None, ...]
    first_dealer: Seat | None
    take_back: TakeBackMode
    profile: ProfileView
    games: int
    running: bool
    """A game has begun that nobody has won yet."""
    may_start: bool


class SheetView(Struct, frozen=True, kw_only=True):
    """Every written deal of the game, the oldest first."""

    game: int
    profile: ProfileView
    """The rules of this game, whatever the next one is played by."""
    at: int | None
    """When the game began, in seconds since 1970; None: not known."""
    deals: tuple[DealScored, ...]
    taken_back: tuple[TakenBack, ...]
    """Where decisions were taken back."""


class SeatView(Struct, frozen=True, kw_only=True):
    """What stands by a seat in the running deal and on the sheet."""

    score: int
    bolts: int
    barrel: int | None
    concessions: int
    falls: int
    cards: int
    """Cards in the hand."""
    tricks: int
    points: int | None
    """Card points taken, where this viewer may know them."""
    passed: bool


class GiftView(Struct, frozen=True):
    """A card that was given; None: this viewer does not know which."""

    to: Seat
    card: Card | None


class BetweenView(Struct, frozen=True, tag="between", tag_field="type"):
    """The dealer is to deal."""

    last_trick: Trick | None
    voided: DealVoided | None


class AuctionView(Struct, frozen=True, tag="auction", tag_field="type"):
    """Seats call in turn."""

    calls: tuple[Call, ...]
    highest: Call | None


class TalonView(Struct, frozen=True, tag="talon", tag_field="type"):
    """The declarer is to turn a talon; `talons` counts the cards of each."""

    declarer: Seat
    bid: int
    calls: tuple[Call, ...]
    talons: tuple[int, ...]


class ExchangeView(Struct, frozen=True, tag="exchange", tag_field="type"):
    """The declarer is to give or lay away cards. An empty talon: this viewer may not see it."""

    declarer: Seat
    bid: int
    calls: tuple[Call, ...]
    talon: tuple[Card, ...]


class ContractView(Struct, frozen=True, tag="contract", tag_field="type"):
    """The declarer is to keep or raise."""

    declarer: Seat
    bid: int
    calls: tuple[Call, ...]
    talon: tuple[Card, ...]
    gifts: tuple[GiftView, ...]


class PlayView(Struct, frozen=True, tag="play", tag_field="type", kw_only=True):
    """Cards fall. `trick_number` counts the running trick from 1."""

    declarer: Seat | None
    contract: int | None
    talon: tuple[Card, ...]
    gifts: tuple[GiftView, ...]
    trump: Suit | None
    trick: tuple[PlayedCard, ...]
    last_trick: Trick | None
    melds: tuple[MeldMade, ...]
    trick_number: int
    trick_count: int


class OverView(Struct, frozen=True, tag="over", tag_field="type"):
    """The game is won; or, without winners, ended by the table."""

    winners: tuple[Seat, ...]
    last_trick: Trick | None


PhaseView = (
    BetweenView | AuctionView | TalonView | ExchangeView | ContractView | PlayView | OverView
)


class GameView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of the game.

    `deal` counts from 1; between deals it is the next one's.
    """

    number: int
    deal: int
    dealer: Seat
    sitter: Seat | None
    order: tuple[Seat, ...]
    """Who plays, forehand first; empty between deals."""
    turn: Seat | None
    """Who is to act; between deals the dealer."""
    seats: tuple[SeatView, ...]
    phase: PhaseView
    hand: tuple[Card, ...]
    pairs: tuple[Suit, ...]
    """Suits of which the hand holds king and queen."""
    laid_away: tuple[Card, ...]
    """What this viewer laid away."""
    may: Choices


def table_view(room: Room, viewer: Viewer) -> TableView:
    """The chairs and the rules as `viewer` sees them."""
    running = game_runs(room)
    seated = all(player is not None and player.ready for player in room.players)
    return TableView(
        me=viewer,
        players=tuple(
            PlayerView(player.name, player.ready) if player else None for player in room.players
        ),
        first_dealer=room.first_dealer,
        take_back=room.take_back,
        profile=profile_view(room.profile),
        games=room.games,
        running=running,
        may_start=viewer is not None and seated and not running,
    )


def profile_view(profile: Profile) -> ProfileView:
    """The numbers of `profile` that every screen shows."""
    bidding, barrel, lock, bolts = profile.auction, profile.barrel, profile.lock, profile.bolts
    return ProfileView(
        id=profile.id,
        version=profile.version,
        terms=profile.terms,
        players=profile.table.players,
        clockwise=profile.table.direction == "clockwise",
        step=bidding.step if bidding else None,
        target=profile.scoring.target,
        mark=barrel.at if barrel else lock.at if lock else None,
        barrel_deals=barrel.deals if barrel else None,
        bolts=bolts.limit if bolts else None,
        marriages={suit.value: profile.meld.worth(suit) for suit in Suit},
        chosen=profile.chosen,
    )


def sheet_view(room: Room, taken_back: tuple[TakenBack, ...] = ()) -> SheetView | None:
    """The sheet of the game, which everybody may read; None before the first game."""
    game = game_of(room)
    if game is None:
        return None
    return SheetView(
        game=game.number,
        profile=profile_view(game.profile),
        at=game.at,
        deals=game.sheet,
        taken_back=taken_back,
    )


def game_view(room: Room, viewer: Viewer, *, anybody_deals: bool = False) -> GameView | None:
    """The game as `viewer` sees it; None before the first one.

    `anybody_deals` says that the dealer had time enough alone (DEAL-3).
    """
    match room.phase:
        case Gathering():
            return None
        case Between(game=game, last_trick=last_trick, voided=voided):
            may = Choices(deal=viewer is not None and (anybody_deals or viewer == game.dealer))
            return _resting(game, BetweenView(last_trick, voided), may, game.dealer)
        case Over(game=game, winners=winners, last_trick=last_trick):
            return _resting(game, OverView(winners, last_trick), NOTHING, None)
        case Conceded() | Forgotten():
            raise ValueError("a deal that waits for its settlement is never shown")
        case running:
            return _running(running, viewer)


def _resting(game: Game, phase: PhaseView, may: Choices, turn: Seat | None) -> GameView:
    return GameView(
        number=game.number,
        deal=len(game.sheet) + 1,
        dealer=game.dealer,
        sitter=None,
        order=(),
        turn=turn,
        seats=tuple(
            SeatView(
                score=standing.score,
                bolts=standing.bolts,
                barrel=standing.barrel,
                concessions=standing.concessions,
                falls=standing.falls,
                cards=0,
                tricks=0,
                points=None,
                passed=False,
            )
            for standing in game.standings
        ),
        phase=phase,
        hand=(),
        pairs=(),
        laid_away=(),
        may=may,
    )


def _running(state: InDeal, viewer: Viewer) -> GameView:
    hand = () if viewer is None else state.hands[viewer]
    declarer = None if isinstance(state, Auction) else state.declarer
    return GameView(
        number=state.game.number,
        deal=len(state.game.sheet) + 1,
        dealer=state.game.dealer,
        sitter=state.deal.dealt.sitter,
        order=state.deal.order,
        turn=state.turn if isinstance(state, Auction | Playing) else state.declarer,
        seats=_seats(state, viewer),
        phase=_phase(state, viewer),
        hand=sorted_hand(hand),
        pairs=pairs_in(hand),
        laid_away=state.deal.laid_away if viewer is not None and viewer == declarer else (),
        may=NOTHING if viewer is None else choices_of(state, viewer),
    )


def _seats(state: InDeal, viewer: Viewer) -> tuple[SeatView, ...]:
    playing = state if isinstance(state, Playing) else None
    running_points = state.game.profile.scoring.running_points
    passed = (
        {call.seat for call in state.deal.calls if call.points is None}
        if isinstance(state, Auction)
        else ()
    )
    return tuple(
        SeatView(
            score=standing.score,
            bolts=standing.bolts,
            barrel=standing.barrel,
            concessions=standing.concessions,
            falls=standing.falls,
            cards=len(state.hands[seat]),
            tricks=playing.tricks[seat] if playing else 0,
            points=playing.points[seat] if playing and (running_points or seat == viewer) else None,
            passed=seat in passed,
        )
        for seat, standing in enumerate(state.game.standings)
    )


def _phase(state: InDeal, viewer: Viewer) -> PhaseView:
    deal = state.deal
    match state:
        case Auction():
            return AuctionView(deal.calls, auction.highest(deal.calls))
        case TakingTalon():
            sizes = tuple(map(len, deal.dealt.talons))
            return TalonView(state.declarer, state.bid, deal.calls, sizes)
        case Exchanging():
            return ExchangeView(
                state.declarer, state.bid, deal.calls, _talon(deal, state.declarer, viewer)
            )
        case Contracting():
            talon = _talon(deal, state.declarer, viewer)
            return ContractView(
                state.declarer, state.bid, deal.calls, talon, _gifts(deal, state.declarer, viewer)
            )
        case Playing():
            return PlayView(
                declarer=state.declarer,
                contract=state.contract,
                talon=_talon(deal, state.declarer, viewer),
                gifts=_gifts(deal, state.declarer, viewer),
                trump=state.trump,
                trick=state.trick,
                last_trick=state.last_trick,
                melds=state.melds,
                trick_number=sum(state.tricks) + 1,
                trick_count=sum(state.tricks) + max(map(len, state.hands)),
            )
        case never:
            assert_never(never)


def _talon(deal: Deal, declarer: Seat | None, viewer: Viewer) -> tuple[Card, ...]:
    """The talon that was taken, for those who saw it (EXCH-1)."""
    return deal.talon if deal.talon_shown or (viewer is not None and viewer == declarer) else ()


def _gifts(deal: Deal, declarer: Seat | None, viewer: Viewer) -> tuple[GiftView, ...]:
    """A given card is known to giver and receiver only (EXCH-2)."""
    return tuple(
        GiftView(
            gift.to, gift.card if viewer is not None and viewer in (declarer, gift.to) else None
        )
        for gift in deal.gifts
    )
