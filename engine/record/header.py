"""The beginning of a record: version, rules, players, dealer and standings."""

from collections.abc import Iterator, Mapping, Sequence

from engine.cards import Seat
from engine.events import GameStarted, Standing
from engine.house_rules import HOUSE_RULES, with_house_rules
from engine.profile import Profile, Setting
from engine.record.lines import Line, Unreadable
from engine.record.standings import read_standings, standing_words
from engine.record.statements import Header
from engine.record.words import LETTERS, seat_word, setting_word

VERSION = "1"

HEADER_WORDS = ("prikup", "profile", "set", "seat", "dealer", "standing")


def read_header(lines: Sequence[Line], end: int, profiles: Mapping[str, Profile]) -> Header:
    """What `lines`, in any order but for the first, say; by line number `end` they say it all.

    Raises:
        Unreadable: they make no header. It tells of the first line that is wrong.
    """
    wrong = [line.unknown() for line in lines if line.words[0] not in HEADER_WORDS]
    try:
        header = _fitted({word: _of(lines, word) for word in HEADER_WORDS}, end, profiles)
    except Unreadable as complaint:
        wrong.append(complaint)
    if wrong:
        raise min(wrong, key=lambda complaint: complaint.line)
    return header


def _of(lines: Sequence[Line], word: str) -> list[Line]:
    return [line for line in lines if line.words[0] == word]


def _fitted(
    said: Mapping[str, Sequence[Line]], end: int, profiles: Mapping[str, Profile]
) -> Header:
    version = _once(said["prikup"], "version", end)
    if version.words[1:] != (VERSION,):
        raise version.wrong(f"this reads records of `prikup {VERSION}`")
    profile = _profile(_once(said["profile"], "profile", end), profiles)
    profile = _with_rules(profile, said["set"])
    players = profile.table.players
    names = tuple(_names(said["seat"], players))
    if len(names) < players:
        raise Unreadable(end, f"{profile.id} has {players} seats, not {len(names)}")
    dealer = _once(said["dealer"], "dealer", end)
    match dealer.words[1:]:
        case [letter]:
            deals_first = dealer.seat(letter, players)
        case _:
            raise dealer.unknown()
    standings = read_standings(said["standing"], profile, deals_first)
    return Header(profile=profile, names=names, dealer=deals_first, standings=standings)


def _once(lines: Sequence[Line], what: str, end: int) -> Line:
    if not lines:
        raise Unreadable(end, f"the {what} is missing")
    if len(lines) > 1:
        raise lines[1].wrong(f"the {what} is said twice")
    return lines[0]


def _profile(line: Line, profiles: Mapping[str, Profile]) -> Profile:
    match line.words[1:]:
        case [word]:
            name, pinned, version = word.partition("@")
        case _:
            raise line.unknown()
    if name not in profiles:
        raise line.wrong(f"{name!r} is no profile; they are {', '.join(profiles)}")
    found = profiles[name]
    if pinned and line.whole(version) != found.version:
        raise line.wrong(f"{name} is here in version {found.version}, not {version}")
    return found


def _with_rules(profile: Profile, lines: Sequence[Line]) -> Profile:
    """`profile` with the house rules that `lines` set."""
    chosen: dict[str, Setting] = {}
    changed = profile
    for line in lines:
        match line.words[1:]:
            case [key, word]:
                pass
            case _:
                raise line.unknown()
        if key not in profile.house_rules:
            raise line.wrong(f"{profile.id} has no house rule {key!r}")
        if key in chosen:
            raise line.wrong(f"{key} is set twice")
        values = {setting_word(value): value for value in HOUSE_RULES[key].values}
        if word not in values:
            raise line.wrong(f"{key} cannot be {word!r}; it is one of {', '.join(values)}")
        chosen[key] = values[word]
        try:
            changed = with_house_rules(profile, chosen)
        except ValueError as contradiction:
            raise line.wrong(str(contradiction)) from contradiction
    return changed


def _names(lines: Sequence[Line], players: int) -> Iterator[str]:
    """Who sits where, seat A first."""
    for index, line in enumerate(lines):
        match line.words[1:]:
            case [letter, *name] if name:
                pass
            case _:
                raise line.unknown()
        if index >= players:
            raise line.wrong(f"there are only {players} seats")
        if letter != LETTERS[index]:
            raise line.wrong(f"the next seat is {LETTERS[index]}, not {letter!r}")
        yield " ".join(name)


def header_lines(started: GameStarted, names: Sequence[str]) -> Iterator[str]:
    """How a record begins that tells of a game of `names`."""
    profile = started.profile
    yield f"prikup {VERSION}"
    yield f"profile {profile.id}@{profile.version}"
    for key, value in profile.chosen.items():
        yield f"set {key} {setting_word(value)}"
    for index, name in enumerate(names):
        yield f"seat {LETTERS[index]} {_harmless(name)}"
    yield f"dealer {seat_word(started.dealer)}"
    for index, standing in enumerate(started.standings):
        if standing != Standing():
            yield f"standing {seat_word(Seat(index))} {standing_words(standing)}"


def _harmless(name: str) -> str:
    """`name`, with the wide form of a mark that would begin a comment where it stands."""
    return " ".join("＃" + word[1:] if word.startswith("#") else word for word in name.split())
