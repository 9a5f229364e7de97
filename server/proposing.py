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
from server.consent import (
    Ending,
    Kicking,
    Proposal,
    Reopening,
    SittingIn,
    TakingBack,
    TakingOver,
    Voiding,
    up_to_date,
)
from server.identity import key_of
from server.protocol import Claim, EndGame, Kick, Proposing, Reopen, TakeBack, VoidDeal


def proposed(wish: Proposing, seat: Seat, past: Past, room: Room, now: float) -> Proposal | Reason:
    """What `seat` puts to the others, or may do without asking them; or why it cannot be."""
    made = _made(wish, seat, past, room, now)
    return made if isinstance(made, Reason) else up_to_date(made, past) or Reason.PROPOSAL_OVER


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
    kind = SittingIn if sits is None else TakingOver
    made = kind(
        began=now,
        seat=claim.seat,
        key=key_of(claim.token),
        name=name if sits is None else sits.name,
        sign=f"{secrets.randbelow(100):02}",
    )
    return up_to_date(made, past) or Reason.PROPOSAL_OVER


def _made(wish: Proposing, seat: Seat, past: Past, room: Room, now: float) -> Proposal | Reason:
    player = player_on(room, seat)
    name = player.name if player else ""
    match wish:
        case TakeBack(seq=seq) if seq not in (None, past.seq):
            return Reason.TOO_LATE
        case TakeBack():
            back = take_back(past, seat)
            if isinstance(back, Rejected):
                return back.reason
            return TakingBack(
                began=now,
                by=seat,
                by_name=name,
                place=past.place,
                back_to=back.back_to,
                freely=not back.consent,
            )
        case Reopen():
            again = reopening(past)
            if isinstance(again, Rejected):
                return again.reason
            return Reopening(began=now, by=seat, by_name=name, back_to=again.back_to)
        case VoidDeal():
            if not isinstance(room.phase, InDeal):
                return Reason.NO_DEAL
            return Voiding(began=now, by=seat, by_name=name, dealing=past.begun)
        case EndGame():
            if not game_runs(room):
                return Reason.NO_GAME
            return Ending(began=now, by=seat, by_name=name)
        case Kick(seat=chair):
            if chair not in range(len(room.players)):
                return Reason.NO_SUCH_CHAIR
            sits = player_on(room, chair)
            if sits is None or chair == seat:
                return Reason.CHAIR_FREE if sits is None else Reason.NOT_ASKED
            return Kicking(
                began=now,
                by=seat,
                by_name=name,
                seat=chair,
                key=sits.key,
                name=sits.name,
            )
        case never:
            assert_never(never)
