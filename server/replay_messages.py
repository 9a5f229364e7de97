"""What the server says over HTTP of games that were played: replay, archive and evening."""

from typing import Literal

import msgspec
from msgspec import Struct

from engine.cards import Card, Seat
from engine.choices import Choices
from engine.events import Gift
from engine.glimpses import Glimpse
from engine.views import SheetView, TableView

REPLAY = 1
"""Number of the shape of a replay."""

Patch = msgspec.Raw
"""What makes one document out of the one before; PROTOCOL.md says how it is applied."""


class ReplayCommon(Struct, frozen=True, kw_only=True):
    """What everybody saw alike: the chairs, as the table screen has them, and the sheet."""

    table: TableView
    sheet: SheetView | None


class AllHandsView(Struct, frozen=True, kw_only=True):
    """Every card of the deal, beside what the table screen showed. Only of a game that is over."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat; empty where no deal runs."""
    talons: tuple[tuple[Card, ...], ...]
    """As they were dealt, by number."""
    gifts: tuple[Gift, ...]
    laid_away: tuple[Card, ...]
    points: tuple[int, ...]
    """Card points taken, by seat; empty where no cards fall."""
    may: Choices
    """What the seat on turn could do."""


class ReplayChapter(Struct, frozen=True, kw_only=True):
    """A deal: the steps from number `first`, counted from 0, up to the next chapter.

    The first chapter is the beginning of the game, before anything was dealt.
    """

    first: int
    deal: int
    """Counted from 1 as on the sheet; a void deal and the one after it have the same number."""
    voided: Literal["four_nines", "weak_talon", "agreed"] | None


class ReplayStep(Struct, frozen=True, kw_only=True):
    """An entry of the game."""

    seq: int
    kind: str
    """The type of the first of its facts; `undone`: decisions were taken back here."""
    seat: Seat | None
    """Who decided; null: nobody, or the house."""
    trick: int | None
    """Of a card: the number of its trick, from 1."""
    undone: bool
    """It was taken back later, or happened while something stood that was."""


class Replay(Struct, frozen=True, kw_only=True):
    """A game as it was shown. GET /api/rooms/{code}/games/{number}/replay.

    The lists of patches have one for every step, for the document after the step before.
    """

    format: int
    code: str
    number: int
    """Which game of the room, from 1."""
    finished: bool
    viewers: tuple[Seat | None, ...]
    """Whose views these are; null: the table screen's."""
    chapters: tuple[ReplayChapter, ...]
    steps: tuple[ReplayStep, ...]
    common: tuple[Patch, ...]
    """For a ReplayCommon; whole at the first step only."""
    games: tuple[tuple[Patch, ...], ...]
    """By step, then by viewer, for a GameView; whole at the first step of a chapter."""
    glimpses: tuple[tuple[tuple[Glimpse, ...], ...], ...]
    """By step, then by viewer: what was seen to happen."""
    all_hands: tuple[Patch, ...] | None
    """For an AllHandsView; whole at the first step of a chapter. Null: they are not to be seen."""


class GameSummary(Struct, frozen=True, kw_only=True):
    """A game in the archive. All lists go by seat."""

    code: str
    number: int
    at: int | None
    """When it began, in seconds since 1970; null: not known."""
    profile: str
    version: int
    state: Literal["won", "ended", "running"]
    """`ended`: by the table, with nobody as winner."""
    names: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    deals: int
    """Written deals."""


class ArchivePage(Struct, frozen=True, kw_only=True):
    """Games kept on this box, the newest first. GET /api/archive."""

    games: tuple[GameSummary, ...]
    page: int
    pages: int
    complete: bool = True
    """False: some rooms are still being read, and their games are missing. Ask again."""


class GameSheet(Struct, frozen=True, kw_only=True):
    """A finished game on paper. GET /api/rooms/{code}/games/{number}/sheet."""

    game: GameSummary
    sheet: SheetView


class EveningPlayer(Struct, frozen=True, kw_only=True):
    """What a player did in all games of a room, whichever the chair."""

    name: str
    games: int
    won: int
    points: int
    """Added to the totals by all deals."""
    made: int
    """Contracts."""
    failed: int
    conceded: int
    melds: int
    bolts: int


class Evening(Struct, frozen=True, kw_only=True):
    """All games of a room together. GET /api/rooms/{code}/evening."""

    games: tuple[GameSummary, ...]
    """In the order in which they were played."""
    players: tuple[EveningPlayer, ...]
    """In the order in which they first played."""
