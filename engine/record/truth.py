"""What is so: the claim of each kind that is true at a position."""

from typing import assert_never

from engine.cards import Card, Seat
from engine.choices import NOTHING, Choices
from engine.commands import Act, AnyAction, Concede, Pass, ShowNines, TakeTalon
from engine.dealing import sitter_of
from engine.record.position import Position
from engine.record.statements import (
    Ability,
    BidsAre,
    CardsAre,
    Claim,
    ContractIs,
    Count,
    CountsAre,
    MayDo,
    PhaseIs,
    PhaseWord,
    Place,
    SeatIs,
    TrumpIs,
    WinnersAre,
)
from engine.rejections import Rejected
from engine.state import (
    Auction,
    Between,
    Contracting,
    Exchanging,
    Over,
    Phase,
    Playing,
    TakingTalon,
)
from engine.views import game_view

ACTIONS: dict[Ability, AnyAction] = {
    "concede": Concede(),
    "pass": Pass(),
    "nines": ShowNines(),
    "take": TakeTalon(),
}


def truth_of(claim: Claim, position: Position) -> Claim | None:
    """The claim about the same thing that is true at `position`; None: there is none to be made."""
    match claim:
        case CountsAre(what=what, numbers=numbers):
            return _counts(what, tuple(seat for seat, _ in numbers), position)
        case SeatIs(what=what):
            return SeatIs(what, _seat(what, position))
        case PhaseIs():
            return PhaseIs(_phase_word(position.room.phase))
        case TrumpIs():
            return TrumpIs(position.trump)
        case ContractIs():
            return ContractIs(position.contract)
        case CardsAre(what=what, seat=seat):
            return CardsAre(what, seat, _cards(_choices(position, seat), melds=what == "melds"))
        case BidsAre(seat=seat):
            may = _choices(position, seat)
            found = may.bid or may.contract
            return BidsAre(seat, (found.least, found.greatest) if found else None)
        case MayDo(seat=seat, ability=ability):
            answer = position.answer(Act(seat, ACTIONS[ability]))
            return MayDo(seat, ability, may=not isinstance(answer, Rejected))
        case WinnersAre():
            phase = position.room.phase
            return WinnersAre(tuple(sorted(phase.winners)) if isinstance(phase, Over) else ())
        case never:
            assert_never(never)


def _counts(what: Count, seats: tuple[Seat, ...], position: Position) -> CountsAre | None:
    standings = position.game.standings
    match what:
        case "raw":
            if (raw := _raw(position)) is None:
                return None
            return CountsAre(what, tuple((seat, raw[seat]) for seat in seats))
        case "scores":
            return CountsAre(what, tuple((seat, standings[seat].score) for seat in seats))
        case "bolts":
            return CountsAre(what, tuple((seat, standings[seat].bolts) for seat in seats))
        case "barrel":
            return CountsAre(what, tuple((seat, standings[seat].barrel) for seat in seats))
        case "concessions":
            return CountsAre(what, tuple((seat, standings[seat].concessions) for seat in seats))
        case "falls":
            return CountsAre(what, tuple((seat, standings[seat].falls) for seat in seats))
        case never:
            assert_never(never)


def _raw(position: Position) -> tuple[int, ...] | None:
    """Raw points by seat of the deal just ended; None: a deal runs, or none was dealt."""
    match position.room.phase:
        case Between(game=game, voided=voided) if voided is not None:
            return (0,) * len(game.standings)
        case Between(game=game) | Over(game=game) if game.sheet:
            return tuple(line.raw for line in game.sheet[-1].lines)
        case _:
            return None


def _seat(what: Place, position: Position) -> Seat | None:
    game = position.game
    match what:
        case "turn":
            return _turn(position.room.phase)
        case "declarer":
            return position.declarer
        case "dealer":
            return game.dealer
        case "sitter":
            return sitter_of(game.profile, game.dealer)
        case never:
            assert_never(never)


def _turn(phase: Phase) -> Seat | None:
    match phase:
        case Auction(turn=turn) | Playing(turn=turn):
            return turn
        case TakingTalon() | Exchanging() | Contracting():
            return phase.declarer
        case _:
            return None


def _phase_word(phase: Phase) -> PhaseWord:
    match phase:
        case Auction():
            return "auction"
        case TakingTalon() | Exchanging():
            return "exchange"
        case Contracting():
            return "contract"
        case Playing():
            return "play"
        case Over():
            return "over"
        case _:
            return "between"


def _choices(position: Position, seat: Seat) -> Choices:
    view = game_view(position.room, seat)
    return view.may if view else NOTHING


def _cards(may: Choices, *, melds: bool) -> tuple[Card, ...]:
    """What may be played, or led with a meld, in the order in which claims keep cards."""
    cards = {card for meld in may.melds for card in meld.cards} if melds else set(may.play)
    return tuple(card for card in Card if card in cards)
