"""The score sheet as a table for a spreadsheet: a row a deal, a column a player.

Every cell is in quotes. Importers may ignore them, and split at whatever their locale or the person
before the dialog chooses; so no part of a text that could become a cell begins a formula.
"""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from unicodedata import category, normalize

from engine.cards import Seat
from engine.events import DealScored, Line
from server.played import Played

Row = list[object]

_SHOWN = "\u2019"
"""Before a sign it makes a text of what would be a formula. Unlike `'` it delimits no text in any
dialog, and no spreadsheet takes it away, so it also guards what is saved and opened again."""

_UNSEEN = ("Cc", "Zl", "Zp")
"""Control characters and ends of lines."""


def write_sheet(code: str, played: Played) -> str:
    """The sheet of a game of room `code`.

    Begins with a mark by which spreadsheets know UTF-8.
    """
    out = io.StringIO()
    out.write("\ufeff")
    rows = ([_cell(value) for value in row] for row in _rows(code, played))
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def _rows(code: str, played: Played) -> Iterator[Row]:
    game, names = played.game, list(played.names)
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


def _cell(value: object) -> object:
    """`value` as it is shown; numbers stay what they are."""
    return _harmless(value) if isinstance(value, str) else value


def _harmless(text: str) -> str:
    """`text`, in which no sign that begins a formula stands where a cell could begin.

    A cell could begin behind everything but a letter or a digit.
    """
    shown, before = [], ""
    for sign in text:
        visible = " " if category(sign) in _UNSEEN else sign
        guarded = _begins_formula(visible) and not before.isalnum()
        shown.append(_SHOWN + visible if guarded else visible)
        before = visible
    return "".join(shown)


def _begins_formula(sign: str) -> bool:
    """Somewhere: `=`, `+`, `-`, `@`, `%`, `|` in any width, and all that look like one of them."""
    return category(sign) in ("Sm", "Pd") or normalize("NFKC", sign)[0] in "=+-@%|"
