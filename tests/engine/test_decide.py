import pytest

from engine.cards import Card
from engine.commands import DealCards, ForgetDiscard, OpenRoom, TakeSeat
from engine.decide import decide
from engine.events import CardPlayed, CardsDealt, DealScored, GameWon, Standing, TrickTaken
from engine.evolve import evolve
from engine.rejections import Reason, Rejected
from tests.support import PL_3, RU_3, A, B, C, Evening


def test_deal_3_the_dealer_deals():
    evening = Evening(RU_3, dealer="B")
    pack = RU_3.pack.cards()

    assert [evening.may(letter).deal for letter in "ABC"] == [False, True, False]
    assert evening.view("A").turn == B
    assert decide(evening.room, DealCards(A, pack)) == Rejected(Reason.DEALER_FIRST)
    evening.obeys(DealCards(B, pack))
    assert isinstance(evening.last[0], CardsDealt)


def test_deal_3_anybody_deals_once_the_dealer_has_had_time():
    evening = Evening(RU_3, dealer="B")

    evening.obeys(DealCards(A, RU_3.pack.cards(), anybody=True))
    assert isinstance(evening.last[0], CardsDealt)
    assert evening.last[0].dealer == B


def test_deal_3_nobody_deals_while_a_deal_runs():
    evening = Evening(RU_3)
    evening.deals()

    assert decide(evening.room, DealCards(C, RU_3.pack.cards())) == Rejected(Reason.WRONG_PHASE)


@pytest.mark.parametrize(
    "deck", [RU_3.pack.cards()[1:], (*RU_3.pack.cards()[1:], Card.H8), RU_3.pack.cards() * 2]
)
def test_deal_4_a_pack_that_is_not_the_profiles_is_a_fault_of_the_house(deck):
    with pytest.raises(ValueError, match="not the profile's pack"):
        decide(Evening(RU_3).room, DealCards(C, deck))


def test_a_room_begins_with_being_opened_and_only_once():
    with pytest.raises(ValueError, match="begins with"):
        decide(None, TakeSeat("Anna", "k"))
    with pytest.raises(ValueError, match="open already"):
        decide(Evening(RU_3).room, OpenRoom(RU_3))


def test_the_third_card_of_a_trick_is_a_fact_of_its_own_before_the_trick_is_taken():
    evening = Evening(RU_3)
    evening.plays_from(A="AS", B="KS", C="QS")
    evening.does("A play AS", "B play KS", "C play QS")

    assert [type(fact) for fact in evening.last] == [CardPlayed, TrickTaken]


def test_the_last_card_brings_the_whole_settlement_in_the_same_decision():
    evening = Evening(PL_3, standings={"A": Standing(score=900)})
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="9S", C="9H")
    evening.goes_on()

    assert [type(fact) for fact in evening.last] == [CardPlayed, TrickTaken, DealScored, GameWon]


def test_deciding_changes_nothing_and_says_the_same_again():
    evening = Evening(RU_3)
    evening.deals()
    before = evening.room

    first = decide(before, DealCards(C, RU_3.pack.cards()))
    assert decide(before, DealCards(C, RU_3.pack.cards())) == first
    assert evening.room is before


def test_acts_of_the_game_before_the_first_one_are_in_the_wrong_phase():
    answer = decide(None, OpenRoom(RU_3))
    assert not isinstance(answer, Rejected)
    opened = evolve(None, answer[0])

    assert decide(opened, DealCards(C, RU_3.pack.cards())) == Rejected(Reason.WRONG_PHASE)
    assert decide(opened, ForgetDiscard()) == Rejected(Reason.WRONG_PHASE)
