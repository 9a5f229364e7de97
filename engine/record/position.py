"""Where a record stands while it is played or written."""

from collections.abc import Iterable
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat, Suit
from engine.commands import Act, ForgetDiscard
from engine.decide import Decision, decide
from engine.events import (
    AnyEvent,
    AuctionWon,
    BidPlaced,
    CardsDealt,
    ContractSet,
    GameStarted,
    MarriageMelded,
    PlayerSeated,
    RoomOpened,
)
from engine.evolve import evolve, fold
from engine.record.statements import Deed, Forgets, Header
from engine.rejections import Reason, Rejected
from engine.state import Exchanging, Game, Gathering, Room


class Position(Struct, frozen=True, kw_only=True):
    """The room, and what a deal leaves to be asked about when it is over."""

    room: Room
    trump: Suit | None = None
    contract: int | None = None
    """The contract; before it is set, the highest call."""
    declarer: Seat | None = None

    @property
    def game(self) -> Game:
        """The game that the record tells."""
        if isinstance(self.room.phase, Gathering):
            raise TypeError("a record begins with a game")
        return self.room.phase.game

    def after(self, facts: Iterable[AnyEvent]) -> "Position":
        """The position when `facts` have happened too."""
        return reduce(_after, facts, self)

    def answer(self, deed: Deed) -> Decision:
        """What comes of `deed` here; nothing has changed yet."""
        if isinstance(deed, Act):
            return decide(self.room, deed)
        return self._forget(deed)

    def _forget(self, deed: Forgets) -> Decision:
        """A clock has no seat, but a record names whose clock it was."""
        answer, phase = decide(self.room, ForgetDiscard()), self.room.phase
        if isinstance(phase, Exchanging) and not isinstance(answer, Rejected):
            return answer if deed.seat == phase.declarer else Rejected(Reason.NOT_YOUR_TURN)
        return answer


def beginning(header: Header) -> Position:
    """A game in which nothing has been dealt."""
    opened = fold(
        (
            RoomOpened(profile=header.profile),
            *(
                PlayerSeated(seat=Seat(index), name=name, key="")
                for index, name in enumerate(header.names)
            ),
            GameStarted(
                number=1,
                profile=header.profile,
                dealer=header.dealer,
                by_lot=False,
                at=None,
                standings=header.standings,
            ),
        )
    )
    if opened is None:
        raise TypeError("facts make a room")
    return Position(room=opened)


def _after(position: Position, fact: AnyEvent) -> Position:
    room = evolve(position.room, fact)
    match fact:
        case CardsDealt():
            return Position(room=room)
        case BidPlaced(points=points) | ContractSet(points=points):
            return replace(position, room=room, contract=points)
        case AuctionWon(declarer=declarer):
            return replace(position, room=room, declarer=declarer)
        case MarriageMelded(suit=suit):
            return replace(position, room=room, trump=suit)
        case _:
            return replace(position, room=room)
