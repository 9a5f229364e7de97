"""A record's text, read whole before anything of it is played."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from engine.profile import Profile
from engine.record.claims import read_claim
from engine.record.deals import lays_cards, read_deal
from engine.record.deeds import read_deed
from engine.record.header import HEADER_WORDS, read_header
from engine.record.lines import Line, Unreadable, lines_of
from engine.record.statements import Record, Refusal, Statement
from engine.record.words import CODES, LETTERS

BODY_WORDS = ("deal", "=", "!", *LETTERS)
"""How what follows the header begins. Claims may stand before the first deal too."""


def read_record(text: str, profiles: Mapping[str, Profile]) -> Record:
    """The record in `text`, played by one of `profiles`, by id.

    Raises:
        Unreadable: the first line that cannot be read.
    """
    lines = lines_of(text)
    if not lines or lines[0].words[0] != "prikup":
        raise Unreadable(lines[0].number if lines else 1, "a record begins with `prikup 1`")
    first = next((at for at, line in enumerate(lines) if line.words[0] == "deal"), len(lines))
    end = lines[min(first, len(lines) - 1)].number
    early = [line for line in lines[:first] if line.words[0] in BODY_WORDS]
    opening = [line for line in lines[:first] if line.words[0] not in BODY_WORDS]
    header = read_header(opening, end, profiles)
    return Record(header, tuple(_statements([*early, *lines[first:]], header.profile)))


def _statements(lines: Sequence[Line], profile: Profile) -> Iterator[Statement]:
    left = deque(lines)
    while left:
        line = left.popleft()
        match line.words:
            case ["deal", *_]:
                block = []
                while left and lays_cards(left[0]):
                    block.append(left.popleft())
                yield Statement(line.number, read_deal(line, block, profile))
            case ["!", *deed, ":", code] if code in CODES:
                yield Statement(line.number, Refusal(read_deed(line, deed, profile), CODES[code]))
            case ["!", *_, ":", code]:
                raise line.wrong(f"{code!r} is no refusal")
            case ["=", *_]:
                yield Statement(line.number, read_claim(line, profile))
            case [word, *_] if word in HEADER_WORDS:
                raise line.wrong(f"{word} belongs before the first deal")
            case _:
                yield Statement(line.number, read_deed(line, line.words, profile))
