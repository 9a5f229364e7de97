"""The games that a room's log tells of, and who played them."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.events import GameEnded, GameStarted, GameWon
from engine.evolve import evolve
from engine.history import Entry, standing
from engine.lobby import game_runs
from engine.state import Game, Over, Room, game_of
from server.replay_messages import GameSummary


class Played(Struct, frozen=True, kw_only=True):
    """A game as far as it went. Names go by seat: whoever sat there last."""

    game: Game
    state: Literal["won", "ended", "running"]
    winners: tuple[Seat, ...]
    names: tuple[str, ...]
    keys: frozenset[str]
    """Of everybody who sat there while it ran."""


def games_in(entries: Iterable[Entry]) -> Iterator[Played]:
    """The games of a room whose `entries` from the first these are, the oldest first.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    return iter(told_by(entries)[0])


def told_by(entries: Iterable[Entry]) -> tuple[list[Played], Room | None]:
    """The games of a room, the oldest first, and where the room stands.

    Raises:
        LogCorrupt: the entries do not follow each other.
    """
    games: list[Played] = []
    room: Room | None = None
    runs = False
    for entry in standing(entries):
        for fact in entry.happened:
            before, room = room, evolve(room, fact)
            if isinstance(fact, GameStarted):
                games.append(_begun(room))
                runs = True
            elif runs and before is not None and room.players is not before.players:
                games[-1] = _seated(games[-1], room)
            elif runs and isinstance(fact, GameWon | GameEnded):
                games[-1] = _told(games[-1], room)
                runs = False
    if runs and room is not None:
        games[-1] = _told(games[-1], room)
    return games, room


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


def _begun(room: Room) -> Played:
    game = game_of(room)
    if game is None:
        raise TypeError("a game that has begun is there")
    nobody = ("",) * len(room.players)
    played = Played(game=game, state="running", winners=(), names=nobody, keys=frozenset())
    return _seated(played, room)


def _seated(played: Played, room: Room) -> Played:
    """The game when those who sit in `room` play it."""
    pairs = zip(room.players, played.names, strict=True)
    return replace(
        played,
        names=tuple(player.name if player else name for player, name in pairs),
        keys=played.keys | {player.key for player in room.players if player},
    )


def _told(played: Played, room: Room) -> Played:
    """The game as it is in `room`, perhaps over."""
    phase = room.phase
    winners = phase.winners if isinstance(phase, Over) else ()
    return replace(
        played,
        game=game_of(room) or played.game,
        state="running" if game_runs(room) else "won" if winners else "ended",
        winners=winners,
    )
