import pytest

from engine.auction import BidRange
from engine.events import AuctionWon, BidPlaced, DealScored, Passed
from engine.rejections import Reason
from engine.state import Auction, Playing, TakingTalon
from tests.support import (
    BIDDING_3,
    DE_3,
    NO_3,
    PL_3,
    PLAIN_3,
    RU_2,
    RU_3,
    RU_4,
    A,
    B,
    C,
    Evening,
    with_rules,
)

NO_PAIR = "AS 10S KH JH 9D QC 9C"
SPADES = "KS QS 10H 9H JD 9D JC"
PAIRS = "KS QS KH QH KD QD KC"


def calling(profile=RU_3, dealer="C", **hands) -> Evening:
    """Cards are dealt; A is forehand unless another dealer says otherwise."""
    evening = Evening(profile, dealer=dealer)
    evening.deals(**hands)
    return evening


def test_bid_1_the_first_call_is_at_least_100():
    evening = calling(A=SPADES)

    assert evening.refuses("A bid 95") == "bid-too-low"
    assert evening.refuses("A bid -100") == "bid-too-low"
    evening.does("A bid 100")
    assert evening.last == (BidPlaced(seat=A, points=100, next=B),)


def test_bid_1_every_later_call_is_higher_and_may_jump():
    evening = calling(B=SPADES)
    evening.does("A bid 110")

    assert evening.refuses("B bid 110") == "bid-too-low"
    assert evening.refuses("B bid 105") == "bid-too-low"
    evening.does("B bid 115", "C bid 120")
    assert evening.may("A").bid is None


@pytest.mark.parametrize(
    ("profile", "off", "on"),
    [
        (RU_3, "A bid 103", "A bid 105"),
        (PL_3, "A bid 105", "A bid 110"),
        (with_rules(RU_3, step=10), "A bid 105", "A bid 110"),
        (with_rules(PL_3, step=5), "A bid 101", "A bid 105"),
        (BIDDING_3, "A bid 15", "A bid 10"),
    ],
    ids=["ru", "pl", "ru by tens", "pl by fives", "1001"],
)
def test_bid_1_a_call_is_a_multiple_of_the_step(profile, off, on):
    evening = calling(profile)

    assert evening.refuses(off) == "bid-off-step"
    evening.does(on)


@pytest.mark.parametrize("profile", [RU_3, DE_3, NO_3, PL_3, RU_2, RU_4])
def test_bid_2_forehand_must_open(profile):
    dealer = "B" if profile is RU_2 else "D" if profile is RU_4 else "C"
    evening = calling(profile, dealer)

    assert evening.refuses("A pass") == "must-open"
    assert not evening.may("A").may_pass
    evening.does("A bid 100")


def test_bid_2_everybody_else_may_pass_and_forehand_too_at_a_later_call():
    evening = calling()
    evening.does("A bid 100", "B bid 105", "C pass", "A pass")

    assert evening.last[0] == Passed(seat=A, next=None)


def test_bid_3_a_pass_is_final():
    evening = calling()
    evening.does("A bid 100", "B pass", "C bid 105", "A bid 110")

    assert evening.last == (BidPlaced(seat=A, points=110, next=C),)
    assert evening.refuses("B bid 115") == "not-your-turn"


def test_bid_3_the_last_one_left_is_declarer_at_what_was_said():
    evening = calling()
    evening.does("A bid 100", "B bid 105", "C pass", "A pass")

    assert evening.last[1:] == (AuctionWon(declarer=B, points=105),)
    assert isinstance(evening.phase, TakingTalon)


def test_bid_3_when_all_others_pass_forehand_is_declarer():
    evening = calling()
    evening.does("A bid 100", "B pass", "C pass")

    assert evening.last == (Passed(seat=C, next=None), AuctionWon(declarer=A, points=100))


def test_bid_3_calls_run_in_the_direction_of_play_and_skip_the_sitter():
    no = calling(NO_3)
    no.does("A bid 100", "C bid 105", "B bid 110")
    four = calling(RU_4, "A")  # D sits right of A, and out
    four.does("B bid 100", "C bid 105", "A bid 110", "B pass")

    assert no.view("A").turn == 0
    assert four.view("A").turn == 2
    assert four.refuses("D pass") == "not-your-turn"


def test_bid_4_above_120_a_pair_must_be_held():
    evening = calling(A=NO_PAIR)

    assert evening.refuses("A bid 125") == "bid-needs-marriage"
    assert evening.refuses("A bid 405") == "bid-needs-marriage"
    assert evening.may("A").bid == BidRange(100, 120, 5, Reason.BID_NEEDS_MARRIAGE)
    evening.does("A bid 120")


def test_bid_4_with_a_pair_a_call_may_be_higher():
    calling(A=SPADES).does("A bid 125")


def test_bid_4_talon_cards_do_not_count_before_they_are_taken():
    evening = calling(A=NO_PAIR, talon="QH KD QD")

    assert evening.refuses("A bid 125") == "bid-needs-marriage"


def test_bid_4_nobody_needs_a_pair_in_1001():
    evening = calling(BIDDING_3, A="AS 10S JS 9S 8S 7S AH 10H JH 9H")

    evening.does("A bid 400")


def test_bid_5_no_call_is_higher_than_400():
    evening = calling(A=PAIRS)

    assert evening.refuses("A bid 405") == "bid-too-high"
    assert evening.may("A").bid == BidRange(100, 400, 5, Reason.BID_TOO_HIGH)
    evening.does("A bid 400")
    assert evening.refuses("B bid 405") in {"bid-needs-marriage", "bid-too-high"}
    assert evening.may("B").bid is None
    evening.does("B pass", "C pass")
    assert evening.last[-1] == AuctionWon(declarer=A, points=400)


@pytest.mark.parametrize(
    ("hand", "ceiling"),
    [(SPADES, 160), ("KH QH KS QS 9H 9D 9C", 260), ("KH QH KD QD KS QS KC", 340)],
)
def test_bid_6_the_polish_ceiling_is_120_and_the_pairs_held(hand, ceiling):
    evening = calling(PL_3, A=hand)

    assert evening.refuses(f"A bid {ceiling + 10}") == "bid-too-high"
    assert evening.may("A").bid == BidRange(100, ceiling, 10, Reason.BID_TOO_HIGH)
    evening.does(f"A bid {ceiling}")


def test_bid_6_without_a_pair_the_polish_ceiling_is_120():
    evening = calling(PL_3, A=NO_PAIR)

    assert evening.refuses("A bid 130") == "bid-needs-marriage"
    assert evening.may("A").bid == BidRange(100, 120, 10, Reason.BID_NEEDS_MARRIAGE)
    evening.does("A bid 120")


def test_bid_6_four_aces_neither_help_above_120_nor_raise_the_ceiling():
    russian = calling(with_rules(RU_3, four_aces=True), A="AS AH AD AC 9S 9H 9D")
    polish = calling(with_rules(PL_3, four_aces=True), A="AS AH AD AC KS QS 9D")

    assert russian.refuses("A bid 125") == "bid-needs-marriage"
    assert polish.refuses("A bid 170") == "bid-too-high"


def test_bid_7_in_1001_forehand_may_pass_and_the_last_one_still_speaks():
    evening = calling(BIDDING_3)

    assert evening.may("A").may_pass
    evening.does("A pass", "B pass")
    assert evening.view("C").turn == C
    evening.does("C bid 10")
    assert evening.last[-1] == AuctionWon(declarer=C, points=10)


def test_bid_7_when_all_pass_the_deal_is_thrown_in_and_the_next_dealer_deals():
    evening = calling(BIDDING_3)
    evening.does("A pass", "B pass", "C pass")

    assert isinstance(evening.last[-1], DealScored)
    assert evening.scored.outcome == "thrown_in"
    assert [line.changes for line in evening.scored.lines] == [(), (), ()]
    assert (evening.scores, evening.game.dealer) == ([0, 0, 0], 0)


def test_bid_7_a_call_before_the_last_ones_pass_is_enough():
    evening = calling(BIDDING_3)
    evening.does("A pass", "B bid 60", "C pass")

    assert evening.last[-1] == AuctionWon(declarer=B, points=60)


@pytest.mark.parametrize(
    ("profile", "hand", "line", "reason"),
    [
        (RU_3, NO_PAIR, "A bid 93", "bid-off-step"),
        (RU_3, NO_PAIR, "A bid 407", "bid-off-step"),
        (RU_3, NO_PAIR, "A bid 405", "bid-needs-marriage"),
        (PL_3, NO_PAIR, "A bid 410", "bid-needs-marriage"),
        (PL_3, SPADES, "A bid 410", "bid-too-high"),
        (BIDDING_3, "", "A bid 410", "bid-too-high"),
    ],
)
def test_bid_8_off_step_comes_before_too_low_and_the_pair_before_the_ceiling(
    profile, hand, line, reason
):
    assert calling(profile, A=hand).refuses(line) == reason


def test_only_the_seat_on_turn_speaks_and_only_in_the_auction():
    evening = calling()

    assert evening.refuses("B bid 105") == "not-your-turn"
    assert evening.refuses("B pass") == "not-your-turn"
    evening.declares("A", 100)
    assert evening.refuses("A bid 105") == "wrong-phase"
    assert evening.refuses("A pass") == "wrong-phase"


def test_without_an_auction_nobody_speaks():
    evening = calling(PLAIN_3)

    assert isinstance(evening.phase, Playing)
    assert not isinstance(evening.phase, Auction)
    assert evening.refuses("A bid 100") == "wrong-phase"
