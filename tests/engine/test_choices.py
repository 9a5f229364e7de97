"""What a seat is offered: exactly what would be accepted."""

import random

import pytest

from engine import commands
from engine.cards import Card
from engine.choices import NOTHING, BarredCard, Choices, ConcessionOpen
from engine.commands import Act, AnyAction
from engine.decide import decide
from engine.rejections import Reason, Rejected
from engine.state import InDeal
from tests.support import (
    ALL_PROFILES,
    DE_3,
    RU_2,
    RU_3,
    RU_4,
    A,
    Evening,
    any_rules,
    card,
    cards,
    entries,
    views,
    with_rules,
)


def dealt(profile=RU_3, **hands) -> Evening:
    evening = Evening(profile, dealer="C")
    evening.deals(**hands)
    return evening


def test_who_is_not_on_turn_is_offered_nothing():
    evening = dealt()

    assert [evening.may(letter) == NOTHING for letter in "ABC"] == [False, True, True]


def test_the_sitter_is_offered_nothing_in_any_phase():
    evening = Evening(RU_4, dealer="D")
    evening.deals()
    sitter = "ABCD"[evening.view(None).sitter or 0]
    offered = [evening.may(sitter)]
    evening.declares("A", 100)
    offered.append(evening.may(sitter))
    evening.does("A take")
    offered.append(evening.may(sitter))

    assert offered == [NOTHING] * 3


def test_the_declarer_is_offered_every_talon_by_number():
    evening = Evening(RU_2, dealer="B")
    evening.deals()
    evening.declares("A", 100)

    assert evening.may("A") == Choices(take=(0, 1))
    assert evening.may("B") == NOTHING


def test_the_exchange_is_offered_as_gifts_or_as_so_many_cards_to_lay_away():
    gives = dealt()
    gives.declares("A", 100)
    gives.does("A take")
    away = Evening(RU_2, dealer="B")
    away.deals()
    away.declares("A", 100)
    away.does("A take 1")

    assert (gives.may("A").give_to, gives.may("A").lay_away) == ((1, 2), 0)
    assert (away.may("A").give_to, away.may("A").lay_away) == ((), 2)


def test_a_concession_is_offered_with_what_it_costs_and_pays():
    evening = dealt(DE_3)
    evening.declares("A", 120)
    evening.does("A take")

    assert evening.may("A").concede == ConcessionOpen(cost=0, pays=60, used=0, costly=3, limit=None)
    assert evening.may("B").concede is None


def test_a_concession_at_half_the_contract_pays_by_it():
    evening = dealt(with_rules(RU_3, concession_half=True))
    evening.declares("A", 115)
    evening.does("A take")
    offer = evening.may("A").concede

    assert offer is not None
    assert offer.pays == 55


def test_a_card_that_may_not_be_laid_is_named_with_its_reason():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS JD", C="QS 9D")
    evening.does("A play AS")
    may = evening.may("B")

    assert card("KS") in may.play
    assert BarredCard(card("JD"), Reason.MUST_FOLLOW_SUIT) in may.barred
    assert set(may.play) | {one.card for one in may.barred} == set(evening.play.hands[1])


def test_only_a_leader_is_told_of_melds_and_of_the_pairs_a_lead_would_spoil():
    evening = Evening(RU_3)
    evening.plays_from(A="AS KD QD", B="KS KH QH", C="QS 9D")
    evening.does("A play AS")
    following = evening.may("B")
    evening.does("B play KS", "C play QS")

    assert (following.melds, following.spoils) == ((), ())
    assert [set(meld.cards) for meld in evening.may("A").melds] == [set(cards("KD QD"))]
    assert set(evening.may("A").spoils) == set(cards("KD QD"))


def asked(view_of: Choices) -> list[tuple[AnyAction, bool]]:
    """Acts that need no cards chosen, and whether they are offered."""
    return [
        (commands.Pass(), view_of.may_pass),
        (commands.Concede(), view_of.concede is not None),
        (commands.ShowNines(), view_of.nines),
        (commands.TakeTalon(0), 0 in view_of.take),
        (commands.TakeTalon(1), 1 in view_of.take),
        *((commands.PlayCard(one), one in view_of.play) for one in Card),
        *((commands.Meld(one), any(one in meld.cards for meld in view_of.melds)) for one in Card),
    ]


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_offered_would_be_accepted_and_nothing_else(profile, seed):
    chance = random.Random(seed)
    for room, _ in entries(any_rules(profile, chance), chance, deals=1):
        if not isinstance(room.phase, InDeal) or chance.random() < 0.5:
            continue
        for seat, view in views(room):
            for act, offered in asked(view.may):
                accepted = not isinstance(decide(room, Act(seat, act)), Rejected)
                assert accepted == offered, f"{act} by {seat}, seed {seed}"


@pytest.mark.parametrize("profile", [RU_3, DE_3], ids=lambda profile: profile.id)
def test_a_call_in_the_offered_range_is_accepted_and_none_beside_it(profile):
    evening = dealt(profile, A="KH QH")
    bid = evening.may("A").bid
    assert bid is not None

    inside = range(bid.least, bid.greatest + 1, bid.step)
    for points in range(bid.least - bid.step, bid.greatest + 2 * bid.step, bid.step):
        answer = decide(evening.room, Act(A, commands.PlaceBid(points)))
        assert (not isinstance(answer, Rejected)) == (points in inside)
