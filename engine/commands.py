"""What a seat, or the house, may ask for."""

from typing import Annotated

from msgspec import Meta, Struct

from engine.cards import Card, Seat
from engine.events import Gift, TakeBackMode
from engine.profile import Profile


class Action(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a phone asks for. It has no field in which to claim to be somebody else."""


class PlaceBid(Action, frozen=True, tag="place_bid"):
    """Call `points`."""

    points: int


class Pass(Action, frozen=True, tag="pass"):
    """Leave the auction."""


class TakeTalon(Action, frozen=True, tag="take_talon"):
    """Turn talon number `talon`, from 0, and take it."""

    talon: int = 0


class GiveCards(Action, frozen=True, tag="give_cards"):
    """Give one card to each defender, all in one decision."""

    gifts: Annotated[tuple[Gift, ...], Meta(max_length=4)]


class LayAway(Action, frozen=True, tag="lay_away"):
    """Put cards face down aside."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=4)]


class SetContract(Action, frozen=True, tag="set_contract"):
    """Keep the bid, or raise it to `points`."""

    points: int


class Concede(Action, frozen=True, tag="concede"):
    """Give the deal up."""


class ShowNines(Action, frozen=True, tag="show_nines"):
    """Show all four nines: the deal is void."""


class PlayCard(Action, frozen=True, tag="play_card"):
    """Lay `card` to the trick."""

    card: Card


class Meld(Action, frozen=True, tag="meld"):
    """Announce and lead `card`: king or queen of a marriage, or an ace of all four."""

    card: Card


class MoveTo(Action, frozen=True, tag="move_to"):
    """Sit on chair `seat`; whoever sits there changes places."""

    seat: Seat


class SetReady(Action, frozen=True, tag="set_ready"):
    """Be ready for the next game, or not."""

    ready: bool


class ChooseFirstDealer(Action, frozen=True, tag="choose_first_dealer"):
    """Choose who deals first; None: by lot."""

    dealer: Seat | None


class ChooseTakeBack(Action, frozen=True, tag="choose_take_back"):
    """Choose whether decisions may be taken back at this table."""

    mode: TakeBackMode


class Leave(Action, frozen=True, tag="leave"):
    """Free the chair."""


AnyAction = (
    PlaceBid
    | Pass
    | TakeTalon
    | GiveCards
    | LayAway
    | SetContract
    | Concede
    | ShowNines
    | PlayCard
    | Meld
    | MoveTo
    | SetReady
    | ChooseFirstDealer
    | ChooseTakeBack
    | Leave
)


class Act(Struct, frozen=True):
    """An action and the seat that the house knows it came from."""

    seat: Seat
    action: AnyAction


class OpenRoom(Struct, frozen=True):
    """Open a table for `profile`."""

    profile: Profile


class TakeSeat(Struct, frozen=True):
    """Seat a new player: on `seat` if it is free, else on the first free chair.

    Into a running game only those come for whom somebody `agreed`.
    """

    name: str
    key: str
    seat: Seat | None = None
    agreed: tuple[Seat, ...] = ()


class HandOver(Struct, frozen=True):
    """Make the device with `key` the player on `seat`; `agreed` vouch for it."""

    seat: Seat
    key: str
    agreed: tuple[Seat, ...]


class Kick(Struct, frozen=True):
    """Take the chair `seat` from its player, as `by` asks and `agreed` consent."""

    seat: Seat
    by: Seat
    agreed: tuple[Seat, ...]


class EndGame(Struct, frozen=True):
    """End the game with the standings as they are, as `by` asks and `agreed` consent."""

    by: Seat
    agreed: tuple[Seat, ...]


class VoidDeal(Struct, frozen=True):
    """Let the running deal not count, as `by` asks and `agreed` consent."""

    by: Seat
    agreed: tuple[Seat, ...]


class ChooseProfile(Struct, frozen=True):
    """Play the next game by `profile`."""

    profile: Profile


class StartGame(Struct, frozen=True):
    """Begin. `lot` is the house's draw among the chairs, used where nobody chose the dealer.

    `at`: the house's clock, in seconds since 1970, if it has one.
    """

    lot: Seat
    at: int | None = None


class DealCards(Struct, frozen=True):
    """Deal `deck`, which the house shuffled. `anybody`: the dealer's time alone is over."""

    seat: Seat
    deck: tuple[Card, ...]
    anybody: bool = False


class ForgetDiscard(Struct, frozen=True):
    """The house's clock for laying away ran out."""


Command = (
    Act
    | OpenRoom
    | TakeSeat
    | HandOver
    | Kick
    | EndGame
    | VoidDeal
    | ChooseProfile
    | StartGame
    | DealCards
    | ForgetDiscard
)
