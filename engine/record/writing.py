"""A game of a room, written as a record."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from engine.cards import Seat
from engine.commands import (
    Act,
    Concede,
    GiveCards,
    LayAway,
    Meld,
    Pass,
    PlaceBid,
    PlayCard,
    SetContract,
    ShowNines,
    TakeTalon,
)
from engine.events import (
    AcesMelded,
    AnyEvent,
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
    GameEnded,
    MarriageMelded,
    Passed,
    TalonTaken,
)
from engine.games import NoSuchGame, Step, steps
from engine.history import Entry, spared
from engine.profile import Profile
from engine.record.claims import claim_words
from engine.record.deals import deal_lines
from engine.record.deeds import deed_words
from engine.record.header import header_lines
from engine.record.position import Position
from engine.record.statements import Claim, Count, CountsAre, Deed, Forgets, WinnersAre
from engine.record.truth import truth_of
from engine.state import Over


def write_record(entries: Iterable[Entry], game: int) -> str:
    """The record of game number `game`, as far as `entries` tell it.

    They are those of one room, in order and from its first. After every deal the record claims
    what stands on the sheet, and at the end who won.

    Raises:
        NoSuchGame: the game had not begun.
        LogCorrupt: the entries do not follow each other.
    """
    walk = steps(entries)
    for step in walk:
        begins = step.begins
        if begins is not None and begins.number == game:
            names = [player.name if player else "" for player in step.room.players]
            course = _course(Position(room=step.room), _told(walk, game))
            return "\n".join([*header_lines(begins, names), *course]) + "\n"
    raise NoSuchGame(f"there is no game {game}")


def _told(walk: Iterable[Step], game: int) -> Iterator[Entry]:
    """What a record tells of the game after its beginning: no deal that the table gave up.

    Such a deal is one that was made void by agreement, or that ran when the table ended the game;
    that game may be opened again, and a record shows every card.
    """
    deal: list[Entry] = []
    for entry in (step.entry for step in takewhile(lambda step: step.game == game, walk)):
        match entry.facts:
            case (DealVoided(reason="agreed"),):
                yield from _who_sits_where(deal)
                deal = []
            case (GameEnded(),):
                yield from (*_who_sits_where(deal), entry)
                deal = []
            case (CardsDealt(), *_):
                deal = [entry]
            case facts if deal:
                deal.append(entry)
                if any(isinstance(fact, DealScored | DealVoided) for fact in facts):
                    yield from deal
                    deal = []
            case _:
                yield entry
    yield from deal


def _who_sits_where(deal: Sequence[Entry]) -> list[Entry]:
    """What is told of a deal that the table gave up."""
    return spared(deal, deal[0].seq - 1) if deal else []


def _course(position: Position, entries: Iterable[Entry]) -> Iterator[str]:
    """The deals after the header."""
    profile = position.game.profile
    for entry in entries:
        position = position.after(entry.happened)
        yield from _decision(entry.happened, profile)
        if any(isinstance(fact, DealScored | DealVoided) for fact in entry.facts):
            yield from (f"= {claim_words(claim)}" for claim in _claims(position))


def _decision(facts: Sequence[AnyEvent], profile: Profile) -> Iterator[str]:
    """What somebody chose; whatever followed from it is left to the rules."""
    if isinstance(facts[0], CardsDealt):
        yield ""
        yield from deal_lines(facts[0])
    elif deed := _deed(facts):
        yield deed_words(deed, profile)


def _deed(facts: Sequence[AnyEvent]) -> Deed | None:
    """The act that led to `facts`; None: it does not belong to the game."""
    match facts[0]:
        case BidPlaced(seat=seat, points=points):
            return Act(seat, PlaceBid(points))
        case Passed(seat=seat):
            return Act(seat, Pass())
        case TalonTaken(seat=seat, talon=talon):
            return Act(seat, TakeTalon(talon))
        case CardsGiven(seat=seat, gifts=gifts):
            return Act(seat, GiveCards(gifts))
        case CardsLaidAway(seat=seat, cards=cards):
            return Act(seat, LayAway(cards))
        case DiscardForgotten(seat=seat):
            return Forgets(seat)
        case ContractSet(seat=seat, points=points):
            return Act(seat, SetContract(points))
        case DealConceded(seat=seat):
            return Act(seat, Concede())
        case DealVoided(seat=int() as seat):
            return Act(seat, ShowNines())
        case CardPlayed(seat=seat, card=card):
            return Act(seat, PlayCard(card))
        case MarriageMelded() | AcesMelded():
            return next(
                Act(fact.seat, Meld(fact.card)) for fact in facts if isinstance(fact, CardPlayed)
            )
        case _:
            return None


def _claims(position: Position) -> Iterator[Claim]:
    """What the sheet says after a deal, for every seat, and who has won."""
    seats = tuple((Seat(index), 0) for index in range(len(position.game.standings)))
    asked: list[Claim] = [CountsAre(what, seats) for what in _counted(position.game.profile)]
    if isinstance(position.room.phase, Over):
        asked.append(WinnersAre(()))
    for claim in asked:
        if truth := truth_of(claim, position):
            yield truth


def _counted(profile: Profile) -> Iterator[Count]:
    """What can be claimed of a deal and of the sheet by `profile`."""
    yield "raw"
    yield "scores"
    if profile.bolts is not None:
        yield "bolts"
    if profile.barrel is not None:
        yield "barrel"
    if profile.concession is not None:
        yield "concessions"
    if profile.barrel is not None and profile.barrel.zero_after_falls is not None:
        yield "falls"
