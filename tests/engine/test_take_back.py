import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Seat
from engine.commands import (
    Act,
    ChooseFirstDealer,
    ChooseProfile,
    ChooseTakeBack,
    DealCards,
    LayAway,
    Leave,
    MoveTo,
    SetReady,
)
from engine.decide import decide
from engine.events import (
    CardsDealt,
    CardsGiven,
    CardsLaidAway,
    ContractSet,
    DealScored,
    DealVoided,
    DiscardForgotten,
    GameStarted,
    Standing,
    TakeBackChosen,
    TalonTaken,
)
from engine.evolve import RosterEvent
from engine.history import Entry, Past, past_of
from engine.rejections import Reason, Rejected
from engine.state import Auction, Between, Contracting, Exchanging, Over, Playing, TakingTalon
from engine.take_back import TakeBack, reopening, take_back
from tests.engine.agreeing import Agreeing, eventful, moments
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    DE_3,
    LETTERS,
    PLAIN_3,
    RU_2,
    RU_3,
    RU_4,
    A,
    B,
    C,
    seat,
    shuffled,
    with_rules,
    word,
)

HANDS = {
    "A": "AS 10S KH QH AC 9D KD QD",
    "B": "KS QS 9S 10H KC QC JD 9C",
    "C": "JS AH JH 10C 10D JC 9H AD",
}


def table(profile=RU_3, mode=None, **begin) -> Agreeing:
    """A table that has chosen `mode` before its game, if any."""
    evening = Agreeing(profile, **begin)
    if mode is not None:
        evening.ends("A")
        evening.obeys(Act(A, ChooseFirstDealer(C)))
        evening.obeys(Act(A, ChooseTakeBack(mode)))
        evening.starts()
    return evening


def playing(profile=RU_3, mode=None) -> Agreeing:
    """A is to lead to the first trick at 100."""
    evening = table(profile, mode)
    evening.plays_from(A=HANDS["A"], B=HANDS["B"], C=HANDS["C"])
    return evening


def offer(evening: Agreeing, letter: str) -> TakeBack:
    found = take_back(evening.past, seat(letter))
    assert isinstance(found, TakeBack)
    return found


# The setting.


def test_back_1_whether_decisions_may_be_taken_back_is_chosen_before_a_game():
    evening = Agreeing(RU_3)
    evening.ends("A")
    at_first = evening.room.take_back

    evening.obeys(Act(B, ChooseTakeBack("off")))
    assert evening.last == (TakeBackChosen(mode="off"),)
    assert (at_first, evening.room.take_back) == ("ask", "off")


def test_back_1_while_a_game_runs_it_stays_as_it_is():
    evening = Agreeing(RU_3)

    assert decide(evening.room, Act(A, ChooseTakeBack("free"))) == Rejected(Reason.GAME_RUNNING)


def test_back_1_it_outlasts_other_rules_and_other_games():
    evening = table(mode="free")
    evening.ends("A")
    evening.obeys(ChooseProfile(DE_3))
    evening.starts()

    assert evening.room.take_back == "free"


def test_back_1_where_it_is_off_nothing_is_taken_back():
    evening = table(mode="off")
    evening.deals()
    evening.does("A bid 100")

    assert evening.may_not_take_back("A") == "take-back-off"
    assert take_back(Past(), A) == Rejected(Reason.TAKE_BACK_OFF)


# At once.


@pytest.mark.parametrize(
    ("profile", "before", "decision"),
    [
        (RU_3, [], "A bid 100"),
        (RU_3, ["A bid 100"], "B pass"),
        (RU_3, ["A bid 100", "B pass"], "C bid 120"),
        (RU_3, ["A bid 100", "B pass"], "C pass"),
        (RU_2, ["B bid 100", "A pass", "B take 1"], "B discard {away}"),
        (BIDDING_3, ["A bid 10", "B pass", "C pass", "A take"], "A discard {away}"),
        (PLAIN_3, [], "A play {card}"),
    ],
)
def test_back_2_the_own_last_decision_goes_back_at_once_while_nobody_acted_since(
    profile, before, decision
):
    evening = Agreeing(profile, dealer="A" if profile is RU_2 else "C")
    evening.deals(A="AH AS", B="KH KS")
    evening.does(*before)
    room, actor = evening.room, decision[0]
    view = evening.view(actor)
    held = [word(one) for one in view.hand]
    evening.does(decision.format(away=" ".join(held[: view.may.lay_away]), card=held[0]))
    last = evening.log[-1].seq

    assert offer(evening, actor) == TakeBack(last - 1, consent=False)
    evening.takes_back(actor)
    assert evening.room == room


def test_back_2_the_contract_and_a_card_go_back_at_once():
    evening = playing()
    led = evening.room
    evening.does("A play AS")
    assert evening.takes_back("A").consent is False
    assert evening.room == led
    assert evening.takes_back("A").consent is False
    assert isinstance(evening.phase, Contracting)


def test_back_2_a_meld_goes_back_with_its_card():
    evening = playing()
    evening.does("A play AS", "B play 9S", "C play JS")
    before = evening.room
    evening.does("A meld KH")
    evening.takes_back("A")

    assert evening.room == before
    assert evening.play.melds == ()
    evening.does("A play KH")
    assert evening.play.trump is None


def test_back_2_a_card_that_ends_a_trick_goes_back_with_the_trick():
    evening = playing()
    evening.does("A play AS", "B play 9S")
    before = evening.room
    evening.does("C play JS")

    assert offer(evening, "C").consent is False
    evening.takes_back("C")
    assert evening.room == before
    assert evening.view("A").seats[A].tricks == 0


def test_back_2_the_pass_that_makes_a_declarer_goes_back_with_the_auction():
    evening = table()
    evening.deals()
    evening.does("A bid 100", "B pass", "C pass")
    assert isinstance(evening.phase, TakingTalon)
    evening.takes_back("C")

    assert isinstance(evening.phase, Auction)
    assert evening.view("C").turn == C


def test_back_2_two_in_a_row_go_back_one_by_one():
    evening = playing()
    evening.does("A play AS", "B play 9S", "C play JS", "A play AC")
    evening.takes_back("A")

    assert offer(evening, "C").consent is False
    evening.takes_back("C")
    assert offer(evening, "B").consent is False
    assert offer(evening, "A").consent is True
    evening.takes_back("A")
    assert evening.play.trick == ()


def test_back_2_who_came_or_went_since_has_not_decided_anything():
    evening = playing()
    evening.does("A play AS")
    evening.hands_over("B", "new phone")
    evening.kicks("C")

    assert offer(evening, "A").consent is False


def test_back_2_whoever_has_the_chair_takes_back_what_was_decided_there():
    evening = playing()
    evening.does("A play AS")
    evening.kicks("A")
    evening.lets_in("A", "Nora", "n")
    evening.takes_back("A")

    assert evening.play.trick == ()


# With the others.


def test_back_3_once_others_have_decided_they_have_to_consent_and_go_back_too():
    evening = playing()
    led = evening.room
    evening.does("A play AS", "B play 9S")
    found = evening.takes_back("A")

    assert found.consent
    assert evening.room == led


def test_back_3_where_it_is_free_nobody_is_asked():
    evening = playing(mode="free")
    evening.does("A play AS", "B play 9S")

    assert offer(evening, "A").consent is False


def test_back_3_it_is_the_last_decision_that_goes_back():
    evening = playing()
    evening.does("A play AS", "B play 9S", "C play JS", "A play AC")
    last = evening.log[-1].seq

    assert offer(evening, "A").back_to == last - 1
    assert offer(evening, "B").back_to == last - 3
    assert offer(evening, "C") == TakeBack(last - 2, consent=True)


# Borders.


def test_back_4_who_has_decided_nothing_since_the_dealing_has_nothing_to_take_back():
    evening = table()
    assert evening.may_not_take_back("A") == "nothing-to-take-back"
    evening.deals()
    evening.does("A bid 100")

    assert evening.may_not_take_back("B") == "nothing-to-take-back"


def test_back_4_the_sitter_has_nothing_to_take_back():
    evening = table(RU_4, dealer="D")
    evening.deals()
    evening.does("A bid 100")
    sitter = evening.view(None).sitter

    assert sitter is not None
    assert evening.may_not_take_back(LETTERS[sitter]) == "nothing-to-take-back"


def test_back_4_before_the_first_game_there_is_nothing_to_take_back():
    evening = Agreeing(RU_3)
    opened = [fact for fact in evening.facts if not isinstance(fact, GameStarted)]
    past = past_of([Entry(seq=1, facts=tuple(opened))])

    assert take_back(past, A) == Rejected(Reason.NOTHING_TO_TAKE_BACK)


@pytest.mark.parametrize("asking", ["A", "B", "C"])
def test_back_4_not_across_a_taken_talon(asking):
    evening = table()
    evening.deals()
    evening.does("A bid 100", "B pass", "C pass", "A take")

    assert evening.may_not_take_back(asking) == "take-back-border"


@pytest.mark.parametrize("asking", ["A", "B", "C"])
def test_back_4_not_across_given_cards(asking):
    evening = playing()
    evening.takes_back("A")

    assert isinstance(evening.phase, Contracting)
    assert evening.may_not_take_back(asking) == "take-back-border"


def test_back_4_laying_away_goes_back_with_the_contract_and_the_taken_talon_stays():
    evening = table(BIDDING_3)
    evening.deals()
    evening.does("A bid 10", "B pass", "C pass", "A take")
    taken, seen = evening.room, evening.view("A")
    evening.does(f"A discard {' '.join(map(word, seen.hand[: seen.may.lay_away]))}")
    assert [type(fact) for fact in evening.last] == [CardsLaidAway, ContractSet]
    evening.takes_back("A")

    assert evening.room == taken
    assert evening.may_not_take_back("A") == "take-back-border"


@pytest.mark.parametrize("asking", ["A", "B", "C"])
def test_back_4_not_across_shown_nines(asking):
    evening = table()
    evening.deals(B="9S 9H 9D 9C", talon="AS AH AD")
    evening.declares("A", 100)
    evening.does("A take", "A give AS B AH C", "A contract 100", "B nines")

    assert isinstance(evening.last[0], DealVoided)
    assert evening.may_not_take_back(asking) == "take-back-border"


def test_back_4_not_across_a_clock_that_ran_out():
    evening = table(with_rules(BIDDING_3, discard_clock=60))
    evening.deals()
    evening.declares("A", 10)
    evening.does("A take", "A forgets")

    assert isinstance(evening.last[0], DiscardForgotten)
    assert evening.may_not_take_back("A") == "take-back-border"


def test_exch_11_whatever_happens_in_a_deal_it_is_the_same_until_the_next_is_dealt():
    evening = table(with_rules(BIDDING_3, discard_clock=60))
    evening.deals()
    evening.declares("A", 10)
    evening.does("A take")
    deal = evening.past.begun
    phase = evening.phase
    assert isinstance(phase, Exchanging)
    evening.obeys(Act(Seat(0), LayAway(phase.hands[0][:2])))
    evening.takes_back("A")
    evening.hands_over("A", "another phone")
    evening.kicks("A")
    evening.lets_in("A", "Nora", "nora")
    evening.ends("B")
    evening.reopens("A")

    assert isinstance(evening.phase, Exchanging)
    assert evening.past.begun == deal
    evening.voids("B")
    evening.deals()
    assert evening.past.begun > deal


@pytest.mark.parametrize("mode", [None, "free"])
def test_back_4_not_out_of_a_finished_deal(mode):
    evening = playing(mode=mode)
    evening.goes_on()

    assert isinstance(evening.phase, Between)
    for letter in "ABC":
        assert evening.may_not_take_back(letter) == "take-back-border"


def test_back_4_not_out_of_a_deal_that_was_conceded_or_thrown_in():
    conceded = playing()
    conceded.does("A concede")
    thrown_in = table(BIDDING_3)
    thrown_in.deals()
    thrown_in.does("A pass", "B pass", "C pass")

    assert conceded.may_not_take_back("A") == "take-back-border"
    assert isinstance(thrown_in.phase, Between)
    assert thrown_in.may_not_take_back("C") == "take-back-border"


def test_back_4_not_out_of_a_deal_that_was_void_by_agreement():
    evening = playing()
    evening.does("A play AS")
    evening.voids("A")

    assert evening.may_not_take_back("A") == "take-back-border"
    evening.obeys(DealCards(C, shuffled(RU_3, random.Random(1))))
    assert evening.may_not_take_back("A") == "nothing-to-take-back"


def test_back_4_not_out_of_a_game_that_was_ended():
    evening = playing()
    evening.does("A play AS")
    evening.ends("A")
    evening.obeys(Act(A, SetReady(ready=True)))

    assert evening.may_not_take_back("A") == "take-back-border"


# A finished game.


def won() -> Agreeing:
    """A has just won with the last card."""
    evening = table(standings={"A": Standing(score=880, barrel=1)})
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="9S", C="9H", contract=120)
    evening.goes_on()
    assert isinstance(evening.phase, Over)
    return evening


def test_back_5_a_won_game_goes_on_before_its_last_card():
    evening = won()
    assert reopening(evening.past) == TakeBack(evening.log[-1].seq - 1, consent=True)
    evening.reopens("B")

    assert isinstance(evening.phase, Playing)
    assert [len(hand) for hand in evening.phase.hands].count(1) == 1
    evening.goes_on()
    assert isinstance(evening.phase, Over)


def test_back_5_a_game_that_was_won_without_a_card_goes_on_too():
    half = with_rules(RU_3, concession_half=True)
    evening = table(half, standings={"B": Standing(score=870)})
    evening.deals(**{letter: hand[:-3] for letter, hand in HANDS.items()})
    evening.does("A bid 400", "B pass", "C pass", "A take", "A concede")
    assert isinstance(evening.phase, Over)
    evening.reopens("A")

    assert isinstance(evening.phase, Exchanging)
    assert evening.may_not_take_back("A") == "take-back-border"


def test_back_5_a_game_that_was_ended_goes_on_where_it_stood():
    evening = playing()
    evening.does("A play AS")
    phase = evening.phase
    evening.ends("B")
    evening.reopens("C")

    assert evening.phase == phase
    evening.takes_back("A")
    assert evening.play.trick == ()


def test_back_5_a_game_that_was_ended_before_its_first_deal_goes_on():
    evening = table()
    phase = evening.phase
    evening.ends("B")
    evening.reopens("C")

    assert evening.phase == phase
    evening.deals()


def test_back_5_whoever_said_to_be_ready_is_so_no_longer():
    evening = won()
    for chair in (A, B, C):
        evening.obeys(Act(chair, SetReady(ready=True)))
    evening.reopens("B")

    assert [player and player.ready for player in evening.room.players] == [False] * 3


def test_back_5_chairs_that_changed_hands_after_the_end_stay_so():
    evening = won()
    evening.kicks("C")
    evening.reopens("B")

    assert evening.room.players[C] is None


def test_back_5_also_where_nothing_is_taken_back():
    evening = table(mode="off")
    evening.ends("B")

    assert isinstance(reopening(evening.past), TakeBack)


@pytest.mark.parametrize(
    "arranging",
    [
        Act(A, MoveTo(B)),
        Act(A, Leave()),
        Act(A, ChooseFirstDealer(B)),
        Act(A, ChooseTakeBack("off")),
        ChooseProfile(DE_3),
    ],
    ids=lambda order: type(getattr(order, "action", order)).__name__,
)
def test_back_5_once_the_next_game_is_arranged_it_is_too_late(arranging):
    evening = won()
    evening.obeys(arranging)

    assert reopening(evening.past) == Rejected(Reason.TOO_LATE)


def test_back_5_nor_is_a_running_game_or_none_at_all_opened_again():
    evening = won()
    evening.starts()

    assert reopening(evening.past) == Rejected(Reason.TOO_LATE)
    assert reopening(playing().past) == Rejected(Reason.TOO_LATE)
    assert reopening(Past()) == Rejected(Reason.TOO_LATE)


# Whatever happens.


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_back_4_no_undo_crosses_a_border_whoever_asks(profile, seed):
    for moment in moments(eventful(profile, seed, deals=2).log):
        for index in range(len(moment.room.players)):
            found = take_back(moment.past, Seat(index))
            if isinstance(found, Rejected):
                continue
            undone = moment.past.since(found.back_to)
            assert not any(isinstance(fact, BORDERS) for fact in undone)
            assert getattr(undone[0], "seat") == index  # noqa: B009  # all of them have one
            later = [fact for fact in undone if isinstance(fact, RosterEvent)]
            assert later == []


BORDERS = CardsDealt | TalonTaken | CardsGiven | DealVoided | DealScored | DiscardForgotten
