"""A record played through the engine, up to the first thing in it that does not hold."""

from msgspec import Struct

from engine.commands import Act, DealCards
from engine.dealing import sitter_of
from engine.decide import decide
from engine.record.claims import claim_words
from engine.record.deals import deck_of
from engine.record.deeds import deed_words
from engine.record.lines import Unreadable
from engine.record.position import Position, beginning
from engine.record.statements import Claim, DealBlock, Deed, Forgets, Record, Refusal
from engine.record.truth import truth_of
from engine.record.words import LETTERS
from engine.rejections import Rejected
from engine.state import Between, Over, Room


class Failure(Struct, frozen=True):
    """What does not hold in line number `line`: what was expected there, and what is."""

    line: int
    text: str


class Played(Struct, frozen=True):
    """Where a record led: to its end, or to its first failure."""

    room: Room
    deals: int
    """Deals that were begun."""
    failure: Failure | None


def play_record(record: Record) -> Played:
    """The game that `record` tells, and the first thing in it that does not hold, if any.

    Raises:
        Unreadable: a deal names a hand for a seat that sits it out; which one does is known only
            when the deal is reached.
    """
    position, deals = beginning(record.header), 0
    for statement in record.statements:
        says = statement.says
        match says:
            case DealBlock():
                found = _deal(position, says)
                deals += isinstance(found, Position)
            case Act() | Forgets():
                found = _do(position, says)
            case Refusal():
                found = _refuse(position, says)
            case _:
                found = _claim(position, says)
        if isinstance(found, str):
            return Played(position.room, deals, Failure(statement.line, found))
        position = found
    return Played(position.room, deals, None)


def _deal(position: Position, deal: DealBlock) -> Position | str:
    """The position after dealing, or why nothing can be dealt."""
    match position.room.phase:
        case Between(game=game):
            sitter = sitter_of(game.profile, game.dealer)
        case Over():
            return "expected a deal, but the game is over"
        case _:
            return "expected the next deal, but the last one is not over"
    for hand in deal.hands:
        if hand.seat == sitter:
            raise Unreadable(hand.line, f"{LETTERS[hand.seat]} sits this deal out")
    deck = deck_of(deal, game.profile, game.dealer)
    answer = decide(position.room, DealCards(seat=game.dealer, deck=deck))
    if isinstance(answer, Rejected):
        raise TypeError("the dealer deals between deals")
    return position.after(answer)


def _do(position: Position, deed: Deed) -> Position | str:
    answer = position.answer(deed)
    if isinstance(answer, Rejected):
        said = deed_words(deed, position.game.profile)
        return f"expected `{said}` to be accepted, but it is refused: {answer.reason.value}"
    return position.after(answer)


def _refuse(position: Position, refusal: Refusal) -> Position | str:
    answer = position.answer(refusal.deed)
    if isinstance(answer, Rejected) and answer.reason is refusal.reason:
        return position
    said = deed_words(refusal.deed, position.game.profile)
    expected = f"expected `{said}` to be refused as {refusal.reason.value}"
    if isinstance(answer, Rejected):
        return f"{expected}, but it is {answer.reason.value}"
    return f"{expected}, but it is accepted"


def _claim(position: Position, claim: Claim) -> Position | str:
    truth = truth_of(claim, position)
    if truth == claim:
        return position
    what_is = f"it is `{claim_words(truth)}`" if truth else "no deal has just ended"
    return f"expected `{claim_words(claim)}`, but {what_is}"
