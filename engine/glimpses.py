"""What one viewer sees of a fact, for movement on the screen. The view remains the truth.

A fact whose type is not in `Glimpse` cannot be sent.
"""

from typing import assert_never

from msgspec import Struct

from engine.cards import Card, Seat
from engine.events import (
    AcesMelded,
    AnyEvent,
    AuctionWon,
    BidPlaced,
    CardPlayed,
    CardsDealt,
    CardsGiven,
    CardsLaidAway,
    ContractSet,
    DealConceded,
    DealScored,
    DealVoided,
    DiscardForgotten,
    FirstDealerChosen,
    GameEnded,
    GameStarted,
    GameWon,
    MarriageMelded,
    Outcome,
    Passed,
    PlayerKicked,
    PlayerLeft,
    PlayerSeated,
    PlayersMoved,
    ProfileChosen,
    ReadySet,
    RoomOpened,
    SeatHandedOver,
    TakeBackChosen,
    TalonTaken,
    TrickTaken,
)
from engine.views import GiftView, Viewer


class Seen(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A fact as a viewer sees it."""


class GameSeen(Seen, frozen=True, kw_only=True, tag="game_started"):
    """A game began; `by_lot`: the lot chose the dealer."""

    dealer: Seat
    by_lot: bool


class DealSeen(Seen, frozen=True, kw_only=True, tag="cards_dealt"):
    """Cards went out to `order`, forehand first."""

    dealer: Seat
    order: tuple[Seat, ...]


class TalonSeen(Seen, frozen=True, kw_only=True, tag="talon_taken"):
    """A talon was turned; `cards` is empty for those who may not see them."""

    seat: Seat
    talon: int
    cards: tuple[Card, ...]


class GiftsSeen(Seen, frozen=True, kw_only=True, tag="cards_given"):
    """Cards went to the defenders."""

    seat: Seat
    gifts: tuple[GiftView, ...]


class LaidAwaySeen(Seen, frozen=True, kw_only=True, tag="cards_laid_away"):
    """So many cards were put aside."""

    seat: Seat
    count: int


class ScoreSeen(Seen, frozen=True, kw_only=True, tag="deal_scored"):
    """A deal was written on the sheet."""

    outcome: Outcome


class PlayerSeen(Seen, frozen=True, kw_only=True, tag="player_seated"):
    """Somebody took a chair."""

    seat: Seat
    name: str


Glimpse = (
    GameSeen
    | DealSeen
    | BidPlaced
    | Passed
    | AuctionWon
    | TalonSeen
    | GiftsSeen
    | LaidAwaySeen
    | ContractSet
    | CardPlayed
    | MarriageMelded
    | AcesMelded
    | TrickTaken
    | DealVoided
    | DealConceded
    | DiscardForgotten
    | ScoreSeen
    | GameWon
    | GameEnded
    | PlayerSeen
)


def glimpse(event: AnyEvent, viewer: Viewer) -> Glimpse | None:
    """`event` as `viewer` sees it; None: nothing moves on that screen."""
    match event:
        case (
            BidPlaced()
            | Passed()
            | AuctionWon()
            | ContractSet()
            | CardPlayed()
            | MarriageMelded()
            | AcesMelded()
            | TrickTaken()
            | DealVoided()
            | DealConceded()
            | DiscardForgotten()
            | GameWon()
            | GameEnded()
        ):
            return event  # said or laid openly at a real table
        case GameStarted(dealer=dealer, by_lot=by_lot):
            return GameSeen(dealer=dealer, by_lot=by_lot)
        case CardsDealt(dealer=dealer, order=order):
            return DealSeen(dealer=dealer, order=order)
        case TalonTaken(seat=seat, talon=talon, cards=cards, shown=shown):
            return TalonSeen(seat=seat, talon=talon, cards=cards if shown or seat == viewer else ())
        case CardsGiven(seat=giver, gifts=gifts):
            return GiftsSeen(
                seat=giver,
                gifts=tuple(
                    GiftView(gift.to, gift.card if viewer in {giver, gift.to} else None)
                    for gift in gifts
                ),
            )
        case CardsLaidAway(seat=seat, cards=cards):
            return LaidAwaySeen(seat=seat, count=len(cards))
        case DealScored(outcome=outcome):
            return ScoreSeen(outcome=outcome)
        case PlayerSeated(seat=seat, name=name):
            return PlayerSeen(seat=seat, name=name)
        case (
            RoomOpened()
            | ProfileChosen()
            | PlayersMoved()
            | PlayerLeft()
            | PlayerKicked()
            | SeatHandedOver()
            | ReadySet()
            | FirstDealerChosen()
            | TakeBackChosen()
        ):
            return None
        case never:
            assert_never(never)
