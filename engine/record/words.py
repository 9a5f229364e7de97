"""How the text record spells seats, cards, settings and refusals."""

from itertools import takewhile

from engine.cards import Card, Rank, Seat, Suit
from engine.profile import Setting
from engine.rejections import Reason

LETTERS = "ABCD"
"""The seats, clockwise."""

NONE = "none"

SUITS = {suit.value: suit for suit in Suit}


def card_word(card: Card) -> str:
    """The rank, then the suit; the ten is written in digits."""
    rank = "10" if card.rank is Rank.TEN else card.rank.value
    return f"{rank}{card.suit.value}"


CARDS = {card_word(card): card for card in Card} | {
    card.rank.value + card.suit.value: card for card in Card
}
"""Every card by the words that mean it; a ten may also be read as T."""

CODES = {
    reason.value: reason
    for reason in takewhile(lambda reason: reason is not Reason.NAME_EMPTY, Reason)
}
"""The refusals that a record can claim: those of the game, not those of the table."""


def cards_words(cards: tuple[Card, ...]) -> str:
    """`cards` with a blank between them, or `none`."""
    return " ".join(map(card_word, cards)) or NONE


def seat_word(seat: Seat | None) -> str:
    """The letter of `seat`, or `none`."""
    return NONE if seat is None else LETTERS[seat]


def setting_word(value: Setting) -> str:
    """A value of a house rule."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
