import pytest

from engine.events import Change, DealScored, GameWon, Standing
from engine.evolve import evolve
from engine.scoring import rounded, score_played, winners_of
from engine.state import Between, Over, Room
from tests.support import (
    ALL_PROFILES,
    BIDDING_3,
    DE_3,
    DE_4,
    NO_3,
    NO_4,
    PL_3,
    PL_4,
    PLAIN_3,
    RU_2,
    RU_3,
    RU_4,
    A,
    B,
    C,
    Evening,
    finished,
    seat,
    with_rules,
)


def written(profile=RU_3, *, declarer="A", contract=100, points=None, **more) -> DealScored:
    """What a deal wrote that `declarer` played; who is not in `points` took nothing."""
    if profile.auction is None:
        declarer = contract = None
    taken = {"A": 120} if points is None else points
    return score_played(
        finished(profile, declarer=declarer, contract=contract, points=taken, **more)
    )


def scores(deal: DealScored) -> list[int]:
    return [line.after.score for line in deal.lines]


def after(deal: DealScored, letter: str) -> Standing:
    return deal.lines[seat(letter)].after


def causes(deal: DealScored, letter: str) -> list[tuple[str, int]]:
    return [(change.cause, change.points) for change in deal.lines[seat(letter)].changes]


def at(score: int, **counters) -> Standing:
    return Standing(score=score, **counters)


def on_barrel(count: int = 0, score: int = 880, **more) -> Standing:
    return Standing(score=score, barrel=count, **more)


def winners(profile, deal: DealScored) -> tuple[int, ...]:
    """Who has won once `deal` is on the sheet."""
    state = finished(profile, points={})
    room = evolve(Room(profile=profile, players=(), phase=state), deal)
    assert isinstance(room.phase, Between)
    return winners_of(room.phase.game)


# Earning.


def test_score_1_the_worked_order_defender_at_860_with_a_marriage_and_the_third_bolt():
    deal = written(
        declarer="B", contract=120, points={"B": 120}, melds={"A": "H"}, tricks={"A": 1},
        standings={"A": at(860, bolts=2)},
    )  # fmt: skip

    assert causes(deal, "A") == [("points", 100), ("bolts", -120)]
    assert after(deal, "A") == at(840, bolts=0)


def test_score_1_gains_are_dropped_before_bolts_reset_and_stop():
    profile = with_rules(RU_3, reset_555=True)
    deal = written(
        profile,
        declarer="C",
        contract=100,
        points={"C": 90, "B": 30},
        standings={"A": at(675, bolts=2), "B": at(525)},
    )

    assert causes(deal, "A") == [("points", 0), ("bolts", -120), ("reset", -555)]
    assert causes(deal, "B") == [("points", 30), ("reset", -555)]


def test_score_1_barrel_and_lock_are_judged_as_they_stood_when_the_deal_began():
    arriving = written(points={"A": 60, "B": 60}, standings={"B": at(870)})
    locked = written(PL_3, points={"A": 60, "B": 60}, standings={"B": at(899)})

    assert causes(arriving, "B") == [("points", 60), ("barrel_stop", -50)]
    assert after(locked, "B").score == 959


def test_score_1_after_a_concession_bolts_and_barrel_deals_are_left_out():
    evening = Evening(
        with_rules(RU_3, reset_555=True, one_on_barrel=True),
        standings={"A": at(0), "B": at(820, bolts=2), "C": on_barrel(2)},
    )
    evening.deals()
    evening.declares("A", 100)
    evening.does("A take", "A concede")

    assert evening.standing("B") == on_barrel(0, bolts=2)
    assert evening.standing("C") == on_barrel(2)


@pytest.mark.parametrize(("raw", "made"), [(120, True), (119, False), (121, True)])
def test_score_2_raw_points_decide_unrounded_and_as_many_as_the_contract_are_enough(raw, made):
    deal = written(contract=120, points={"A": raw})

    assert deal.made is made
    assert after(deal, "A").score == (120 if made else -120)


def test_score_2_raw_points_are_card_points_and_melds():
    line = written(contract=150, points={"A": 74}, melds={"A": "D"}).lines[A]

    assert (line.cards, line.melds, line.raw) == (74, 80, 154)


@pytest.mark.parametrize(
    ("step", "points", "expected"),
    [
        *((5, points, 0) for points in (0, 1, 2)),
        *((5, points, 5) for points in (3, 4, 5, 6, 7)),
        *((5, points, 15) for points in (13, 15, 17)),
        (5, 18, 20),
        (10, 44, 40),
        (10, 45, 50),
        (10, 25, 30),
        (10, 4, 0),
        (1, 13, 13),
    ],
)
def test_score_3_worked_example_4_the_nearest_multiple_an_exact_half_goes_up(
    step, points, expected
):
    assert rounded(points, step) == expected


@pytest.mark.parametrize(
    ("profile", "contract", "expected"),
    [(RU_3, 100, 25), (RU_3, 120, 25), (PL_3, 100, 30), (with_rules(RU_3, rounding=10), 100, 30)],
)
def test_score_3_defenders_write_their_rounded_points_whether_the_contract_was_made_or_not(
    profile, contract, expected
):
    deal = written(profile, contract=contract, points={"A": 95, "B": 25})

    assert causes(deal, "B") == [("points", expected)]


def test_score_4_a_declarer_writes_the_contract_and_not_the_points():
    assert causes(written(contract=100), "A") == [("contract_made", 100)]
    assert causes(written(contract=100, points={"A": 99}), "A") == [("contract_failed", -100)]


def test_score_4_worked_example_1():
    deal = written(
        DE_3, contract=150, points={"A": 74, "B": 32, "C": 14}, melds={"A": "D", "C": "S"}
    )

    assert scores(deal) == [150, 30, 55]


def test_score_4_worked_example_2():
    deal = written(RU_3, contract=125, points={"A": 84, "B": 21, "C": 15}, melds={"A": "S"})

    assert scores(deal) == [-125, 20, 15]


@pytest.mark.parametrize(("raw", "score"), [(145, 130), (125, -130)])
def test_score_4_worked_example_12(raw, score):
    deal = written(NO_3, contract=130, points={"A": raw - 60}, melds={"A": "C"})

    assert after(deal, "A").score == score


def test_score_5_house_rule_a_total_of_exactly_555_becomes_0():
    profile = with_rules(RU_3, reset_555=True)
    standings = {"A": at(455), "B": at(525), "C": at(530)}
    deal = written(
        profile, points={"A": 60, "B": 30, "C": 30}, melds={"A": "S"}, standings=standings
    )

    assert scores(deal) == [0, 0, 560]
    assert scores(written(RU_3, points={"A": 100, "B": 20}, standings=standings))[0] == 555


def test_score_5_in_a_conceded_deal_and_for_the_sitter_too():
    evening = Evening(
        with_rules(NO_4, reset_555=True, sitter="dealer"),
        dealer="D",
        standings={"B": at(495), "D": at(515)},
    )
    evening.deals(talon="AS 9S 9H")
    evening.declares("A", 100)
    evening.does("A take", "A concede")

    assert evening.scores == [0, 0, 60, 0]
    assert evening.line("D").changes == (Change("income", 40), Change("reset", -555))


@pytest.mark.parametrize(
    ("raw", "last", "tens"),
    [(105, "B", 10), (105, "A", 11), (106, "B", 11), (104, "A", 10), (85, "A", 9), (85, "B", 8)],
)
def test_score_6_house_rule_of_1001_a_tenth_is_written_an_exact_five_up_with_the_last_trick(
    raw, last, tens
):
    deal = written(with_rules(PLAIN_3, tens=True), points={"A": raw}, last=last)

    assert after(deal, "A").score == tens


@pytest.mark.parametrize(
    ("profile", "bonus"),
    [
        (with_rules(PLAIN_3, virgin=True), 100),
        (with_rules(PLAIN_3, virgin=True, tens=True), 10),
        (PLAIN_3, 0),
    ],
)
def test_score_7_house_rule_of_1001_a_player_without_a_trick_writes_more(profile, bonus):
    deal = written(profile, points={"A": 120}, tricks={"A": 7, "B": 1, "C": 0})

    assert after(deal, "B").score == 0
    assert after(deal, "C").score == bonus
    assert deal.lines[C].raw == 0


def test_score_8_totals_may_be_negative():
    assert scores(written(contract=400)) == [-400, 0, 0]
    assert scores(written(contract=100, standings={"A": at(-250)}))[0] == -150


def test_score_9_in_1001_everybody_writes_raw_points():
    assert scores(written(PLAIN_3, points={"A": 63, "B": 44, "C": 13}, melds={"B": "C"})) == [
        63,
        144,
        13,
    ]


@pytest.mark.parametrize(("contract", "score"), [(60, 103), (110, -110), (100, 103)])
def test_score_9_with_bidding_the_declarer_too_if_the_bid_was_reached(contract, score):
    deal = written(
        BIDDING_3, contract=contract, points={"A": 63, "B": 44, "C": 13}, melds={"A": "D"}
    )

    assert scores(deal) == [score, 44, 13]


def test_score_10_every_step_is_kept_with_its_cause_and_they_add_up():
    deal = written(contract=120, standings={"A": at(845)}, points={"A": 120})

    assert causes(deal, "A") == [("contract_made", 120), ("barrel_stop", -85)]
    assert deal.lines[A].before == at(845)
    assert deal.lines[A].after == on_barrel(0)


def test_score_10_a_deal_says_what_it_was_about_and_who_deals_next():
    deal = written(contract=120)

    assert (deal.number, deal.outcome, deal.dealer, deal.next_dealer) == (1, "played", C, A)
    assert (deal.declarer, deal.contract, deal.made) == (A, 120, True)
    assert [line.role for line in deal.lines] == ["declarer", "defender", "defender"]
    plain = written(PLAIN_3)
    assert (plain.declarer, plain.contract, plain.made) == (None, None, None)
    assert {line.role for line in plain.lines} == {"player"}


# Bolts.


def test_bolt_1_a_defender_without_card_points_is_struck_a_bolt():
    deal = written(points={"A": 118, "B": 2})

    assert after(deal, "C") == at(0, bolts=1)
    assert after(deal, "B") == at(0)


def test_bolt_1_a_trick_of_nines_is_one_too_and_melded_points_do_not_help():
    deal = written(points={"A": 120}, tricks={"B": 1}, melds={"B": "H"})

    assert after(deal, "B") == at(100, bolts=1)


def test_bolt_1_points_rounded_down_to_nothing_are_points():
    assert (
        after(written(points={"A": 118, "B": 2}, standings={"B": at(0, bolts=2)}), "B").bolts == 2
    )


@pytest.mark.parametrize("profile", [PL_3, with_rules(RU_3, bolts=False), PLAIN_3, BIDDING_3])
def test_bolt_1_some_tables_know_no_bolts(profile):
    assert after(written(profile), "B") == at(0)


def test_bolt_2_the_third_costs_120_and_the_count_begins_again():
    first = written(standings={"B": at(300, bolts=1)})
    deal = written(standings={"B": at(300, bolts=2)})

    assert after(first, "B") == at(300, bolts=2)
    assert after(deal, "B") == at(180, bolts=0)
    assert causes(deal, "B") == [("points", 0), ("bolts", -120)]


def test_bolt_2_worked_example_3():
    standings = {"A": at(300), "B": at(300), "C": at(300, bolts=2)}
    deal = written(DE_3, contract=120, points={"A": 118, "B": 2}, standings=standings)

    assert scores(deal) == [180, 300, 180]
    assert [line.after.bolts for line in deal.lines] == [0, 0, 0]


def test_bolt_3_neither_declarer_nor_sitter_is_struck_one_nor_anybody_on_the_barrel():
    deal = written(
        RU_4,
        dealer="A",
        points={"B": 120},
        standings={"B": at(0), "C": on_barrel(0, bolts=2)},
        declarer="A",
    )

    assert deal.lines[3].role == "sitter"
    assert [line.after.bolts for line in deal.lines] == [0, 0, 2, 0]


def test_bolt_4_out_of_play_points_that_come_with_the_last_trick_are_points():
    deal = written(
        RU_2,
        dealer="B",
        points={"A": 110},
        tricks={"B": 1},
        last="B",
        laid_away="KD QD",
        unused="9C",
    )
    nobody = written(
        with_rules(RU_2, talon_points="nobody"),
        dealer="B", points={"A": 110}, tricks={"B": 1}, last="B", laid_away="KD QD",
    )  # fmt: skip

    assert (deal.lines[B].cards, deal.lines[B].after) == (7, at(5))
    assert nobody.lines[B].after == at(0, bolts=1)


# The barrel.


@pytest.mark.parametrize("score", [780, 800, 899])
def test_barrel_1_a_total_from_880_to_999_becomes_880_and_sits_there_uncounted(score):
    deal = written(standings={"A": at(score)})

    assert after(deal, "A") == on_barrel(0)


def test_barrel_1_below_880_there_is_none_and_1000_is_no_stop():
    assert after(written(standings={"A": at(775)}), "A") == at(875)
    assert after(written(standings={"A": at(900)}), "A") == at(1000)


def test_barrel_1_defenders_arrive_as_declarers_do():
    deal = written(points={"A": 60, "B": 60}, standings={"B": at(840)})

    assert after(deal, "B") == on_barrel(0)


@pytest.mark.parametrize(("mark", "fallen"), [(850, 730), (870, 750), (880, 760), (900, 780)])
def test_barrel_1_house_rule_another_mark_moves_the_stop_and_the_fall(mark, fallen):
    profile = with_rules(RU_3, barrel=mark)
    arriving = written(profile, standings={"A": at(mark - 100)})
    falling = written(profile, declarer="B", standings={"A": on_barrel(2, score=mark)})

    assert after(arriving, "A") == on_barrel(0, score=mark)
    assert after(falling, "A") == at(fallen)


def test_barrel_2_every_later_deal_counts_for_everyone_there_who_plays_it():
    standings = {"A": on_barrel(0), "B": on_barrel(1)}
    deal = written(points={"A": 100, "C": 20}, standings=standings)

    assert after(deal, "A") == on_barrel(1)
    assert after(deal, "B") == on_barrel(2)


def test_barrel_2_a_sitters_deal_does_not_count():
    deal = written(DE_4, dealer="D", points={"A": 120}, standings={"D": on_barrel(2)})

    assert after(deal, "D") == on_barrel(2)


def test_barrel_3_there_a_defender_gains_nothing():
    deal = written(points={"A": 60, "B": 60}, melds={"B": "H"}, standings={"B": on_barrel(0)})

    assert after(deal, "B") == on_barrel(1)
    assert causes(deal, "B") == [("points", 160), ("barrel_keeps", -160)]


def test_barrel_3_concessions_and_income_bring_nothing_either():
    evening = Evening(NO_4, dealer="B", standings={"A": on_barrel(1), "D": on_barrel(2)})
    evening.deals(talon="AS AH 9S")
    evening.declares("C", 100)
    evening.does("C take", "C concede")

    assert evening.line("A").role == "sitter"
    assert evening.scores == [880, 60, 0, 880]
    assert evening.line("A").changes == (Change("income", 80), Change("barrel_keeps", -80))


def test_barrel_4_a_made_contract_that_brings_1000_wins_a_smaller_one_stays():
    winning = written(contract=120, standings={"A": on_barrel(2)})
    staying = written(contract=115, standings={"A": on_barrel(1)})

    assert after(winning, "A") == at(1000)
    assert winners(RU_3, winning) == (A,)
    assert after(staying, "A") == on_barrel(2)
    assert causes(staying, "A") == [("contract_made", 115), ("barrel_stop", -115)]


def test_barrel_4_the_third_deal_is_still_played_and_may_win():
    small = written(contract=115, standings={"A": on_barrel(2)})

    assert after(small, "A") == at(760)


def test_barrel_5_worked_example_6_a_failed_contract_is_lost_and_nothing_more():
    deal = written(contract=130, points={"A": 82}, melds={"A": "S"}, standings={"A": on_barrel(2)})

    assert deal.lines[A].raw == 122
    assert after(deal, "A") == at(750)
    assert causes(deal, "A") == [("contract_failed", -130)]


def test_barrel_6_worked_example_5():
    first = written(contract=120, standings={"A": at(845)})
    second = written(
        declarer="B", contract=100, points={"A": 65, "B": 55}, standings={"A": after(first, "A")}
    )
    third = written(contract=100, standings={"A": after(second, "A")})
    fourth = written(
        declarer="B", contract=100, points={"A": 20, "B": 100}, standings={"A": after(third, "A")}
    )

    assert [after(deal, "A") for deal in (first, second, third, fourth)] == [
        on_barrel(0),
        on_barrel(1),
        on_barrel(2),
        at(760),
    ]
    assert causes(fourth, "A")[-1] == ("barrel_fall", -120)


def test_barrel_7_several_sit_there_each_with_a_count_of_their_own():
    standings = {"A": on_barrel(0), "B": on_barrel(1), "C": on_barrel(2)}
    deal = written(contract=100, standings=standings)

    assert [line.after for line in deal.lines] == [on_barrel(1), on_barrel(2), at(760)]


def test_barrel_8_worked_example_7_straight_to_1000_is_a_win():
    deal = written(RU_3, contract=155, points={"A": 95}, melds={"A": "C"}, standings={"A": at(845)})

    assert after(deal, "A") == at(1000)
    assert winners(RU_3, deal) == (A,)


def test_barrel_8_a_defender_too_may_jump():
    deal = written(points={"A": 60, "B": 60}, melds={"B": "H"}, standings={"B": at(860)})

    assert after(deal, "B") == at(1020)
    assert winners(RU_3, deal) == (B,)


def test_barrel_9_house_rule_who_sat_there_falls_when_another_arrives():
    profile = with_rules(RU_3, one_on_barrel=True)
    standings = {"A": at(800), "B": on_barrel(0)}
    deal = written(profile, points={"A": 100, "C": 20}, standings=standings)

    assert [line.after for line in deal.lines] == [on_barrel(0), at(760), at(20)]
    assert causes(deal, "B")[-1] == ("sent_off", -120)
    assert after(written(RU_3, standings=standings), "B") == on_barrel(1)


def test_barrel_9_also_as_a_declarer_who_made_the_contract_but_one_who_fails_is_off_anyway():
    profile = with_rules(RU_3, one_on_barrel=True)
    standings = {"A": on_barrel(0), "B": at(840)}
    made = written(profile, points={"A": 60, "B": 60}, melds={"A": "S"}, standings=standings)
    failed = written(profile, points={"A": 60, "B": 60}, standings=standings)
    won = written(
        profile, contract=120, points={"A": 60, "B": 60}, melds={"A": "C"}, standings=standings
    )

    assert after(made, "A") == at(760)
    assert after(failed, "A") == at(780)
    assert after(won, "A") == at(1000)


def test_barrel_9_newcomers_of_one_deal_stay_together():
    profile = with_rules(RU_3, one_on_barrel=True)
    standings = {"A": at(800), "B": at(840), "C": on_barrel(2)}
    deal = written(profile, points={"A": 60, "B": 60}, melds={"A": "S"}, standings=standings)

    assert [line.after for line in deal.lines] == [on_barrel(0), on_barrel(0), at(760)]
    assert causes(deal, "C")[-1] == ("barrel_fall", -120)


def test_barrel_10_house_rule_the_third_fall_brings_nothing_left():
    profile = with_rules(RU_3, third_fall_zero=True, one_on_barrel=True)
    standings = {"A": at(800), "B": on_barrel(0, falls=2), "C": on_barrel(2, falls=2)}
    deal = written(profile, points={"A": 120}, standings=standings)
    second = written(profile, declarer="B", standings={"A": on_barrel(2, falls=1)})

    assert [line.after for line in deal.lines] == [on_barrel(0), at(0), at(0)]
    assert causes(deal, "B")[-2:] == [("sent_off", -120), ("falls_to_zero", -760)]
    assert after(second, "A") == at(760, falls=2)


def test_barrel_10_a_failed_contract_is_no_fall_and_elsewhere_falls_are_not_counted():
    profile = with_rules(RU_3, third_fall_zero=True)
    failed = written(profile, points={"B": 120}, standings={"A": on_barrel(0, falls=2)})
    uncounted = written(RU_3, declarer="B", standings={"A": on_barrel(2)})

    assert after(failed, "A") == at(780, falls=2)
    assert after(uncounted, "A") == at(760, falls=0)


# The lock.


@pytest.mark.parametrize(("before", "points", "expected"), [(890, 25, 920), (900, 20, 900)])
def test_lock_1_worked_example_9(before, points, expected):
    deal = written(PL_3, points={"A": 120 - points, "B": points}, standings={"B": at(before)})

    assert after(deal, "B") == at(expected)


def test_lock_1_a_locked_declarer_writes_and_a_concession_brings_a_locked_defender_nothing():
    deal = written(PL_3, contract=120, standings={"A": at(920)})
    evening = Evening(PL_3, standings={"B": at(900), "C": at(895)})
    evening.deals()
    evening.declares("A", 100)
    evening.does("A take", "A concede")

    assert after(deal, "A").score == 1040
    assert evening.scores == [0, 900, 955]
    assert evening.line("B").changes == (Change("concession_pay", 60), Change("lock_keeps", -60))


def test_lock_2_the_lock_neither_stops_a_total_nor_makes_it_fall():
    standings = {"B": at(899), "C": at(950)}
    deal = written(PL_3, points={"A": 60, "B": 60}, standings=standings)

    assert after(deal, "B") == at(959)
    assert after(deal, "C") == at(950)


def test_lock_2_a_locked_declarer_loses_a_failed_contract():
    assert after(written(PL_3, points={}, standings={"A": at(950)}), "A") == at(850)


# The sitter.


@pytest.mark.parametrize(
    ("profile", "income"),
    [(NO_4, 120), (PL_4, 130), (RU_4, 0), (DE_4, 0)],
    ids=["no", "pl", "ru", "de"],
)
def test_sit_1_worked_example_11_aces_and_pairs_in_the_talon(profile, income):
    dealer = "D" if profile is DE_4 else "A"
    talon = "AS KD QD"
    deal = written(profile, dealer=dealer, declarer="B", points={"B": 120}, talon=talon)

    assert (deal.lines[3].role, after(deal, "D").score) == ("sitter", income)


def test_sit_1_also_when_the_declarer_concedes_and_up_to_the_barrel():
    evening = Evening(NO_4, dealer="A", standings={"D": at(860)})
    evening.deals(talon="AS KD QD")
    evening.declares("B", 100)
    evening.does("B take", "B concede")

    assert evening.standing("D") == on_barrel(0)
    assert evening.line("D").changes == (Change("income", 120), Change("barrel_stop", -100))


SAT_OUT = {"dealer": "A", "declarer": "B", "talon": "AS KD QD"}


def test_sit_1_whether_the_contract_was_made_or_not():
    for points in ({"B": 120}, {"C": 120}):
        deal = written(NO_4, points=points, standings={"D": at(100)}, **SAT_OUT)

        assert causes(deal, "D") == [("income", 120)]


def test_sit_2_on_the_barrel_or_locked_the_sitter_earns_nothing():
    barrel = written(NO_4, points={"B": 120}, standings={"D": on_barrel(1)}, **SAT_OUT)
    locked = written(PL_4, points={"B": 120}, standings={"D": at(900)}, **SAT_OUT)

    assert after(barrel, "D") == on_barrel(1)
    assert after(locked, "D") == at(900)


def test_sit_3_the_sitter_has_no_cards_no_say_and_no_pay_for_a_concession():
    evening = Evening(RU_4, dealer="A")
    evening.deals()
    assert evening.view("D").hand == ()
    assert evening.view("D").sitter == 3
    assert evening.refuses("D bid 105") == "not-your-turn"
    evening.declares("B", 100)
    evening.does("B take", "B concede")

    assert evening.scores == [60, 0, 60, 0]


# Winning.


def test_win_1_1000_wins_and_999_does_not():
    assert winners(PL_3, written(PL_3, standings={"A": at(900)})) == (A,)
    assert winners(PL_3, written(PL_3, standings={"A": at(899)})) == ()


def test_win_1_the_game_is_over_in_the_same_decision():
    evening = Evening(PL_3, standings={"A": at(900)})
    evening.plays_from(A="AS AH AD AC 10S 10H 10D 10C", B="9S", C="9H")
    evening.goes_on()

    assert evening.last[-1] == GameWon(winners=(A,))
    assert isinstance(evening.phase, Over)
    assert evening.refuses("A play AS") == "wrong-phase"
    assert evening.refuses("A concede") == "wrong-phase"


def test_win_2_worked_example_8_the_declarer_wins_before_a_defender():
    deal = written(
        NO_3, contract=130, points={"A": 80, "B": 40}, melds={"A": "D", "B": "H"},
        standings={"A": at(870), "B": at(860)},
    )  # fmt: skip

    assert scores(deal) == [1000, 1000, 0]
    assert winners(NO_3, deal) == (A,)


def test_win_2_also_before_a_higher_total_wherever_they_sit():
    deal = written(
        PL_3, declarer="C", contract=100, points={"C": 100, "A": 20}, melds={"A": "H"},
        standings={"A": at(890), "C": at(900)},
    )  # fmt: skip

    assert scores(deal) == [1010, 0, 1000]
    assert winners(PL_3, deal) == (C,)


def test_win_2_without_the_declarer_the_highest_total_wins():
    deal = written(
        PL_3,
        points={"A": 10, "B": 50, "C": 60},
        melds={"B": "HS", "C": "H"},
        standings={"B": at(850), "C": at(890)},
    )

    assert scores(deal) == [-100, 1040, 1050]
    assert winners(PL_3, deal) == (C,)


def test_win_3_equal_highest_totals_share_the_win():
    deal = written(
        PL_3, points={"A": 20, "B": 50, "C": 50}, melds={"B": "H", "C": "H"},
        standings={"B": at(850), "C": at(850)},
    )  # fmt: skip

    assert winners(PL_3, deal) == (B, C)


@pytest.mark.parametrize("profile", [PLAIN_3, BIDDING_3], ids=["1001", "1001 with bidding"])
def test_win_4_in_1001_the_highest_total_wins_whoever_declared(profile):
    standings = {"A": at(950), "B": at(960)}
    deal = written(profile, contract=50, points={"A": 55, "B": 65}, standings=standings)

    assert scores(deal) == [1005, 1025, 0]
    assert winners(profile, deal) == (B,)


def test_win_4_an_equal_highest_total_means_another_deal():
    standings = {"A": at(950), "B": at(940), "C": at(1000)}
    deal = written(PLAIN_3, points={"A": 55, "B": 65}, standings=standings)
    apart = written(PLAIN_3, points={"A": 56, "B": 64}, standings=standings)

    assert winners(PLAIN_3, deal) == ()
    assert winners(PLAIN_3, apart) == (A,)


@pytest.mark.parametrize(
    ("profile", "enough"),
    [(PLAIN_3, 1001), (BIDDING_3, 1001), (with_rules(PLAIN_3, tens=True), 100)],
    ids=["1001", "1001 with bidding", "tens"],
)
def test_win_4_the_target_is_1001_or_100_in_tens(profile, enough):
    below = written(profile, points={}, contract=0, standings={"A": at(enough - 1)})
    there = written(profile, points={}, contract=0, standings={"A": at(enough)})

    assert (winners(profile, below), winners(profile, there)) == ((), (A,))


def test_worked_example_10_the_third_concession():
    evening = Evening(
        RU_3, standings={"A": at(400, concessions=2), "B": at(500), "C": on_barrel(1)}
    )
    evening.deals()
    evening.declares("A", 100)
    evening.does("A take", "A concede")

    assert evening.scores == [280, 560, 880]
    assert evening.standing("C") == on_barrel(1)
    assert evening.standing("A").concessions == 0


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_table_3_the_dealer_moves_on_whatever_was_bid(profile):
    for contract in (100, 200):
        deal = written(profile, contract=contract, dealer="A")
        step = 1 if profile.table.direction == "clockwise" else -1

        assert deal.next_dealer == step % profile.table.players


def test_trap_the_stop_does_not_swallow_a_jump_over_the_target():
    deal = written(contract=200, points={"A": 100}, melds={"A": "H"}, standings={"A": at(879)})

    assert after(deal, "A") == at(1079)


def test_trap_a_defender_on_the_barrel_does_not_win():
    deal = written(points={"A": 60, "B": 60}, melds={"B": "H"}, standings={"B": on_barrel(0)})

    assert winners(RU_3, deal) == ()
