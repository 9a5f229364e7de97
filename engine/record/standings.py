"""What stands on the sheet when a record begins."""

from collections.abc import Mapping, Sequence

from engine.cards import Seat
from engine.events import Standing
from engine.profile import Profile
from engine.record.lines import Line
from engine.record.words import LETTERS
from engine.scoring import winners_of
from engine.state import Game


def read_standings(lines: Sequence[Line], profile: Profile, dealer: Seat) -> tuple[Standing, ...]:
    """The standing of every seat; a seat of which no line speaks has nothing.

    Raises:
        Unreadable: a line is no standing, or no game can come to it.
    """
    given: dict[Seat, Standing] = {}
    told: dict[Seat, Line] = {}
    for line in lines:
        match line.words[1:]:
            case [letter, score, *counters] if len(counters) % 2 == 0:
                seat = line.seat(letter, profile.table.players)
            case _:
                raise line.unknown()
        if seat in given:
            raise line.wrong(f"{letter} stands somewhere already")
        given[seat], told[seat] = _read_standing(line, score, counters, profile), line
    standings = tuple(given.get(Seat(index), Standing()) for index in range(profile.table.players))
    # Nobody declares before the first deal, so only a total can have won.
    for winner in winners_of(Game(number=1, profile=profile, standings=standings, dealer=dealer)):
        raise told[winner].wrong(f"{LETTERS[winner]} would have won already")
    return standings


def _read_standing(line: Line, score: str, counters: Sequence[str], profile: Profile) -> Standing:
    """A score and the counters that the profile has."""
    limits = _limits(profile)
    counts: dict[str, int] = {}
    for name, word in zip(counters[::2], counters[1::2], strict=True):
        if name not in limits:
            raise line.wrong(f"{profile.id} counts no {name!r}")
        if name in counts:
            raise line.wrong(f"{name} is said twice")
        counts[name] = line.whole(word)
        if counts[name] not in range(limits[name]):
            raise line.wrong(f"{name} goes from 0 to {limits[name] - 1}")
    standing = Standing(
        score=line.whole(score),
        bolts=counts.get("bolts", 0),
        barrel=counts.get("barrel"),
        concessions=counts.get("concessions", 0),
        falls=counts.get("falls", 0),
    )
    if profile.barrel is not None:
        mark = profile.barrel.at
        if standing.barrel is not None and standing.score != mark:
            raise line.wrong(f"on the barrel the total is {mark}")
        if standing.barrel is None and mark <= standing.score < profile.scoring.target:
            raise line.wrong(f"from {mark} on a player is on the barrel")
    return standing


def _limits(profile: Profile) -> Mapping[str, int]:
    """The counters of `profile`, each with the first value that it cannot have."""
    limits: dict[str, int] = {}
    if profile.bolts is not None:
        limits["bolts"] = profile.bolts.limit
    if profile.barrel is not None:
        limits["barrel"] = profile.barrel.deals
        if profile.barrel.zero_after_falls is not None:
            limits["falls"] = profile.barrel.zero_after_falls
    if profile.concession is not None:
        costly, most = profile.concession.costly, profile.concession.limit
        limits["concessions"] = costly if costly is not None else 1 + (most or 0)
    return limits


def standing_words(standing: Standing) -> str:
    """The score, and every counter that is not at its beginning."""
    words = [str(standing.score)]
    words += [f"bolts {standing.bolts}"] * (standing.bolts > 0)
    words += [f"barrel {standing.barrel}"] * (standing.barrel is not None)
    words += [f"concessions {standing.concessions}"] * (standing.concessions > 0)
    words += [f"falls {standing.falls}"] * (standing.falls > 0)
    return " ".join(words)
