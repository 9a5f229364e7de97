"""Records for tests, and what becomes of them. In a bad one the line to be named ends in HERE."""

from collections.abc import Iterable
from pathlib import Path

from engine.record import Unreadable, play_record, read_record
from tests.support import ALL_PROFILES, LETTERS

RECORDS = Path(__file__).parents[2] / "records"

PROFILES = {profile.id: profile for profile in ALL_PROFILES}
NAMES = ("Anna", "Ben", "Carla", "David")

HERE = "  # here"
HOLDS, FALSE, UNREADABLE = 0, 1, 2

PAIRS_EVERYWHERE = """\
deal
  A AS 10S KH QH AC 9D 9C
  B KS QS 9S 10H KC QC JD
  C JS AH JH 10C 10D KD QD
  talon JC 9H AD"""

ONLY_B_HAS_PAIRS = """\
deal
  A AS 10S KH QD AC 9D 9C
  B KS QS 9S 10H KC QC JD
  C JS AH JH 10C 10D KD QH
  talon JC 9H AD"""

B_HAS_NINES = """\
deal
  A AS 10S KH QH AC JC JD
  B KS 9S 9H 9D 9C QC JS
  C QS AH JH 10C 10D KD QD
  talon KC 10H AD"""

TWO_TALONS = """\
deal
  A AS 10S KS QS JS 9S AH 10H KH QH
  B AD 10D KD QD JD 9D AC 10C KC QC
  talon 1 JH 9H
  talon 2 JC 9C"""

FOUR_PLAYERS_DEALER_C = """\
deal
  A AS 10S KH QH AC 9D 9C
  C KS QS 9S 10H KC QC JD
  D JS AH JH 10C 10D KD QD
  talon JC 9H AD"""
"""Seat B, right of the dealer, sits out."""

PLAIN = """\
deal
  A AC 10C KC QC AD KD QD 9S
  B 9C JD 10D 9D AS 10S KS QS
  C JC JS AH 10H KH QH JH 9H"""

SKAT = """\
deal
  A AS 10S KS QS JS 9S 8S 7S KD QD
  B AH 10H KH QH JH 9H 8H 7H AD 10D
  C AC 10C KC QC JC 9C 8C 7C JD 9D
  talon 8D 7D"""


def header(profile: str = "ru-3", *more: str, dealer: str = "C") -> str:
    """The lines before the first deal; `more` are house rules and standings."""
    players = PROFILES[profile].table.players
    seats = [f"seat {LETTERS[index]} {NAMES[index]}" for index in range(players)]
    return "\n".join(["prikup 1", f"profile {profile}", *seats, f"dealer {dealer}", *more])


def paper(*parts: str, profile: str = "ru-3", more: Iterable[str] = (), dealer: str = "C") -> str:
    """A record: a header, then `parts`, each of one or more lines."""
    return "\n".join([header(profile, *more, dealer=dealer), *parts])


def judged(text: str) -> tuple[int, int, str]:
    """What `prikup check` makes of `text`: its exit code, the line it names, and why."""
    try:
        failure = play_record(read_record(text, PROFILES)).failure
    except Unreadable as wrong:
        return UNREADABLE, wrong.line, wrong.text
    return (FALSE, failure.line, failure.text) if failure else (HOLDS, 0, "")


def assert_holds(text: str) -> None:
    assert judged(text) == (HOLDS, 0, "")


def complaint(text: str, code: int) -> str:
    """Why `text` is bad, which it is in the line that ends in HERE."""
    found, line, why = judged(text)
    marked = [number for number, words in enumerate(text.split("\n"), 1) if words.endswith(HERE)]
    assert (found, [line]) == (code, marked), why
    return why


def otherwise(claim: str) -> str:
    """Another claim about the same thing as `claim`, a line that begins with `=`."""
    match claim.split()[1:]:
        case [("scores" | "raw" | "bolts" | "concessions" | "falls" | "barrel") as what, *pairs]:
            number = 1 if pairs[-1] == "off" else int(pairs[-1]) + 1
            said = [what, *pairs[:-1], str(number)]
        case [("turn" | "declarer" | "dealer" | "sitter") as what, seat]:
            said = [what, "B" if seat == "A" else "A"]
        case ["phase", word]:
            said = ["phase", "play" if word == "auction" else "auction"]
        case ["trump", suit]:
            said = ["trump", "H" if suit == "S" else "S"]
        case ["contract", points]:
            said = ["contract", "100" if points == "none" else str(int(points) + 5)]
        case [("legal" | "melds") as what, seat, *cards]:
            said = [what, seat, *(["AS"] if cards == ["none"] else cards[:-1] or ["none"])]
        case ["bids", seat, "none"]:
            said = ["bids", seat, "100", "400"]
        case ["bids", seat, least, greatest]:
            said = ["bids", seat, least, str(int(greatest) + 5)]
        case ["may", "not", *who]:
            said = ["may", *who]
        case ["may", *who]:
            said = ["may", "not", *who]
        case ["winner", *seats]:
            said = ["winner", "A" if seats == ["none"] else "none"]
        case _:
            raise ValueError(claim)
    return " ".join(["=", *said])
