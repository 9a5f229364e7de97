"""A game of a room, written as a record."""

from collections.abc import Iterator, Sequence

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
    GameStarted,
    GameWon,
    MarriageMelded,
    Passed,
    TalonTaken,
)
from engine.evolve import evolve
from engine.history import Entry, spared, standing
from engine.profile import Profile
from engine.record.claims import claim_words
from engine.record.deals import deal_lines
from engine.record.deeds import deed_words
from engine.record.header import header_lines
from engine.record.position import Position
from engine.record.statements import Claim, Count, CountsAre, Deed, Forgets, WinnersAre
from engine.record.truth import truth_of
from engine.state import Over, Room


class NoSuchGame(LookupError):  # noqa: N818  # reads as what is the case
    """The entries do not tell of a game of that number."""


def write_record(entries: Sequence[Entry], game: int) -> str:
    """The record of game number `game`, as far as `entries` tell it.

    They are those of one room, in order and from its first. After every deal the record claims
    what stands on the sheet, and at the end who won.

    Raises:
        NoSuchGame: the game had not begun.
    """
    room: Room | None = None
    told = _told(entries)
    for at, entry in enumerate(told):
        for fact in entry.happened:
            room = evolve(room, fact)
            if isinstance(fact, GameStarted) and fact.number == game:
                names = [player.name if player else "" for player in room.players]
                lines = [
                    *header_lines(fact, names),
                    *_course(Position(room=room), told[at + 1 :]),
                ]
                return "\n".join(lines) + "\n"
    raise NoSuchGame(f"there is no game {game}")


def _told(entries: Sequence[Entry]) -> Sequence[Entry]:
    """What a record tells: nothing that was taken back, and no deal that the table gave up.

    Such a deal is one that was made void by agreement, or that ran when the table ended the game;
    that game may be opened again, and a record shows every card.
    """
    told: list[Entry] = []
    for entry in standing(entries):
        match entry.facts:
            case (DealVoided(reason="agreed"),):
                told = _without_running_deal(told)
            case (GameEnded(),):
                told = [*_without_running_deal(told), entry]
            case _:
                told.append(entry)
    return told


def _without_running_deal(entries: Sequence[Entry]) -> list[Entry]:
    """`entries` but for a deal that has not come to its end; who sits where stays."""
    for entry in reversed(entries):
        if any(isinstance(fact, DealScored | DealVoided | GameStarted) for fact in entry.facts):
            break
        if isinstance(entry.facts[0], CardsDealt):
            return spared(entries, entry.seq - 1)
    return list(entries)


def _course(position: Position, entries: Sequence[Entry]) -> Iterator[str]:
    """The deals after the header, to the end of the game or of the entries."""
    profile = position.game.profile
    for entry in entries:
        position = position.after(entry.happened)
        yield from _decision(entry.happened, profile)
        if any(isinstance(fact, DealScored | DealVoided) for fact in entry.facts):
            yield from (f"= {claim_words(claim)}" for claim in _claims(position))
        if isinstance(entry.facts[-1], GameWon | GameEnded):
            return


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
