import pytest

from engine.auction import BidRange
from engine.cards import NINES
from engine.choices import ConcessionOpen
from engine.commands import ForgetDiscard
from engine.decide import decide
from engine.events import (
    CardsGiven,
    CardsLaidAway,
    Change,
    ContractSet,
    DealConceded,
    DealScored,
    DealVoided,
    Gift,
    Standing,
    TalonTaken,
)
from engine.rejections import Reason, Rejected
from engine.state import Auction, Between, Contracting, Exchanging, Playing, TakingTalon
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    BIDDING_4,
    NO_4,
    PL_3,
    PLAIN_3,
    RU_2,
    RU_3,
    RU_4,
    A,
    B,
    C,
    Evening,
    card,
    cards,
    with_rules,
    word,
)

NINES_OF_A = "9S 9H 9D AS AH AD JC"
GIVING = {"A": "AS 10S KH QH AC 9D 9C", "B": "KS QS 9S 10H KC QC JD", "talon": "JC 9H AD"}


def declared(profile=RU_3, *, declarer="A", bid=100, **hands) -> Evening:
    """The auction is over and `declarer` is to take the talon."""
    evening = Evening(profile, dealer="B" if profile.table.players == 2 else "C")
    evening.deals(**(hands or GIVING))
    evening.declares(declarer, bid)
    assert isinstance(evening.phase, TakingTalon)
    return evening


def taken(profile=RU_3, **how) -> Evening:
    """The declarer A holds the talon."""
    evening = declared(profile, **how)
    evening.does("A take")
    return evening


def exchanged(profile=RU_3, *, gifts="9D B 9C C", **how) -> Evening:
    """The declarer A has given cards and is to set the contract."""
    evening = taken(profile, **how)
    evening.does(f"A give {gifts}")
    return evening


def test_exch_1_turning_the_talon_is_an_act_of_its_own_by_the_declarer():
    evening = declared()

    assert evening.view("A").turn == 0
    assert evening.may("A").take == (0,)
    assert evening.refuses("B take") == "not-your-turn"
    evening.does("A take")
    assert evening.last == (TalonTaken(seat=A, talon=0, cards=cards("JC 9H AD"), shown=True),)
    assert evening.refuses("A take") == "wrong-phase"


def test_exch_1_everybody_sees_the_talon_until_the_deal_ends_but_not_before_it_is_turned():
    evening = declared()
    assert evening.shows("A").talons == (3,)
    evening.does("A take")

    for viewer in ("A", "B", "C", None):
        assert evening.shows(viewer).talon == cards("JC 9H AD")
    evening.does("A give 9D B 9C C", "A contract 100", "A play AS")
    assert evening.shows(None).talon == cards("JC 9H AD")


def test_exch_1_the_talon_goes_to_the_hand():
    assert len(taken().view("A").hand) == 10
    assert set(cards("JC 9H AD")) <= set(taken().view("A").hand)


def test_exch_1_in_1001_the_declarer_alone_sees_the_skat():
    evening = taken(BIDDING_3, bid=10, talon="JC 9H")

    assert evening.shows("A").talon == cards("JC 9H")
    assert [evening.shows(viewer).talon for viewer in ("B", "C", None)] == [()] * 3


def test_exch_2_each_defender_gets_one_card_in_one_decision():
    evening = taken()

    assert evening.may("A").give_to == (1, 2)
    evening.does("A give 9D B 9C C")
    gifts = (Gift(B, card("9D")), Gift(C, card("9C")))
    assert evening.last == (CardsGiven(seat=A, gifts=gifts),)
    assert [len(evening.view(letter).hand) for letter in "ABC"] == [8, 8, 8]
    assert card("9D") in evening.view("B").hand


def test_exch_2_no_card_is_forbidden():
    evening = taken()

    evening.does("A give AS C KH B")
    assert card("AS") in evening.view("C").hand


def test_exch_2_a_given_card_is_known_to_giver_and_receiver_only():
    evening = exchanged()

    def seen(letter):
        return [gift.card for gift in evening.shows(letter).gifts]

    assert seen("A") == [card("9D"), card("9C")]
    assert seen("B") == [card("9D"), None]
    assert seen("C") == [None, card("9C")]
    assert seen(None) == [None, None]


def test_exch_2_receivers_stand_in_the_direction_of_play_from_the_declarer():
    evening = Evening(RU_4, dealer="A")  # D sits out
    evening.deals(B="KS QS")
    evening.declares("C", 105)
    evening.does("C take")

    assert evening.may("C").give_to == (0, 1)
    assert evening.refuses(f"C give {'9S A 9H D'}") == "wrong-cards"


def test_exch_3_two_players_lay_two_cards_away():
    evening = taken(RU_2, A="AS 10S", talon=("JC 9H", "AD 10D"))

    assert evening.may("A").lay_away == 2
    evening.does("A discard AS JC")
    assert evening.last == (CardsLaidAway(seat=A, cards=cards("AS JC")),)
    assert len(evening.view("A").hand) == 10
    assert card("AS") not in evening.view("A").hand


def test_exch_3_only_the_declarer_knows_what_was_laid_away():
    evening = taken(RU_2, A="AS 10S", talon=("JC 9H", "AD 10D"))
    evening.does("A discard AS JC")

    assert evening.view("A").laid_away == cards("AS JC")
    assert (evening.view("B").laid_away, evening.view(None).laid_away) == ((), ())


def test_exch_4_the_declarer_keeps_the_bid_or_raises_it_by_the_same_step():
    evening = exchanged(bid=110)

    assert evening.may("A").contract == BidRange(110, 400, 5, Reason.BID_TOO_HIGH)
    assert evening.refuses("A contract 105") == "contract-too-low"
    assert evening.refuses("A contract 112") == "bid-off-step"
    assert evening.refuses("B contract 110") == "not-your-turn"
    evening.does("A contract 115")
    assert evening.last == (ContractSet(seat=A, points=115),)
    assert evening.refuses("A contract 120") == "wrong-phase"


def test_exch_4_keeping_is_a_decision_too():
    evening = exchanged(bid=110)

    assert isinstance(evening.phase, Contracting)
    evening.does("A contract 110")
    assert evening.play.contract == 110


def test_exch_4_without_that_step_the_bid_is_the_contract():
    evening = taken(BIDDING_3, bid=10, A="AS 10S", talon="JC 9H")
    evening.does("A discard JC 9H")

    assert evening.last[-1] == ContractSet(seat=A, points=10)
    assert isinstance(evening.phase, Playing)


def test_exch_5_a_raise_above_120_needs_a_pair_in_the_hand_after_the_exchange():
    with_pair = exchanged()
    without = exchanged(gifts="KH B QH C")

    with_pair.does("A contract 125")
    assert without.refuses("A contract 125") == "bid-needs-marriage"
    assert without.may("A").contract == BidRange(100, 120, 5, Reason.BID_NEEDS_MARRIAGE)
    without.does("A contract 120")


def test_exch_5_a_pair_may_come_out_of_the_talon():
    evening = exchanged(A="AS 10S KH JH AC 9D 9C", talon="QH JC 9H", B="KS KC KD")

    evening.does("A contract 400")


def test_exch_5_keeping_is_allowed_even_if_the_pair_was_given_away():
    evening = exchanged(bid=150, gifts="KH B QH C")

    assert evening.refuses("A contract 155") == "bid-needs-marriage"
    assert evening.may("A").contract == BidRange(150, 150, 5, Reason.BID_NEEDS_MARRIAGE)
    evening.does("A contract 150")


def test_exch_5_the_polish_ceiling_is_that_of_the_hand_after_the_exchange():
    richer = exchanged(PL_3, A="AS 10S KH JH AC 9D 9C", talon="QH JC 9H", B="KS KC KD")
    poorer = exchanged(
        PL_3, A="KS QS KH QH AC 9D 9C", talon="AS JC 9H", B="KC KD", bid=240, gifts="KH B 9C C"
    )

    assert richer.refuses("A contract 230") == "bid-too-high"
    richer.does("A contract 220")
    assert poorer.refuses("A contract 250") == "bid-too-high"
    poorer.does("A contract 240")


def test_exch_5_no_contract_is_higher_than_400():
    assert exchanged().refuses("A contract 405") == "bid-too-high"


def played_by_two(profile) -> Evening:
    """A takes every trick but the clubs that B throws; AD 10D were laid away, AC 9C left."""
    evening = Evening(profile, dealer="B")
    evening.plays_from(
        A="AS 10S KS QS JS 9S AH 10H KH 9H",
        B="QH JH KD QD JD 9D 10C KC QC JC",
        laid="AD 10D",
        left="AC 9C",
    )
    evening.does("A play AS", "B play QH", "A play 10S", "B play JH", "A play KS", "B play KD")
    evening.does("A play QS", "B play QD", "A play JS", "B play JD", "A play 9S", "B play 9D")
    evening.does("A play AH", "B play JC", "A play 10H", "B play QC", "A play KH", "B play KC")
    evening.does("A play 9H", "B play 10C")
    return evening


def test_exch_6_out_of_play_points_come_with_the_last_trick_before_the_contract_is_judged():
    line = played_by_two(RU_2).line("A")

    assert line.cards == 120
    assert line.changes == (Change("contract_made", 100),)


def test_exch_6_the_defender_gets_them_too():
    evening = Evening(RU_2, dealer="B")
    evening.plays_from(
        A="9S JS QS AH 10H KH JH 9H AC 10C",
        B="AS 10S KS QH KD QD JD KC QC JC",
        laid="AD 10D",
        left="9D 9C",
    )
    for lines in (
        ("A play AH", "B play QH", "A play 10H", "B play JD", "A play KH", "B play QD"),
        ("A play JH", "B play KD", "A play 9H", "B play JC", "A play AC", "B play QC"),
        ("A play 10C", "B play KC", "A play QS", "B play KS", "B play 10S", "A play JS"),
        ("B play AS", "A play 9S"),
    ):
        evening.does(*lines)

    # K Q of spades, 10 J, A 9 are 30 points; A and 10 of diamonds came with the last trick.
    assert evening.line("B").cards == 4 + 3 + 10 + 2 + 11 + 21
    assert evening.line("A").cards == 120 - 51


def test_exch_6_house_rule_nobody_gets_them():
    line = played_by_two(with_rules(RU_2, talon_points="nobody")).line("A")

    assert line.cards == 120 - 21 - 11


def test_exch_6_in_1001_they_are_the_declarers_who_needs_no_trick_for_them():
    evening = Evening(BIDDING_3)
    evening.plays_from(contract=10, A="7S 8S 9S 7H 8H 9H 7D 8D 9D 7C", laid="AD AC")
    evening.goes_on()

    assert (evening.line("A").tricks, evening.line("A").cards) == (0, 22)
    assert evening.line("A").changes == (Change("contract_made", 22),)
    assert sum(line.cards for line in evening.scored.lines) == 120


@pytest.mark.parametrize(
    ("profile", "share"), [(BIDDING_3, 60), (BIDDING_4, 40)], ids=lambda value: str(value)[:20]
)
def test_exch_7_who_forgets_to_lay_away_loses_120_which_the_others_share(profile, share):
    evening = Evening(profile, dealer="D" if profile is BIDDING_4 else "C")
    evening.deals()
    evening.declares("A", 50)
    evening.does("A take", "A forgets")

    others = profile.table.players - 1
    assert evening.scores == [-120, *[share] * others]
    assert evening.scored.outcome == "forgotten"
    assert evening.line("A").changes == (Change("forgotten", -120),)
    assert (evening.scored.contract, evening.scored.made) == (50, None)
    assert [line.raw for line in evening.scored.lines] == [0] * (others + 1)
    assert evening.game.dealer == 0


def test_exch_7_nobody_forgets_where_cards_are_given_or_before_the_skat_is_taken():
    assert decide(taken().room, ForgetDiscard()) == Rejected(Reason.WRONG_PHASE)
    early = Evening(BIDDING_3)
    early.deals()
    assert early.refuses("A forgets") == "wrong-phase"
    early.declares("A", 10)
    assert early.refuses("A forgets") == "wrong-phase"


def test_exch_8_house_rule_a_talon_won_at_the_opening_is_for_the_declarer_alone():
    profile = with_rules(RU_3, hidden_talon_at_100=True)
    hidden, open_ = taken(profile, bid=100), taken(profile, bid=105)

    assert hidden.last == (TalonTaken(seat=A, talon=0, cards=cards("JC 9H AD"), shown=False),)
    assert hidden.shows("A").talon == cards("JC 9H AD")
    assert [hidden.shows(viewer).talon for viewer in ("B", "C", None)] == [()] * 3
    assert open_.shows("B").talon == cards("JC 9H AD")


def test_exch_9_with_two_talons_the_declarer_picks_one_and_nobody_sees_the_other():
    evening = declared(RU_2, A="AS 10S", talon=("JC 9H", "AD 10D"))

    assert evening.may("A").take == (0, 1)
    assert evening.shows("B").talons == (2, 2)
    assert evening.refuses("A take 3") == "wrong-cards"
    evening.does("A take 2")
    assert evening.shows("B").talon == cards("AD 10D")
    for viewer in ("A", "B", None):
        assert card("JC") not in evening.view(viewer).hand + evening.shows(viewer).talon


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A give 9D B", "wrong-cards"),
        ("A give 9D B 9D C", "wrong-cards"),
        ("A give 9D B 9C B", "wrong-cards"),
        ("A give 9D A 9C C", "wrong-cards"),
        ("A give KS B KS C", "wrong-cards"),
        ("A give 9D B KS C", "not-in-hand"),
        ("B give 9D A 9C C", "not-your-turn"),
        ("A discard 9D 9C", "wrong-phase"),
        ("A contract 100", "wrong-phase"),
        ("A play AS", "wrong-phase"),
    ],
)
def test_exch_10_wrong_gifts_are_refused_before_cards_that_are_not_there(line, reason):
    assert taken().refuses(line) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A discard AS", "wrong-cards"),
        ("A discard AS AS", "wrong-cards"),
        ("A discard AS 10S JC", "wrong-cards"),
        ("A discard AS AD", "not-in-hand"),
        ("B discard AS JC", "not-your-turn"),
        ("A give AS B JC B", "wrong-phase"),
    ],
)
def test_exch_10_the_same_holds_for_laying_away(line, reason):
    evening = taken(RU_2, A="AS 10S", talon=("JC 9H", "AD 10D"))

    assert evening.refuses(line) == reason


def test_exch_10_nothing_is_given_before_the_talon_is_taken():
    assert declared().refuses("A give 9D B 9C C") == "wrong-phase"


# Concessions.


def test_conc_1_the_declarer_may_concede_from_the_taken_talon_until_the_first_lead():
    waiting = declared()
    assert waiting.refuses("A concede") == "concede-not-now"
    assert waiting.may("A").concede is None

    for evening in (taken(), exchanged()):
        assert evening.may("A").concede is not None
        evening.does("A concede")
        assert evening.last[0] == DealConceded(seat=A, points=100)
        assert evening.scored.outcome == "conceded"

    leading = exchanged()
    leading.does("A contract 105")
    assert leading.may("A").concede is not None
    led = exchanged()
    led.does("A contract 105", "A play AS")
    assert led.refuses("A concede") == "concede-not-now"
    assert led.may("A").concede is None
    leading.does("A concede")
    assert leading.last[0] == DealConceded(seat=A, points=105)
    assert leading.scored.contract == 105


def test_conc_1_nobody_else_may():
    for letter in "BC":
        assert taken().refuses(f"{letter} concede") == "not-your-turn"
        assert taken().may(letter).concede is None


def test_conc_1_there_is_no_conceding_in_the_auction_between_deals_or_in_1001():
    evening = Evening(RU_3)
    assert evening.refuses("A concede") == "wrong-phase"
    evening.deals()
    assert evening.refuses("A concede") == "concede-not-now"
    for profile in (PLAIN_3, BIDDING_3):
        other = Evening(profile)
        other.deals()
        assert other.refuses("A concede") == "concede-not-now"


def test_conc_1_a_later_trick_is_too_late_even_for_a_declarer_on_lead():
    evening = Evening(RU_3)
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="KS", C="QS")
    evening.does("A play AS", "B play KS", "C play QS")

    assert evening.refuses("A concede") == "concede-not-now"


def conceded(profile=RU_3, standings=None, **how) -> Evening:
    evening = Evening(
        profile, dealer="D" if profile.table.players == 4 else "C", standings=standings
    )
    evening.deals(**(how or GIVING))
    evening.declares("A", 100)
    evening.does("A take", "A concede")
    return evening


def test_conc_2_each_defender_writes_60():
    evening = conceded()

    assert evening.scores == [0, 60, 60]
    assert evening.line("B").changes == (Change("concession_pay", 60),)
    assert [line.raw for line in evening.scored.lines] == [0, 0, 0]


@pytest.mark.parametrize(("before", "cost", "after"), [(0, 0, 1), (1, 0, 2), (2, 120, 0)])
def test_conc_3_two_cost_nothing_the_third_120_and_the_count_begins_again(before, cost, after):
    evening = Evening(RU_3, standings={"A": Standing(concessions=before)})
    evening.deals(**GIVING)
    evening.declares("A", 100)
    evening.does("A take")

    assert evening.may("A").concede == ConcessionOpen(
        cost=cost, pays=60, used=before, costly=3, limit=None
    )
    evening.does("A concede")
    assert evening.line("A").changes == (Change("concession_cost", -cost),)
    assert evening.standing("A") == Standing(score=-cost, concessions=after)


def test_conc_4_nobody_concedes_on_the_barrel():
    evening = Evening(RU_3, standings={"A": Standing(score=880, barrel=0)})
    evening.deals(**GIVING)
    evening.declares("A", 100)
    evening.does("A take")

    assert evening.refuses("A concede") == "concede-on-barrel"
    assert evening.may("A").concede is None
    assert evening.refuses("B concede") == "not-your-turn"


def test_conc_5_a_conceded_deal_strikes_no_bolt_and_counts_for_nobody_on_the_barrel():
    evening = conceded(
        standings={"B": Standing(bolts=2), "C": Standing(score=880, barrel=2)},
    )

    assert evening.standing("B") == Standing(score=60, bolts=2)
    assert evening.standing("C") == Standing(score=880, barrel=2)
    assert evening.game.dealer == 0


def test_conc_6_polish_profiles_two_concessions_in_a_game_at_most_and_both_free():
    evening = Evening(PL_3, standings={"A": Standing(concessions=1), "B": Standing(concessions=2)})
    evening.deals(**GIVING)
    evening.declares("A", 100)
    evening.does("A take")
    assert evening.may("A").concede == ConcessionOpen(cost=0, pays=60, used=1, costly=None, limit=2)
    evening.does("A concede")
    assert evening.standing("A") == Standing(score=0, concessions=2)

    third = Evening(PL_3, standings={"A": Standing(concessions=2)})
    third.deals(**GIVING)
    third.declares("A", 100)
    third.does("A take")
    assert third.refuses("A concede") == "concede-limit"
    assert third.may("A").concede is None


@pytest.mark.parametrize("profile", [RU_3, PL_3], ids=["ru", "pl"])
@pytest.mark.parametrize(("contract", "pay"), [(120, 60), (130, 65), (150, 75), (110, 55)])
def test_conc_7_house_rule_each_defender_gets_half_the_raised_contract(profile, contract, pay):
    evening = exchanged(with_rules(profile, concession_half=True))
    evening.does(f"A contract {contract}", "A concede")

    assert evening.scores == [0, pay, pay]


@pytest.mark.parametrize(("bid", "pay"), [(100, 50), (125, 60), (115, 55)])
def test_conc_7_half_the_bid_is_rounded_down_to_a_five(bid, pay):
    evening = taken(with_rules(RU_3, concession_half=True), bid=bid)
    assert evening.may("A").concede == ConcessionOpen(
        cost=0, pays=pay, used=0, costly=3, limit=None
    )
    evening.does("A concede")

    assert evening.scores == [0, pay, pay]


# Void deals.


def nines_held(profile=RU_3) -> Evening:
    """B holds the four nines once A has given the last one away."""
    evening = Evening(profile)
    evening.deals(A="AS 10S KH QH AC 9C", B="9S 9H 9D", talon="JC JH JD")
    evening.declares("A", 100)
    evening.does("A take")
    return evening


def test_void_1_whoever_holds_four_nines_after_the_exchange_may_show_them():
    evening = nines_held()
    assert evening.refuses("B nines") == "wrong-phase"
    evening.does("A give 9C B JC C")

    assert [evening.may(letter).nines for letter in "ABC"] == [False, True, False]
    assert evening.refuses("C nines") == "no-four-nines"
    evening.does("B nines")
    assert evening.last == (DealVoided(reason="four_nines", seat=B, cards=NINES),)


def test_void_1_until_their_own_first_card_and_out_of_turn():
    evening = nines_held()
    evening.does("A give 9C B JC C", "A contract 100")
    assert evening.may("B").nines
    evening.does("A play AS")
    assert evening.may("B").nines
    evening.does("B play 9S")
    assert evening.refuses("B nines") == "wrong-phase"
    assert not evening.may("B").nines


def test_void_1_in_a_later_trick_it_is_too_late_too():
    evening = Evening(RU_3)
    evening.plays_from(A="AS", B="KS 9H 9D 9C", C="QS")
    evening.does("A play AS", "B play KS", "C play QS")

    assert evening.refuses("B nines") == "wrong-phase"


def test_void_1_the_declarer_may_too():
    evening = exchanged(A="9S 9H 9D 9C AS AH AD", talon="JC JH JD", gifts="JC B JD C")

    assert evening.may("A").nines
    evening.does("A contract 100")
    assert evening.may("A").nines
    evening.does("A nines")
    assert isinstance(evening.phase, Between)


@pytest.mark.parametrize("missing", ["9S", "9H", "9D", "9C"])
def test_void_1_three_nines_are_not_enough(missing):
    three = " ".join(sorted({"9S", "9H", "9D", "9C"} - {missing}))
    evening = exchanged(A=missing, B=three, talon="JC JH JD", gifts="JC B JH C")

    assert evening.refuses("B nines") == "no-four-nines"
    assert not evening.may("B").nines


def test_void_1_the_sitter_has_none_and_in_1001_nobody_may():
    four = Evening(RU_4, dealer="A")
    four.deals(B="9S 9H 9D 9C", talon="JC JH JD")
    four.declares("B", 100)
    four.does("B take", "B give JC C JH A")
    assert four.refuses("D nines") == "no-four-nines"
    plain = Evening(PLAIN_3)
    plain.deals(A="9S 9H 9D 9C")
    assert plain.refuses("A nines") == "wrong-phase"
    assert not plain.may("A").nines


def test_void_2_house_rule_a_weak_talon_voids_the_deal_as_soon_as_it_is_dealt():
    weak = Evening(with_rules(RU_3, redeal_weak_talon=True))
    weak.deals(talon="JC JH 9D")

    assert weak.last[1:] == (DealVoided(reason="weak_talon", seat=None, cards=cards("JC JH 9D")),)
    assert isinstance(weak.phase, Between)
    assert weak.shows(None).voided == weak.last[1]


@pytest.mark.parametrize(("talon", "void"), [("QC 9H 9D", True), ("QC JH 9D", False)])
def test_void_2_fewer_than_five_points_is_weak(talon, void):
    evening = Evening(with_rules(RU_3, redeal_weak_talon=True))
    evening.deals(talon=talon)

    assert isinstance(evening.phase, Between) is void


def test_void_2_without_the_house_rule_any_talon_will_do():
    evening = Evening(RU_3)
    evening.deals(talon="9C 9H 9D")

    assert isinstance(evening.phase, Auction)


@pytest.mark.parametrize("how", ["nines", "talon"])
def test_void_3_a_void_deal_writes_nothing_and_the_same_dealer_deals_again(how):
    standings = {"A": Standing(score=880, barrel=1), "B": Standing(score=300, bolts=2)}
    if how == "nines":
        evening = Evening(NO_4, dealer="D", standings=standings)
        evening.deals(A="9S 9H 9D 9C AS", talon="JC JH JD")
        evening.declares("A", 100)
        evening.does("A take", "A give JC D JH B", "A nines")
    else:
        evening = Evening(with_rules(NO_4, redeal_weak_talon=True), dealer="D", standings=standings)
        evening.deals(talon="9C 9H 9D")

    assert not any(isinstance(fact, DealScored) for fact in evening.facts)
    assert evening.game.dealer == 3
    assert evening.game.sheet == ()
    assert evening.standing("A") == Standing(score=880, barrel=1)
    assert evening.standing("B") == Standing(score=300, bolts=2)


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_exchange_ends_with_equal_hands_in_every_profile(profile):
    evening = Evening(profile, dealer="AABCD"[profile.table.players])
    evening.deals()
    if isinstance(evening.phase, Auction):
        declarer = "ABCD"[evening.phase.turn or 0]
        evening.declares(declarer, profile.auction.opening)
        evening.does(f"{declarer} take")
        assert isinstance(evening.phase, Exchanging)
        held = [word(one) for one in evening.view(declarer).hand]
        may = evening.may(declarer)
        if may.give_to:
            gifts = zip(held, may.give_to, strict=False)
            evening.does(f"{declarer} give " + " ".join(f"{one} {'ABCD'[to]}" for one, to in gifts))
        else:
            evening.does(f"{declarer} discard {' '.join(held[: may.lay_away])}")
        if isinstance(evening.phase, Contracting):
            evening.does(f"{declarer} contract {evening.phase.bid}")

    sizes = {len(evening.play.hands[one]) for one in evening.play.deal.order}
    assert len(sizes) == 1
