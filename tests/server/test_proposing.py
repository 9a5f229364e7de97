"""Wishes as they are put to the others."""

import re

import msgspec
import pytest

from engine.cards import Seat
from engine.rejections import Reason
from server.consent import (
    CLAIM_LIVES,
    PROPOSAL_LIVES,
    Kicking,
    Proposal,
    SittingIn,
    TakingBack,
    TakingOver,
    Voiding,
)
from server.identity import key_of
from server.proposing import claimed, proposed
from server.protocol import Claim, EndGame, Id, Kick, Proposing, Reopen, TakeBack, VoidDeal
from tests.engine.agreeing import Agreeing
from tests.support import RU_3, A, B, C

TOKEN = "T" * 22
NOW = 100.0


@pytest.fixture
def table() -> Agreeing:
    """In an auction that A has opened."""
    table = Agreeing(RU_3, dealer="C")
    table.deals()
    table.does("A bid 100")
    return table


def by_a(table: Agreeing, wish: Proposing) -> Proposal:
    made = proposed(wish, A, table.past, table.room, NOW)
    assert isinstance(made, Proposal), made
    return made


def claim(table: Agreeing, seat: Seat, name: str = "") -> Proposal | Reason:
    return claimed(Claim(seat=seat, token=TOKEN, name=name), table.past, table.room, NOW)


def test_back_2_what_nobody_has_to_be_asked_for_is_agreed_to_already(table: Agreeing):
    at_once = by_a(table, TakeBack())
    table.does("B pass")
    asked = by_a(table, TakeBack())

    assert isinstance(at_once, TakingBack)
    assert isinstance(asked, TakingBack)
    assert (at_once.freely, asked.freely) == (True, False)


def test_a_proposal_can_be_answered_for_a_while_by_its_id(table: Agreeing):
    made = by_a(table, EndGame())

    assert made.until == NOW + PROPOSAL_LIVES
    assert msgspec.convert(made.id, Id) == made.id != by_a(table, EndGame()).id


def test_a_kick_names_who_would_go(table: Agreeing):
    kick = by_a(table, Kick(seat=C))

    assert isinstance(kick, Kicking)
    assert (kick.seat, kick.name, kick.key, kick.asked) == (C, "Player 2", "2", (B,))


def test_a_voided_deal_is_bound_to_its_dealing(table: Agreeing):
    void = by_a(table, VoidDeal())

    assert isinstance(void, Voiding)
    assert void.dealing == table.past.begun


def test_a_running_game_cannot_be_reopened(table: Agreeing):
    assert proposed(Reopen(), A, table.past, table.room, NOW) is Reason.TOO_LATE


def test_a_tap_on_a_picture_that_is_old_takes_nothing_back(table: Agreeing):
    seen = TakeBack(seq=table.past.seq)
    table.does("B pass")
    fresh = TakeBack(seq=table.past.seq)

    assert proposed(seen, A, table.past, table.room, NOW) is Reason.TOO_LATE
    back = by_a(table, fresh)
    assert isinstance(back, TakingBack)
    assert back.place == table.past.place


def test_a_claim_on_a_taken_chair_is_for_the_name_that_sits_there(table: Agreeing):
    made = claim(table, C, "Somebody else")

    assert isinstance(made, TakingOver)
    assert (made.name, made.key) == ("Player 2", key_of(TOKEN))
    assert (made.by, made.asked, made.until) == (None, (A, B, C), NOW + CLAIM_LIVES)
    assert re.fullmatch("[0-9]{2}", made.sign)


def test_a_claim_on_a_free_chair_brings_a_name(table: Agreeing):
    table.kicks("C")

    made = claim(table, C, "  No\tra ")

    assert isinstance(made, SittingIn)
    assert made.name == "No ra"
    assert claim(table, C) is Reason.NAME_EMPTY
    assert claim(table, C, "N" * 17) is Reason.NAME_TOO_LONG


@pytest.mark.parametrize("seat", [-1, 3, 10**30])
def test_there_is_no_such_chair(table: Agreeing, seat: int):
    assert claim(table, Seat(seat), "Nora") is Reason.NO_SUCH_CHAIR
    kick = Kick(seat=Seat(seat))
    assert proposed(kick, A, table.past, table.room, NOW) is Reason.NO_SUCH_CHAIR
