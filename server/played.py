"""The games that a room's log tells of, and who played them."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.cards import Seat
from engine.events import GameStarted
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
    room: Room | None = None
    told: Played | None = None
    for entry in standing(entries):
        for fact in entry.happened:
            room = evolve(room, fact)
            if isinstance(fact, GameStarted):
                if told:
                    yield told
                told = _begun(room)
            elif told and told.state == "running":
                told = _told(told, room)
    if told:
        yield told


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
    nobody = Played(
        game=game,
        state="running",
        winners=(),
        names=("",) * len(room.players),
        keys=frozenset(),
    )
    return _told(nobody, room)


def _told(before: Played, room: Room) -> Played:
    """The game after one fact more, which may be its last."""
    phase = room.phase
    pairs = zip(room.players, before.names, strict=True)
    winners = phase.winners if isinstance(phase, Over) else ()
    return replace(
        before,
        game=game_of(room) or before.game,
        state="running" if game_runs(room) else "won" if winners else "ended",
        winners=winners,
        names=tuple(player.name if player else name for player, name in pairs),
        keys=before.keys | {player.key for player in room.players if player},
    )
