"""Whose consent is enough, and what silence and absence come to. Not one clock runs here."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import EndGame, HandOver, Kick, TakeSeat, VoidDeal
from engine.events import PlayersMoved, Undone
from engine.history import Entry, Past
from server.consent import OBJECT_WITHIN, OpenProposals, Proposal, up_to_date
from tests.engine.agreeing import Agreeing
from tests.support import RU_3, A, B, C

OF_ALL = ("take_back", "void_deal", "reopen")
OF_ONE = ("kick", "end_game")
CLAIMS = ("take_over", "sit_in")


def proposal(kind: str, **about: Any) -> Proposal:
    """One of `kind` by A, or a claim; about C's chair where it is about one."""
    claim = kind in CLAIMS
    asked = {"take_over": (A, B, C), "sit_in": (A, B), "kick": (B,)}
    told: dict[str, Any] = {
        "kind": kind,
        "key": "k",
        "name": "Nora",
        "by": None if claim else A,
        "seat": C if claim or kind == "kick" else None,
        "asked": asked.get(kind, (B, C)),
        **about,
    }
    return Proposal(id="a", until=20.0, **told)


def nobody(_seat: Seat) -> bool:
    return False


def everybody(_seat: Seat) -> bool:
    return True


def only(*those: Seat):
    return lambda seat: seat in those


@pytest.mark.parametrize("kind", OF_ALL)
def test_what_all_built_together_takes_all_of_them(kind: str):
    asked = proposal(kind)

    assert asked.enough == "all"
    assert not asked.is_agreed(everybody, 0.0)
    assert not asked.with_consent_of(B, 0.0).is_agreed(everybody, 0.0)
    assert asked.with_consent_of(B, 0.0).with_consent_of(C, 0.0).is_agreed(everybody, 0.0)


@pytest.mark.parametrize("kind", OF_ONE)
def test_elsewhere_one_is_enough(kind: str):
    asked = proposal(kind)

    assert asked.enough == "one"
    assert not asked.is_agreed(everybody, 0.0)
    assert asked.with_consent_of(B, 0.0).is_agreed(everybody, 0.0)


def test_a_seat_goes_to_another_device_by_its_players_own_word():
    assert proposal("take_over").with_consent_of(C, 0.0).is_agreed(everybody, 0.0)


def test_a_witness_hands_a_seat_over_only_while_its_own_device_is_not_here():
    witnessed = proposal("take_over").with_consent_of(B, 0.0)

    assert not witnessed.is_agreed(only(C), OBJECT_WITHIN)
    assert witnessed.is_agreed(only(B), 0.0)
    assert not proposal("take_over").is_agreed(nobody, OBJECT_WITHIN)


@pytest.mark.parametrize("kind", CLAIMS)
def test_whoever_else_is_here_has_time_to_object_to_a_witness(kind: str):
    witnessed = proposal(kind).with_consent_of(B, 10.0)

    assert not witnessed.is_agreed(only(A, B), 10.0 + OBJECT_WITHIN - 0.1)
    assert witnessed.is_agreed(only(A, B), 10.0 + OBJECT_WITHIN)
    assert witnessed.with_consent_of(A, 11.0).is_agreed(only(A, B), 11.0)


@pytest.mark.parametrize("kind", OF_ALL)
def test_with_nobody_to_ask_nobody_has_agreed(kind: str):
    assert not proposal(kind, asked=()).is_agreed(nobody, 0.0)


def test_to_agree_twice_is_to_agree_once():
    assert proposal("void_deal").with_consent_of(B, 0.0).with_consent_of(B, 0.0).agreed == (B,)


@pytest.mark.parametrize("kind", OF_ALL)
def test_at_the_end_whoever_is_away_does_not_block_those_who_agreed(kind: str):
    asked = proposal(kind).with_consent_of(B, 0.0)

    assert asked.at_the_end(only(C)) == "agreed"
    assert asked.at_the_end(nobody) == "lapsed"


@pytest.mark.parametrize("kind", OF_ALL)
def test_where_all_have_to_agree_absence_alone_is_no_consent(kind: str):
    assert proposal(kind).at_the_end(everybody) == "lapsed"


def test_a_game_is_ended_by_one_whom_all_others_have_left():
    assert proposal("end_game").at_the_end(everybody) == "agreed"
    assert proposal("end_game").at_the_end(only(B)) == "lapsed"


def test_somebody_who_is_away_is_kicked_where_all_others_are_away():
    assert proposal("kick").at_the_end(everybody) == "agreed"
    assert proposal("kick").at_the_end(only(B)) == "lapsed"
    assert proposal("kick").at_the_end(only(C)) == "lapsed"


@pytest.mark.parametrize("kind", CLAIMS)
def test_no_chair_goes_to_a_device_without_a_witness(kind: str):
    assert proposal(kind).at_the_end(everybody) == "lapsed"
    assert proposal(kind, asked=()).at_the_end(everybody) == "lapsed"


@pytest.mark.parametrize(
    ("kind", "effect"),
    [
        ("take_back", Undone(back_to=7, by=A, agreed=(B,))),
        ("reopen", Undone(back_to=7, by=A, agreed=(B,))),
        ("void_deal", VoidDeal(A, (B,))),
        ("end_game", EndGame(A, (B,))),
        ("kick", Kick(C, A, (B,))),
        ("take_over", HandOver(C, "k", (B,))),
        ("sit_in", TakeSeat("Nora", "k", C, (B,))),
    ],
)
def test_what_is_agreed_says_who_agreed(kind: str, effect: object):
    assert proposal(kind, back_to=7).with_consent_of(B, 0.0).effect() == effect


def test_a_claim_that_somebody_would_have_proposed_is_a_mistake():
    with pytest.raises(TypeError):
        proposal("take_over", by=A).effect()


@pytest.fixture
def table() -> Agreeing:
    """In an auction that A has opened."""
    table = Agreeing(RU_3, dealer="C")
    table.deals()
    table.does("A bid 100")
    return table


def of(table: Agreeing, kind: str, **about: Any) -> Proposal:
    """A proposal by A as the table stands."""
    past = table.past
    place = past.begun if kind == "void_deal" else past.place
    return proposal(kind, by_name="Player 0", place=place, back_to=past.place - 1, **about)


def test_everybody_who_sits_is_asked_but_who_proposes_and_who_is_to_be_kicked(table: Agreeing):
    for kind, asked in (("void_deal", (B, C)), ("kick", (B,)), ("take_over", (A, B, C))):
        told = {"key": "other", "name": "Player 2"} if kind == "take_over" else {"key": "2"}
        fresh = up_to_date(of(table, kind, asked=(), **told), table.past)
        assert fresh is not None
        assert fresh.asked == asked


def test_who_has_gone_is_asked_no_more_and_has_not_agreed(table: Agreeing):
    agreed = of(table, "void_deal").with_consent_of(C, 0.0)
    table.kicks("C")

    fresh = up_to_date(agreed, table.past)

    assert fresh is not None
    assert (fresh.asked, fresh.agreed) == ((B,), ())


def test_a_take_back_is_overtaken_by_the_next_decision_and_a_voided_deal_is_not(table: Agreeing):
    back, void = of(table, "take_back"), of(table, "void_deal")
    table.does("B pass")

    assert up_to_date(back, table.past) is None
    assert up_to_date(void, table.past) is not None


def test_a_take_back_is_not_overtaken_by_who_comes_and_goes(table: Agreeing):
    back = of(table, "take_back")
    table.hands_over("B", "other")

    assert up_to_date(back, table.past) is not None


def test_to_void_a_deal_is_not_to_void_the_next_one(table: Agreeing):
    void = of(table, "void_deal")
    table.voids("A")
    table.deals()

    assert up_to_date(void, table.past) is None


def test_the_end_of_a_game_overtakes_its_proposals(table: Agreeing):
    open_ones = [of(table, kind) for kind in ("void_deal", "end_game", "take_back")]
    table.ends("B")

    assert [up_to_date(one, table.past) for one in open_ones] == [None] * 3


def test_a_kick_is_about_a_player_and_not_about_a_chair(table: Agreeing):
    kick = of(table, "kick", key="2")
    table.kicks("C")
    emptied = up_to_date(kick, table.past)
    table.lets_in("C", "Nora", "nora")

    assert emptied is up_to_date(kick, table.past) is None


def test_a_proposal_falls_with_the_chair_it_came_from(table: Agreeing):
    void = of(table, "void_deal")
    table.kicks("A")
    emptied = up_to_date(void, table.past)
    table.lets_in("A", "Nora", "nora")

    assert emptied is up_to_date(void, table.past) is None


def test_a_proposal_does_not_pass_to_who_moves_onto_the_chair_it_came_from():
    past = Past().after(Entry(seq=1, facts=tuple(Agreeing(RU_3).facts[:4])))
    kick = proposal("kick", by_name="Player 0", key="2")
    assert up_to_date(kick, past) is not None

    moved = past.after(Entry(seq=2, facts=(PlayersMoved(a=A, b=B),)))

    assert up_to_date(kick, moved) is None


def test_a_claim_falls_when_the_player_goes_and_when_its_device_sits_elsewhere(table: Agreeing):
    over = of(table, "take_over", name="Player 2")
    assert up_to_date(over, table.past) is not None
    table.kicks("C")
    assert up_to_date(over, table.past) is None
    inside = of(table, "sit_in")
    assert up_to_date(inside, table.past) is not None

    table.hands_over("B", "k")

    assert up_to_date(inside, table.past) is None


def test_a_claim_on_a_free_chair_falls_when_somebody_takes_it(table: Agreeing):
    table.kicks("C")
    inside = of(table, "sit_in")
    table.lets_in("C", "Olga", "olga")

    assert up_to_date(inside, table.past) is None


def test_a_claim_on_a_chair_that_new_rules_do_not_have_falls():
    past = Past().after(Entry(seq=1, facts=tuple(Agreeing(RU_3).facts[:4])))
    beyond = replace(proposal("take_over"), seat=Seat(3))

    assert up_to_date(beyond, past) is None


def test_players_have_one_open_proposal_and_every_chair_one_claim():
    opened = OpenProposals()
    opened.put(proposal("end_game"))
    opened.put(replace(proposal("take_over"), id="b"))

    assert not opened.has_place_for(replace(proposal("void_deal", by=B), id="c"))
    assert not opened.has_place_for(replace(proposal("take_over"), id="c"))
    assert opened.has_place_for(replace(proposal("take_over"), id="c", seat=B))
