"""What may be taken back, how far, and whether the others have to consent (BACK)."""

from msgspec import Struct

from engine.cards import Seat
from engine.events import (
    AcesMelded,
    BidPlaced,
    CardPlayed,
    CardsLaidAway,
    ContractSet,
    DealScored,
    GameEnded,
    GameWon,
    MarriageMelded,
    Passed,
)
from engine.evolve import RosterEvent
from engine.history import Entry, Past
from engine.rejections import Reason, Rejected

Returnable = (
    BidPlaced | Passed | CardsLaidAway | ContractSet | MarriageMelded | AcesMelded | CardPlayed
)
"""Decisions that can be taken back. None of them shows its own seat a card it did not know."""


class TakeBack(Struct, frozen=True):
    """Nothing after entry `back_to` is to count; `consent`: if the others agree."""

    back_to: int
    consent: bool


def take_back(past: Past, seat: Seat) -> TakeBack | Rejected:
    """How `seat` takes its last decision back, and with it what others did since.

    BACK-2: at once while nobody acted since. BACK-3: else the others consent.
    BACK-4: never across the dealing, a taken talon or given cards, nor out of a finished deal.
    """
    mode = past.room.take_back if past.room else "off"
    if mode == "off":
        return Rejected(Reason.TAKE_BACK_OFF)
    others = False
    for entry in reversed(past.entries[1:]):  # with the first one it all began
        decision = entry.facts[0]
        if isinstance(decision, RosterEvent):
            continue
        if not isinstance(decision, Returnable) or _deal_is_over(entry):
            return Rejected(Reason.TAKE_BACK_BORDER)
        if decision.seat == seat:
            return TakeBack(entry.seq - 1, consent=others and mode == "ask")
        others = True
    return Rejected(Reason.NOTHING_TO_TAKE_BACK)


def _deal_is_over(entry: Entry) -> bool:
    return any(isinstance(fact, DealScored) for fact in entry.facts)


def reopening(past: Past) -> TakeBack | Rejected:
    """How a finished game goes on before its last decision, if the others agree (BACK-5)."""
    for entry in reversed(past.entries):
        if any(isinstance(fact, GameWon | GameEnded) for fact in entry.facts):
            return TakeBack(entry.seq - 1, consent=True)
    return Rejected(Reason.TOO_LATE)
