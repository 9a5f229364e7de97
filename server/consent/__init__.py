"""What waits for somebody's consent: who is asked, and what their answers come to.

A proposal is one of seven kinds; what depends on the kind stands here and nowhere else. Nothing
here is stored: what the table agrees to becomes an entry of the log, everything else leaves no
trace, and a restart lets it lapse.
"""

from engine.cards import Seat
from engine.history import Past
from server.consent.base import Asked, Asks, Outcome
from server.consent.claims import CLAIM_LIVES, OBJECT_WITHIN, Notice, SittingIn, TakingOver
from server.consent.wishes import (
    PROPOSAL_LIVES,
    Ending,
    Kicking,
    Reopening,
    TakingBack,
    Voiding,
)

__all__ = [
    "CLAIM_LIVES",
    "OBJECT_WITHIN",
    "PROPOSAL_LIVES",
    "Asked",
    "Asks",
    "Ending",
    "Kicking",
    "Notice",
    "Outcome",
    "Proposal",
    "Reopening",
    "SittingIn",
    "TakingBack",
    "TakingOver",
    "Voiding",
    "up_to_date",
]

Proposal = TakingBack | Reopening | Voiding | Ending | Kicking | TakingOver | SittingIn
"""Something that a player wants, or a device without a seat.

It is bound to what everybody saw when it was made: a decision, a deal, a game, a player, a chair.
"""


def up_to_date(proposal: Proposal, past: Past) -> Proposal | None:
    """The proposal as the room is now; None: what it was about is no longer so."""
    room = past.room
    if room is None or not proposal.comes_from(room) or not proposal.still_open(past, room):
        return None
    return proposal.asking(
        tuple(
            Asked(Seat(index), player.name)
            for index, player in enumerate(room.players)
            if player is not None and index not in proposal.spared
        )
    )
