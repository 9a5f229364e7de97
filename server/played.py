"""The games that a room's log tells of, and who played them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from engine.cards import Seat
from engine.games import NoSuchGame, Step, steps
from engine.history import Entry
from engine.lobby import game_runs
from engine.state import Game, Over, game_of
from server.replay_messages import GameSummary


class Played(Struct, frozen=True, kw_only=True):
    """A game as far as it went. Names go by seat: whoever sat there last."""

    game: Game
    state: Literal["won", "ended", "running"]
    winners: tuple[Seat, ...]
    names: tuple[str, ...]


def games_in(entries: Iterable[Entry]) -> Iterator[Played]:
    """The games of a room whose `entries` from the first these are, the oldest first.

    Each is told as soon as it is certain that it is over, the last one as far as it went.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    played: Played | None = None
    for step in steps(entries):
        played = after(played, step)
        if played is not None and played.state != "running":
            yield played
    if played is not None and played.state == "running":
        yield played


def game_in(entries: Iterable[Entry], number: int) -> Played:
    """Game `number` of the room, as far as it went; what comes behind it is not looked at.

    Raises:
        NoSuchGame: it had not begun.
        LogCorrupt: the entries do not follow each other.
    """
    for played in games_in(entries):
        if played.game.number == number:
            return played
    raise NoSuchGame(f"there is no game {number}")


def after(played: Played | None, step: Step) -> Played | None:
    """The game to which `step` belongs, after it; `played` is what it was before. None: to none."""
    room, game = step.room, game_of(step.room)
    if not step.game or game is None:
        return None
    before = played.names if played and not step.begins else ("",) * len(room.players)
    winners = room.phase.winners if isinstance(room.phase, Over) else ()
    sits = zip(room.players, before, strict=True)
    return Played(
        game=game,
        state="running" if game_runs(room) else "won" if winners else "ended",
        winners=winners,
        names=tuple(player.name if player else name for player, name in sits),
    )


def who_played(entries: Iterable[Entry], keys: Collection[str]) -> frozenset[str]:
    """Those of `keys` with one of which somebody sat there while a game ran.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    found: set[str] = set()
    for step in steps(entries):
        if step.game:
            found |= {one.key for one in step.room.players if one and one.key in keys}
    return frozenset(found)


def summary_of(code: str, played: Played) -> GameSummary:
    """`played` as the archive lists it."""
    game = played.game
    return GameSummary(
        code=code,
        number=game.number,
        at=game.at,
        profile=game.profile.id,
        version=game.profile.version,
        state=played.state,
        names=played.names,
        totals=tuple(standing.score for standing in game.standings),
        winners=played.winners,
        deals=len(game.sheet),
    )
