"""The game of Thousand, pure: no clock, no dice, no files.

Shuffles and time-outs come in as commands.
"""

from engine.cards import Card, Rank, Seat, Suit
from engine.commands import AnyAction, Command
from engine.decide import Decision, decide
from engine.events import AnyEvent
from engine.evolve import LogCorrupt, evolve, fold
from engine.glimpses import Glimpse, glimpse
from engine.history import AskId, Entry
from engine.house_rules import HOUSE_RULES, UnknownHouseRule, with_house_rules
from engine.profile import Profile
from engine.rejections import Reason, Rejected
from engine.state import Room
from engine.views import GameView, SheetView, TableView, Viewer, game_view, sheet_view, table_view

__all__ = [
    "HOUSE_RULES",
    "AnyAction",
    "AnyEvent",
    "AskId",
    "Card",
    "Command",
    "Decision",
    "Entry",
    "GameView",
    "Glimpse",
    "LogCorrupt",
    "Profile",
    "Rank",
    "Reason",
    "Rejected",
    "Room",
    "Seat",
    "SheetView",
    "Suit",
    "TableView",
    "UnknownHouseRule",
    "Viewer",
    "decide",
    "evolve",
    "fold",
    "game_view",
    "glimpse",
    "sheet_view",
    "table_view",
    "with_house_rules",
]
