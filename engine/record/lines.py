"""A record cut into numbered lines of words, each of which can say what is wrong with it."""

from collections.abc import Sequence

from msgspec import Struct

from engine.cards import Card, Seat
from engine.record.words import CARDS, LETTERS


class Unreadable(Exception):  # noqa: N818  # reads as what is the case
    """The text is no record: `text` says what is wrong in line number `line`."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"{line}: {text}")
        self.line = line
        self.text = text


class Line(Struct, frozen=True):
    """The words of one line, without its comment. Lines are counted from 1."""

    number: int
    words: tuple[str, ...]

    def wrong(self, text: str) -> Unreadable:
        """What to raise when this line cannot be read."""
        return Unreadable(self.number, text)

    def whole(self, word: str) -> int:
        """The whole number `word`.

        Raises:
            Unreadable: it is none.
        """
        try:
            if word.isascii() and word.removeprefix("-").isdecimal():
                return int(word)
        except ValueError:  # more digits than Python reads
            pass
        raise self.wrong(f"{word!r} is no whole number")

    def seat(self, word: str, players: int) -> Seat:
        """The seat with the letter `word` at a table of `players`.

        Raises:
            Unreadable: there is none.
        """
        if word not in tuple(LETTERS[:players]):
            raise self.wrong(f"{word!r} is no seat; they are {' '.join(LETTERS[:players])}")
        return Seat(LETTERS.index(word))

    def cards(self, words: Sequence[str]) -> tuple[Card, ...]:
        """The cards `words`.

        Raises:
            Unreadable: one of them is no card.
        """
        for word in words:
            if word not in CARDS:
                raise self.wrong(f"{word!r} is no card")
        return tuple(CARDS[word] for word in words)

    def unknown(self) -> Unreadable:
        """What to raise when no statement looks like this."""
        return self.wrong(f"{' '.join(self.words)!r} is no statement")


def lines_of(text: str) -> list[Line]:
    """The lines of `text` that say something."""
    cut = [tuple(_without_comment(line).split()) for line in text.split("\n")]
    return [Line(number, words) for number, words in enumerate(cut, 1) if words]


def _without_comment(line: str) -> str:
    """`line` up to a `#` that stands at its start or after a blank."""
    for at, letter in enumerate(line):
        if letter == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line
