"""Suits, ranks, cards and packs: what lies on the table before any rule is asked."""

from enum import Enum
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NewType

Seat = NewType("Seat", int)
"""A place at the table, 0 to 3, numbered clockwise."""


class Suit(Enum):
    """One of the four suits; the value is its letter in records and messages."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    __hash__ = object.__hash__  # one object each, as cards are


_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


class Rank(Enum):
    """A rank from high to low; the value is its letter. The ten stands above the king."""

    ACE = "A"
    TEN = "T"
    KING = "K"
    QUEEN = "Q"
    JACK = "J"
    NINE = "9"
    EIGHT = "8"
    SEVEN = "7"

    points: int
    """Card points, 120 in a whole pack."""
    strength: int
    """The higher beats the lower in the same suit."""

    def __init__(self, letter: str) -> None:
        self.points = _POINTS.get(letter, 0)
        self.strength = "789JQKTA".index(letter)


class Card(Enum):
    """A card. The value is suit letter and rank letter: ``HK`` is the king of hearts."""

    SA, ST, SK, SQ, SJ, S9, S8, S7 = "SA", "ST", "SK", "SQ", "SJ", "S9", "S8", "S7"
    HA, HT, HK, HQ, HJ, H9, H8, H7 = "HA", "HT", "HK", "HQ", "HJ", "H9", "H8", "H7"
    DA, DT, DK, DQ, DJ, D9, D8, D7 = "DA", "DT", "DK", "DQ", "DJ", "D9", "D8", "D7"
    CA, CT, CK, CQ, CJ, C9, C8, C7 = "CA", "CT", "CK", "CQ", "CJ", "C9", "C8", "C7"

    suit: Suit
    rank: Rank
    points: int
    """Card points of its rank, kept here because every trick asks for them."""
    strength: int

    __hash__ = object.__hash__  # a card is one object; Enum would hash its name, five times slower

    def __init__(self, code: str) -> None:
        self.suit = Suit(code[0])
        self.rank = Rank(code[1])
        self.points = self.rank.points
        self.strength = self.rank.strength


def card_of(suit: Suit, rank: Rank) -> Card:
    """The card of `suit` with `rank`."""
    return Card(suit.value + rank.value)


def pair_of(suit: Suit) -> tuple[Card, Card]:
    """King and queen of `suit`: the two cards of its marriage."""
    return card_of(suit, Rank.KING), card_of(suit, Rank.QUEEN)


PAIRS: dict[Suit, tuple[Card, Card]] = {suit: pair_of(suit) for suit in Suit}
ACES: tuple[Card, ...] = tuple(card_of(suit, Rank.ACE) for suit in Suit)
NINES: tuple[Card, ...] = tuple(card_of(suit, Rank.NINE) for suit in Suit)

HANDS_KEPT = 4096
"""Hands whose order and pairs are remembered: every view of a deal asks for the same few again."""

_BLACK, _RED = (Suit.SPADES, Suit.CLUBS), (Suit.HEARTS, Suit.DIAMONDS)


@lru_cache(HANDS_KEPT)
def sorted_hand(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """`cards` as a player holds them: suits in alternating colours, high to low.

    The order says nothing about the order in which they were dealt.
    """
    return tuple(sorted(cards, key=_places(frozenset([card.suit for card in cards])).__getitem__))


@cache
def _places(held: frozenset[Suit]) -> dict[Card, int]:
    """Where each card lies in a hand that holds these suits, from low to high numbers."""
    black = [suit for suit in _BLACK if suit in held]
    red = [suit for suit in _RED if suit in held]
    more, fewer = (black, red) if len(black) >= len(red) else (red, black)
    suits = [suit for pair in zip_longest(more, fewer) for suit in pair if suit is not None]
    return {card: 8 * suits.index(card.suit) - card.strength for card in Card if card.suit in held}


@lru_cache(HANDS_KEPT)
def pairs_in(cards: tuple[Card, ...]) -> tuple[Suit, ...]:
    """The suits whose king and queen are both among `cards`."""
    return tuple(suit for suit, (king, queen) in PAIRS.items() if king in cards and queen in cards)


def points_of(cards: tuple[Card, ...]) -> int:
    """Card points of `cards` together."""
    return sum(card.points for card in cards)
