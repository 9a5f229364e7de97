"""The score sheet as a table for a spreadsheet: a row a deal, a column a player."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime

from engine.cards import Seat
from engine.events import DealScored, Line
from server.played import Played

Row = list[object]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What makes a spreadsheet compute a text instead of showing it."""


def write_sheet(code: str, played: Played) -> str:
    """The sheet of a game of room `code`.

    Begins with a mark by which spreadsheets know UTF-8.
    """
    out = io.StringIO()
    out.write("\ufeff")
    csv.writer(out).writerows(_rows(code, played))
    return out.getvalue()


def _rows(code: str, played: Played) -> Iterator[Row]:
    game = played.game
    names = [_harmless(name) for name in played.names]
    yield ["room", code, "game", game.number]
    yield ["profile", f"{game.profile.id}@{game.profile.version}"]
    for rule, value in game.profile.chosen.items():
        yield ["rule", rule, str(value).lower()]
    date = "" if game.at is None else datetime.fromtimestamp(game.at, UTC).isoformat()
    yield ["date", date]
    yield ["state", played.state, *(names[seat] for seat in played.winners)]
    yield []
    yield [
        *("deal", "outcome", "dealer", "declarer", "contract", "made"),
        *names,
        *(f"{name} {part}" for name in names for part in _PARTS),
    ]
    for deal in game.sheet:
        yield _row(deal, names)


_PARTS = ("raw", "written", "bolts", "barrel")


def _row(deal: DealScored, names: list[str]) -> Row:
    made = {True: "yes", False: "no", None: ""}[deal.made]
    return [
        *(deal.number, deal.outcome, names[deal.dealer], _name(deal.declarer, names)),
        *(deal.contract, made),
        *(line.after.score for line in deal.lines),
        *(part for line in deal.lines for part in _parts(line)),
    ]


def _parts(line: Line) -> Row:
    written = line.after.score - line.before.score
    return [line.raw, written, line.after.bolts, line.after.barrel]


def _name(seat: Seat | None, names: list[str]) -> str:
    return "" if seat is None else names[seat]


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name
