"""How long the log of a room may become, and by what.

Whatever is read of a room costs as much as its log is long, and everybody who knows the code may
add to it. So a room has an end, its documents have one, and what goes back and forth is counted.
"""

from collections.abc import Sequence

from engine.events import (
    AnyEvent,
    CardsDealt,
    DealVoided,
    GameEnded,
    GameWon,
    Undone,
)
from engine.evolve import RosterEvent, TableEvent
from engine.history import Past
from engine.lobby import game_runs
from engine.rejections import Reason
from engine.state import game_of
from server.limits import Account

LAST_GAME = 12 << 20
"""Bytes of entries above which no game begins in a room; a long game has a quarter of one MiB."""

LONGEST = 16 << 20
"""Bytes of entries above which nothing is stored but what ends the game."""

DEALS = 256
"""Deals on one sheet, which is sent whole after each of them."""

TAKE_BACKS = 1000
"""Take-backs on one sheet."""

IN_DEAL = 500
"""Entries of a deal above which nobody comes or goes before the next: an undo folds them again."""

Change = RosterEvent | TableEvent | Undone | DealVoided | GameEnded
"""What the next tap may undo: it brings no deal further, and so could go on for ever."""

Facts = Sequence[AnyEvent | Undone]


def is_change(facts: Facts) -> bool:
    """Whether an entry of `facts` could be undone by the next, and done again by the one after."""
    return any(isinstance(fact, Change) for fact in facts)


def refusal(facts: Facts, past: Past, size: int, account: Account | None) -> Reason | None:
    """Why `facts` are not stored in a room whose log has `size` bytes; None: they may be.

    `account` is of the address that they are stored for; None: of nobody who has limits. A game can
    always be ended.
    """
    if any(isinstance(fact, GameWon | GameEnded) for fact in facts):
        return None
    if size >= LONGEST or any(_has_no_place(fact, past, size) for fact in facts):
        return Reason.ROOM_FULL
    if account is not None and not account.pays(change=is_change(facts)):
        return Reason.TOO_MANY
    return None


def _has_no_place(fact: AnyEvent | Undone, past: Past, size: int) -> bool:
    room = past.room
    if room is None:
        return False
    if isinstance(fact, CardsDealt):
        game = game_of(room)
        return game is not None and len(game.sheet) >= DEALS
    if isinstance(fact, Undone):
        return len(past.taken_back) >= TAKE_BACKS
    if isinstance(fact, RosterEvent) and len(past.entries) >= IN_DEAL:
        return True
    table = isinstance(fact, RosterEvent | TableEvent)
    return table and size >= LAST_GAME and not game_runs(room)
