"""Claims in a record, read and written. Whether they are true is asked elsewhere."""

from collections.abc import Sequence
from typing import assert_never, get_args

from engine.cards import Card
from engine.profile import Profile
from engine.record.lines import Line
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
from engine.record.words import NONE, SUITS, cards_words, seat_word

OFF = "off"
"""Not on the barrel."""

COUNTS: dict[str, Count] = {word: word for word in get_args(Count)}
PLACES: dict[str, Place] = {word: word for word in get_args(Place)}
PHASES: dict[str, PhaseWord] = {word: word for word in get_args(PhaseWord)}
ABILITIES: dict[str, Ability] = {word: word for word in get_args(Ability)}


def read_claim(line: Line, profile: Profile) -> Claim:
    """What a line that begins with `=` claims.

    Raises:
        Unreadable: it is no claim at a table of `profile`.
    """
    players = profile.table.players
    match line.words[1:]:
        case ["falls", *_] if profile.barrel is None or profile.barrel.zero_after_falls is None:
            raise line.wrong("falls are counted only with third_fall_zero")
        case [word, *numbers] if word in COUNTS and numbers:
            return _read_counts(line, COUNTS[word], numbers, players)
        case [word, letter] if word in PLACES:
            none = letter == NONE and word != "dealer"
            return SeatIs(PLACES[word], None if none else line.seat(letter, players))
        case ["phase", word] if word in PHASES:
            return PhaseIs(PHASES[word])
        case ["trump", word] if word in SUITS or word == NONE:
            return TrumpIs(SUITS.get(word))
        case ["contract", word]:
            return ContractIs(None if word == NONE else line.whole(word))
        case ["legal" | "melds" as what, letter, *words] if words:
            cards = () if words == [NONE] else line.cards(words)
            return CardsAre(what, line.seat(letter, players), _in_order(cards))
        case ["bids", letter, "none"]:
            return BidsAre(line.seat(letter, players), None)
        case ["bids", letter, least, greatest]:
            return BidsAre(line.seat(letter, players), (line.whole(least), line.whole(greatest)))
        case ["may", letter, word] if word in ABILITIES:
            return MayDo(line.seat(letter, players), ABILITIES[word], may=True)
        case ["may", "not", letter, word] if word in ABILITIES:
            return MayDo(line.seat(letter, players), ABILITIES[word], may=False)
        case ["winner", "none"]:
            return WinnersAre(())
        case ["winner", *letters] if letters:
            return WinnersAre(tuple(sorted(line.seat(letter, players) for letter in letters)))
        case _:
            raise line.unknown()


def _read_counts(line: Line, what: Count, words: Sequence[str], players: int) -> CountsAre:
    """Pairs of a seat and a number, no seat twice."""
    if len(words) % 2:
        raise line.wrong(f"{what} goes on with a seat and its number, and so on")
    seats = [line.seat(letter, players) for letter in words[::2]]
    if len(set(seats)) < len(seats):
        raise line.wrong("a seat is named twice")
    numbers = [
        None if what == "barrel" and word == OFF else line.whole(word) for word in words[1::2]
    ]
    return CountsAre(what, tuple(zip(seats, numbers, strict=True)))


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=list(Card).index))


def claim_words(claim: Claim) -> str:
    """How a record says `claim`, after the `=`."""
    match claim:
        case CountsAre(what=what, numbers=numbers):
            return " ".join([what, *(f"{seat_word(seat)} {_count(n)}" for seat, n in numbers)])
        case SeatIs(what=what, seat=seat):
            return f"{what} {seat_word(seat)}"
        case PhaseIs(phase=phase):
            return f"phase {phase}"
        case TrumpIs(suit=suit):
            return f"trump {suit.value if suit else NONE}"
        case ContractIs(points=points):
            return f"contract {NONE if points is None else points}"
        case CardsAre(what=what, seat=seat, cards=cards):
            return f"{what} {seat_word(seat)} {cards_words(cards)}"
        case BidsAre(seat=seat, range=span):
            least_and_greatest = f"{span[0]} {span[1]}" if span else NONE
            return f"bids {seat_word(seat)} {least_and_greatest}"
        case MayDo(seat=seat, ability=ability, may=may):
            return f"may {'' if may else 'not '}{seat_word(seat)} {ability}"
        case WinnersAre(seats=seats):
            return f"winner {' '.join(map(seat_word, seats)) or NONE}"
        case never:
            assert_never(never)


def _count(number: int | None) -> str:
    return OFF if number is None else str(number)
