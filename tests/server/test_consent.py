"""Whose consent is enough, and what silence and absence come to. Not one clock runs here."""

from math import inf
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from engine.cards import Seat
from engine.commands import EndGame, HandOver, Kick, TakeSeat, VoidDeal
from engine.events import PlayersMoved, Undone
from engine.history import Entry, Past
from server.consent import (
    CLAIM_LIVES,
    OBJECT_WITHIN,
    PROPOSAL_LIVES,
    Asked,
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
from server.presence import AWAY_AFTER
from server.protocol import ProposalKind
from tests.engine.agreeing import Agreeing
from tests.support import RU_3, A, B, C, D

OF_ALL = ("take_back", "void_deal", "reopen")
OF_ONE = ("kick", "end_game")
CLAIMS = ("take_over", "sit_in")

KINDS = {kind.kind: kind for kind in get_args(Proposal)}

PLAYERS = tuple(Asked(Seat(index), f"Player {index}") for index in range(4))


def proposal(kind: str, **about: Any) -> Any:
    """One of `kind` by A, or a claim; about C's chair where it is about one."""
    asked = {"take_over": (A, B, C), "sit_in": (A, B), "kick": (B,)}.get(kind, (B, C))
    told: dict[str, Any] = {"players": tuple(PLAYERS[seat] for seat in asked)}
    match kind:
        case "take_over" | "sit_in":
            told |= {"seat": C, "key": "k", "name": "Nora", "sign": "47"}
        case "kick":
            told |= {"seat": C, "key": "k", "name": "Player 2"}
        case "take_back":
            told |= {"place": 8, "back_to": 7}
        case "reopen":
            told |= {"back_to": 7}
        case "void_deal":
            told |= {"dealing": 3}
    if kind not in CLAIMS:
        told |= {"by": A, "by_name": "Player 0"}
    return KINDS[kind](id="a", began=0.0, **(told | about))


def nobody(_seat: Seat) -> bool:
    return False


def everybody(_seat: Seat) -> bool:
    return True


def only(*those: Seat):
    return lambda seat: seat in those


class Weighed:
    """A claim as time passes and people come and go."""

    def __init__(self, kind: str, *players: Seat) -> None:
        about = {"players": tuple(PLAYERS[seat] for seat in players)} if players else {}
        self.claim: TakingOver | SittingIn = proposal(kind, **about)

    def agrees(self, seat: Seat) -> None:
        self.claim = self.claim.with_consent_of(seat)

    def at(self, now: float, *here: Seat, woke: float = 0.0) -> bool:
        """Whether it is agreed when these are here."""
        self.claim = self.claim.weighed(only(*here), now, woke)
        return self.claim.is_agreed(only(*here), now)

    @property
    def counts(self) -> float:
        """When the word of a witness will have been enough."""
        return inf if self.claim.counts_from is None else self.claim.counts_from


def test_there_is_a_type_for_every_kind():
    assert set(KINDS) == set(get_args(ProposalKind)) == {*OF_ALL, *OF_ONE, *CLAIMS}
    assert {Ending, Kicking, Reopening, SittingIn, TakingBack, TakingOver, Voiding} == set(
        KINDS.values()
    )


@pytest.mark.parametrize("kind", OF_ALL)
def test_what_all_built_together_takes_all_of_them(kind: str):
    asked = proposal(kind)

    assert asked.enough == "all"
    assert not asked.is_agreed(everybody, 0.0)
    assert not asked.with_consent_of(B).is_agreed(everybody, 0.0)
    assert asked.with_consent_of(B).with_consent_of(C).is_agreed(everybody, 0.0)


@pytest.mark.parametrize("kind", OF_ONE)
def test_elsewhere_one_is_enough(kind: str):
    asked = proposal(kind)

    assert asked.enough == "one"
    assert not asked.is_agreed(everybody, 0.0)
    assert asked.with_consent_of(B).is_agreed(everybody, 0.0)


def test_a_seat_goes_to_another_device_by_its_players_own_word():
    claim = Weighed("take_over")
    claim.agrees(C)

    assert claim.at(0, A, B, C)


def test_a_witness_hands_a_seat_over_only_while_its_own_device_is_not_here():
    claim = Weighed("take_over")
    assert not claim.at(0)
    claim.agrees(B)

    assert not claim.at(OBJECT_WITHIN, B, C)
    assert claim.at(OBJECT_WITHIN, B)


@pytest.mark.parametrize("kind", CLAIMS)
def test_whoever_else_is_here_has_time_to_object_to_a_witness(kind: str):
    claim = Weighed(kind)
    claim.agrees(B)

    assert not claim.at(10, A, B)
    assert claim.counts == 10 + OBJECT_WITHIN
    assert not claim.at(10 + OBJECT_WITHIN - 0.1, A, B)
    assert claim.at(10 + OBJECT_WITHIN, A, B)
    claim.agrees(A)
    assert claim.at(11, A, B)


def test_a_word_given_while_the_player_was_here_counts_from_when_the_claim_is_possible():
    claim = Weighed("take_over")
    claim.agrees(B)
    assert not claim.at(0, A, B, C)
    assert claim.counts == inf

    assert not claim.at(60, A, B)
    assert claim.counts == 60 + OBJECT_WITHIN
    assert not claim.at(60 + OBJECT_WITHIN - 0.1, A, B)
    assert claim.at(60 + OBJECT_WITHIN, A, B)


def test_a_player_who_comes_back_and_goes_again_leaves_the_others_the_whole_time_again():
    claim = Weighed("take_over")
    claim.agrees(B)
    assert not claim.at(0, A, B)
    assert not claim.at(5, A, B, C)
    assert claim.counts == inf

    assert not claim.at(30, A, B)
    assert claim.counts == 30 + OBJECT_WITHIN


@pytest.mark.parametrize("kind", CLAIMS)
def test_the_word_of_a_witness_who_is_gone_counts_for_nothing(kind: str):
    claim = Weighed(kind)
    claim.agrees(B)

    assert not claim.at(0)
    assert not claim.at(60, A)
    assert claim.counts == inf
    assert claim.claim.at_the_end(everybody) == "lapsed"


def test_a_second_witness_gives_nobody_less_time_and_nobody_more():
    claim = Weighed("sit_in", A, B, D)
    claim.agrees(B)
    assert not claim.at(0, A, B, D)
    claim.agrees(D)
    assert not claim.at(3, A, B, D)

    assert claim.counts == OBJECT_WITHIN


def test_a_witness_who_left_the_chair_takes_the_word_along():
    claim = Weighed("sit_in", A, B, D)
    claim.agrees(B)
    assert not claim.at(0, A, B, D)
    claim.claim = claim.claim.asking((PLAYERS[A], Asked(B, "Olga"), PLAYERS[D]))
    assert not claim.at(3, A, B, D)
    assert claim.counts == inf
    claim.agrees(D)

    assert not claim.at(4, A, B, D)
    assert claim.counts == 4 + OBJECT_WITHIN


def test_who_comes_while_the_time_to_object_runs_has_all_of_it():
    claim = Weighed("sit_in", A, B, D)
    claim.agrees(B)
    assert not claim.at(0, A, B)
    assert not claim.at(5, A, B, D)
    assert claim.counts == 5 + OBJECT_WITHIN
    assert not claim.at(7, B, D)
    assert not claim.at(8, A, B, D)

    assert claim.counts == 5 + OBJECT_WITHIN


def test_a_claim_does_not_lapse_while_the_time_to_object_runs():
    claim = Weighed("take_over")
    claim.agrees(B)
    assert not claim.at(CLAIM_LIVES - 1, A, B)

    assert claim.claim.until == CLAIM_LIVES - 1 + OBJECT_WITHIN
    assert claim.claim.next_end == claim.counts


@pytest.mark.parametrize("kind", CLAIMS)
def test_after_the_server_slept_the_time_to_object_begins_anew(kind: str):
    claim = Weighed(kind)
    claim.agrees(B)
    assert not claim.at(10, A, B)

    assert not claim.at(10 + OBJECT_WITHIN, A, B, woke=11)
    assert claim.counts == 10 + 2 * OBJECT_WITHIN


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_lapses_because_the_server_slept(kind: str):
    asked = proposal(kind)
    late = asked.until - 1

    assert asked.weighed(everybody, late, 0.0).until == asked.until
    assert asked.weighed(everybody, late, late).until == late + AWAY_AFTER


@pytest.mark.parametrize("kind", OF_ALL)
def test_with_nobody_to_ask_nobody_has_agreed(kind: str):
    assert not proposal(kind, players=()).is_agreed(nobody, 0.0)


def test_to_agree_twice_is_to_agree_once():
    assert proposal("void_deal").with_consent_of(B).with_consent_of(B).agreed == (B,)


@pytest.mark.parametrize("kind", OF_ALL)
def test_at_the_end_whoever_is_away_does_not_block_those_who_agreed(kind: str):
    asked = proposal(kind).with_consent_of(B)

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
    claim = Weighed(kind)

    assert not claim.at(CLAIM_LIVES)
    assert claim.claim.at_the_end(everybody) == "lapsed"
    assert proposal(kind, players=()).at_the_end(everybody) == "lapsed"


@pytest.mark.parametrize("kind", CLAIMS)
def test_the_claim_of_a_device_that_was_not_heard_for_ten_seconds_is_forsaken(kind: str):
    claim = proposal(kind)

    assert not claim.is_forsaken(lambda _key: False, 9.9)
    assert claim.is_forsaken(lambda _key: False, 10.0)
    assert not claim.is_forsaken(lambda key: key == "k", 10.0)
    assert not proposal("kick").is_forsaken(lambda _key: False, PROPOSAL_LIVES)


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
    assert proposal(kind).with_consent_of(B).effect() == effect


@pytest.fixture
def table() -> Agreeing:
    """In an auction that A has opened."""
    table = Agreeing(RU_3, dealer="C")
    table.deals()
    table.does("A bid 100")
    return table


def of(table: Agreeing, kind: str, **about: Any) -> Any:
    """A proposal by A as the table stands."""
    past = table.past
    told = {
        "take_back": {"place": past.place, "back_to": past.place - 1},
        "reopen": {"back_to": past.place - 1},
        "void_deal": {"dealing": past.begun},
    }
    return proposal(kind, **(told.get(kind, {}) | about))


def test_everybody_who_sits_is_asked_but_who_proposes_and_who_is_to_be_kicked(table: Agreeing):
    for asked, kind, about in (
        ((B, C), "void_deal", {}),
        ((B,), "kick", {"key": "2"}),
        ((A, B, C), "take_over", {"key": "other", "name": "Player 2"}),
    ):
        fresh = up_to_date(of(table, kind, players=(), **about), table.past)
        assert fresh is not None
        assert fresh.asked == asked


def test_who_has_gone_is_asked_no_more_and_has_not_agreed(table: Agreeing):
    agreed = of(table, "void_deal").with_consent_of(C)
    table.kicks("C")

    fresh = up_to_date(agreed, table.past)

    assert fresh is not None
    assert (fresh.asked, fresh.agreed) == ((B,), ())


def test_what_somebody_agreed_to_is_not_agreed_to_by_who_sits_there_next(table: Agreeing):
    agreed = of(table, "void_deal").with_consent_of(C)
    table.kicks("C")
    table.lets_in("C", "Nora", "nora")

    fresh = up_to_date(agreed, table.past)

    assert fresh is not None
    assert (fresh.asked, fresh.agreed) == ((B, C), ())


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
    kick = proposal("kick", key="2")
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
