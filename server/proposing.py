"""A wish that needs the others, as the proposal that is put to them."""

import secrets
from typing import assert_never

from engine.cards import Seat
from engine.history import Past
from engine.lobby import game_runs, name_complaint, readable
from engine.rejections import Reason, Rejected
from engine.state import InDeal, Room
from engine.take_back import reopening, take_back
from server.chairs import player_on
from server.consent import CLAIM_LIVES, PROPOSAL_LIVES, Proposal, up_to_date
from server.identity import key_of
from server.protocol import (
    Claim,
    EndGame,
    Kick,
    ProposalKind,
    Proposing,
    Reopen,
    TakeBack,
    VoidDeal,
)


def proposed(wish: Proposing, seat: Seat, past: Past, room: Room, now: float) -> Proposal | Reason:
    """What `seat` puts to the others, or may do without asking them; or why it cannot be."""
    match wish:
        case TakeBack(seq=seq) if seq not in (None, past.seq):
            return Reason.TOO_LATE
        case TakeBack():
            return _take_back(seat, past, now)
        case Reopen():
            again = reopening(past)
            if isinstance(again, Rejected):
                return again.reason
            return _by(seat, "reopen", past, now, back_to=again.back_to)
        case VoidDeal():
            if not isinstance(room.phase, InDeal):
                return Reason.NO_DEAL
            return _by(seat, "void_deal", past, now, place=past.begun)
        case EndGame():
            return _by(seat, "end_game", past, now) if game_runs(room) else Reason.NO_GAME
        case Kick(seat=chair):
            if chair not in range(len(room.players)):
                return Reason.NO_SUCH_CHAIR
            sits = player_on(room, chair)
            if sits is None or chair == seat:
                return Reason.CHAIR_FREE if sits is None else Reason.NOT_ASKED
            return _by(seat, "kick", past, now, seat=chair, key=sits.key, name=sits.name)
        case never:
            assert_never(never)


def claimed(claim: Claim, past: Past, room: Room, now: float) -> Proposal | Reason:
    """What a device without a seat asks of the table, or why it cannot."""
    if claim.seat not in range(len(room.players)):
        return Reason.NO_SUCH_CHAIR
    sits, name = player_on(room, claim.seat), readable(claim.name)
    if sits is None:
        if not game_runs(room):
            return Reason.CHAIR_FREE
        if broken := name_complaint(name):
            return broken
    made = Proposal(
        id=_new_id(),
        kind="sit_in" if sits is None else "take_over",
        by=None,
        seat=claim.seat,
        key=key_of(claim.token),
        name=name if sits is None else sits.name,
        sign=f"{secrets.randbelow(100):02}",
        until=now + CLAIM_LIVES,
    )
    return up_to_date(made, past) or Reason.PROPOSAL_OVER


def _take_back(seat: Seat, past: Past, now: float) -> Proposal | Reason:
    back = take_back(past, seat)
    if isinstance(back, Rejected):
        return back.reason
    free, place = not back.consent, past.place
    return _by(seat, "take_back", past, now, place=place, back_to=back.back_to, freely=free)


def _by(  # noqa: PLR0913  # what a proposal is about, named
    by: Seat,
    kind: ProposalKind,
    past: Past,
    now: float,
    *,
    seat: Seat | None = None,
    key: str = "",
    name: str = "",
    place: int = 0,
    back_to: int = 0,
    freely: bool = False,
) -> Proposal | Reason:
    made = Proposal(
        id=_new_id(),
        kind=kind,
        by=by,
        by_name=_name_of(past, by),
        seat=seat,
        key=key,
        name=name,
        place=place,
        back_to=back_to,
        freely=freely,
        until=now + PROPOSAL_LIVES,
    )
    return up_to_date(made, past) or Reason.PROPOSAL_OVER


def _name_of(past: Past, seat: Seat) -> str:
    player = player_on(past.room, seat) if past.room else None
    return player.name if player else ""


def _new_id() -> str:
    return secrets.token_urlsafe(8)
