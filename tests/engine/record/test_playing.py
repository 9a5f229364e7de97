"""Records played: what is refused with which code, and what is told of the first failure."""

import itertools

import pytest

from engine.events import Standing
from engine.record import play_record, read_record
from engine.record.words import CODES
from engine.state import Between, Over, Playing
from tests.engine.record.papers import (
    B_HAS_NINES,
    FALSE,
    FOUR_PLAYERS_DEALER_C,
    HERE,
    ONLY_B_HAS_PAIRS,
    PAIRS_EVERYWHERE,
    PLAIN,
    PROFILES,
    SKAT,
    TWO_TALONS,
    assert_holds,
    complaint,
    paper,
)
from tests.support import A

A_WON = ("A bid 100", "B pass", "C pass")
A_TOOK = (*A_WON, "A take")
A_GAVE = (*A_TOOK, "A give 9D B 9C C")
A_PLAYS = (*A_GAVE, "A contract 100")
AFTER_A_TRICK = (*A_PLAYS, "A play AS", "B play 9S", "C play JS")
MUST_RISE = (PLAIN, "A meld KC", "B play 9C", "C play JC")
THE_FIRST_SUIT_IS_TRUMPED = (
    *AFTER_A_TRICK,
    *("A meld QH", "B play 10H", "C play AH", "C meld KD", "A play AD", "B play 9D"),
)

REFUSALS = [
    # Between deals, and after the end, every act is out of place, also one that no turn binds.
    *(
        ("ru-3", (), (), act, "wrong-phase")
        for act in ("A bid 100", "B pass", "A take", "A give 9D B 9C C", "A discard 9D 9C")
    ),
    *(
        ("ru-3", (), (), act, "wrong-phase")
        for act in ("A contract 100", "A concede", "B nines", "A forgets", "A play AS", "A meld QH")
    ),
    # The phase comes before the turn.
    ("ru-3", (), (PAIRS_EVERYWHERE,), "B play AS", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "B contract 100", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "B take", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "B bid 105", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_WON), "B give 9D A", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_WON), "A discard 9D", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_WON), "A forgets", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A take", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A discard 9D 9C", "wrong-phase"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A forgets", "wrong-phase"),
    ("ru-2", (), (TWO_TALONS, "A bid 100", "B pass", "A take 1"), "A give 9S B", "wrong-phase"),
    ("1001-3", (), (PLAIN,), "A take", "wrong-phase"),
    ("1001-3", (), (PLAIN,), "A contract 100", "wrong-phase"),
    ("1001-bid-3", (), (SKAT, *A_TOOK, "A discard 8D 7D"), "A contract 100", "wrong-phase"),
    # The turn comes before what is said.
    ("ru-3", (), (PAIRS_EVERYWHERE,), "B bid 103", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "B pass", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_WON), "B take", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "B give 9D A", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_GAVE), "B contract 95", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "B play AS", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "B meld AS", "not-your-turn"),
    (
        "ru-3",
        (),
        (PAIRS_EVERYWHERE, "A bid 100", "B pass", "C bid 105"),
        "B bid 110",
        "not-your-turn",
    ),
    ("ru-4", (), (FOUR_PLAYERS_DEALER_C,), "B bid 100", "not-your-turn"),
    ("ru-4", (), (FOUR_PLAYERS_DEALER_C,), "B pass", "not-your-turn"),
    ("1001-bid-3", (), (SKAT, *A_TOOK), "B forgets", "not-your-turn"),
    # Calls.
    ("ru-3", (), (PAIRS_EVERYWHERE,), "A pass", "must-open"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "A bid 97", "bid-off-step"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "A bid 403", "bid-off-step"),
    ("ru-3", ("set step 10",), (PAIRS_EVERYWHERE,), "A bid 105", "bid-off-step"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "A bid 95", "bid-too-low"),
    ("ru-3", (), (PAIRS_EVERYWHERE, "A bid 100"), "B bid 100", "bid-too-low"),
    ("ru-3", (), (ONLY_B_HAS_PAIRS,), "A bid 125", "bid-needs-marriage"),
    ("ru-3", (), (ONLY_B_HAS_PAIRS,), "A bid 405", "bid-needs-marriage"),
    ("ru-3", (), (PAIRS_EVERYWHERE,), "A bid 405", "bid-too-high"),
    ("pl-3", (), (ONLY_B_HAS_PAIRS,), "A bid 130", "bid-needs-marriage"),
    ("pl-3", (), (ONLY_B_HAS_PAIRS, "A bid 100"), "B bid 230", "bid-too-high"),
    ("1001-bid-3", (), (SKAT,), "A bid 410", "bid-too-high"),
    ("1001-bid-3", (), (SKAT,), "A bid 15", "bid-off-step"),
    ("1001-bid-3", (), (SKAT,), "A bid 0", "bid-too-low"),
    # The exchange.
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 9D B", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 9D B 9C C AS B", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 9D B 9D C", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 9D B 9C B", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 9D A 9C C", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give KS B KS C", "wrong-cards"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give KS B 9C C", "not-in-hand"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "A give 7S B 8S C", "not-in-hand"),
    (
        "ru-4",
        (),
        (FOUR_PLAYERS_DEALER_C, "D bid 100", "A pass", "C pass", "D take"),
        "D give JS B JH A",
        "wrong-cards",
    ),
    ("ru-2", (), (TWO_TALONS, "A bid 100", "B pass", "A take 1"), "A discard AS", "wrong-cards"),
    ("ru-2", (), (TWO_TALONS, "A bid 100", "B pass", "A take 1"), "A discard AS AS", "wrong-cards"),
    ("ru-2", (), (TWO_TALONS, "A bid 100", "B pass", "A take 1"), "A discard AS JC", "not-in-hand"),
    # The contract.
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_GAVE), "A contract 97", "contract-too-low"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_GAVE), "A contract 103", "bid-off-step"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_GAVE), "A contract 405", "bid-too-high"),
    (
        "ru-3",
        (),
        (ONLY_B_HAS_PAIRS, *A_TOOK, "A give 9D B 9C C"),
        "A contract 405",
        "bid-needs-marriage",
    ),
    # Cards.
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A play KS", "not-in-hand"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A play 7S", "not-in-hand"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS, "A play AS"), "B play 10H", "must-follow-suit"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS, "A play AS"), "B play AH", "not-in-hand"),
    (
        "ru-3",
        (),
        (PAIRS_EVERYWHERE, *THE_FIRST_SUIT_IS_TRUMPED, "A play 10S", "B play QS"),
        "C play JH",
        "must-trump",
    ),
    (
        "ru-3",
        ("set must_beat on",),
        (PAIRS_EVERYWHERE, *AFTER_A_TRICK, "A play KH", "B play 10H"),
        "C play JH",
        "must-beat",
    ),
    # Melds.
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A meld KD", "not-in-hand"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A meld KH", "meld-not-now"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A meld AS", "meld-not-now"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS, "A play AS"), "B meld KS", "meld-not-now"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *AFTER_A_TRICK), "A meld AC", "no-marriage"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *AFTER_A_TRICK), "A meld 10S", "no-marriage"),
    ("ru-3", ("set four_aces on",), (PAIRS_EVERYWHERE, *AFTER_A_TRICK), "A meld AC", "no-marriage"),
    ("pl-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "A meld 10S", "no-marriage"),
    ("1001-3", (), MUST_RISE, "A meld KD", "meld-must-rise"),
    (
        "1001-bid-3",
        ("standing A 910",),
        (SKAT, *A_TOOK, "A discard 8D 7D"),
        "A meld KS",
        "meld-locked",
    ),
    (
        "1001-bid-3",
        ("standing A 910",),
        (SKAT, *A_TOOK, "A discard 8D 7D"),
        "A meld 10S",
        "no-marriage",
    ),
    # Giving the deal up, which no turn binds.
    *(
        ("ru-3", (), (PAIRS_EVERYWHERE, *before), f"{seat} concede", "concede-not-now")
        for before in ((), A_WON, (*A_PLAYS, "A play AS"))
        for seat in "AB"
    ),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_TOOK), "B concede", "not-your-turn"),
    ("ru-3", (), (PAIRS_EVERYWHERE, *A_PLAYS), "C concede", "not-your-turn"),
    (
        "ru-3",
        ("standing A 880 barrel 1",),
        (PAIRS_EVERYWHERE, *A_TOOK),
        "A concede",
        "concede-on-barrel",
    ),
    (
        "pl-3",
        ("standing A 0 concessions 2",),
        (PAIRS_EVERYWHERE, *A_TOOK),
        "A concede",
        "concede-limit",
    ),
    ("1001-3", (), (PLAIN,), "B concede", "concede-not-now"),
    ("1001-bid-3", (), (SKAT,), "A concede", "concede-not-now"),
    ("1001-bid-3", (), (SKAT, *A_TOOK), "A concede", "concede-not-now"),
    # Four nines, which no turn binds either, and not even sitting out.
    ("ru-3", (), (B_HAS_NINES, *A_TOOK), "B nines", "wrong-phase"),
    ("ru-3", (), (B_HAS_NINES, *A_TOOK, "A give KC B JC C"), "A nines", "no-four-nines"),
    (
        "ru-3",
        (),
        (B_HAS_NINES, *A_TOOK, "A give KC B JC C", "A contract 100", "A play AS", "B play KS"),
        "B nines",
        "wrong-phase",
    ),
    ("1001-3", (), (PLAIN,), "A nines", "wrong-phase"),
    (
        "ru-4",
        (),
        (
            FOUR_PLAYERS_DEALER_C,
            *("D bid 100", "A pass", "C pass", "D take", "D give JS C JH A", "D contract 100"),
        ),
        "B nines",
        "no-four-nines",
    ),
]


def case(profile, more, before, act, code):
    dealer = "B" if profile == "ru-2" else "C"
    return paper(*before, f"! {act} : {code}", profile=profile, more=more, dealer=dealer)


@pytest.mark.parametrize(("profile", "more", "before", "act", "code"), REFUSALS)
def test_an_act_is_refused_with_the_first_code_that_fits(profile, more, before, act, code):
    assert_holds(case(profile, more, before, act, code))


@pytest.mark.parametrize(("profile", "more", "before", "act", "code"), REFUSALS)
def test_and_with_no_other(profile, more, before, act, code):
    for other in CODES:
        if other != code:
            text = case(profile, more, before, act, other) + HERE
            assert complaint(text, FALSE) == (
                f"expected `{act}` to be refused as {other}, but it is {code}"
            )


def test_every_code_is_seen():
    assert {code for *_, code in REFUSALS} == set(CODES)


def test_a_refusal_changes_nothing():
    assert_holds(
        paper(
            PAIRS_EVERYWHERE,
            *("! B bid 105 : not-your-turn", "= turn A", "! A pass : must-open", "A bid 100"),
        )
    )


def test_an_accepted_act_is_told_where_a_refusal_was_claimed():
    text = paper(PAIRS_EVERYWHERE, f"! A bid 100 : bid-too-low{HERE}")

    assert complaint(text, FALSE) == (
        "expected `A bid 100` to be refused as bid-too-low, but it is accepted"
    )


@pytest.mark.parametrize(
    ("before", "act", "code"),
    [
        ((PAIRS_EVERYWHERE,), "A pass", "must-open"),
        ((PAIRS_EVERYWHERE, *A_TOOK), "A give 9D B", "wrong-cards"),
        ((PAIRS_EVERYWHERE, *A_PLAYS, "A play AS"), "B play 10H", "must-follow-suit"),
    ],
)
def test_a_refused_act_is_told_with_the_reason(before, act, code):
    assert complaint(paper(*before, act + HERE), FALSE) == (
        f"expected `{act}` to be accepted, but it is refused: {code}"
    )


def test_only_the_first_failure_is_told():
    complaint(paper(f"= dealer A{HERE}", "= dealer B", PAIRS_EVERYWHERE, "A pass"), FALSE)


def test_no_deal_begins_while_another_runs():
    again = PAIRS_EVERYWHERE.replace("deal", "deal" + HERE)

    assert "the last one is not over" in complaint(paper(PAIRS_EVERYWHERE, again), FALSE)


def test_no_deal_begins_when_the_game_is_over():
    won = (PAIRS_EVERYWHERE, "A bid 220", "B pass", "C pass", "A take", "A concede")
    again = PAIRS_EVERYWHERE.replace("deal", "deal" + HERE)
    text = paper(*won, again, profile="pl-3", more=["set concession_half on", "standing B 890"])

    assert "the game is over" in complaint(text, FALSE)


def test_the_game_that_was_played_is_the_answer():
    record = read_record(
        paper(PAIRS_EVERYWHERE, *A_TOOK, "A concede", PAIRS_EVERYWHERE, more=["standing B 5"]),
        PROFILES,
    )

    played = play_record(record)

    assert (played.failure, played.deals) == (None, 2)
    assert not isinstance(played.room.phase, Between | Over)
    game = played.room.phase.game  # type: ignore[union-attr]
    assert game.standings == (Standing(concessions=1), Standing(score=65), Standing(score=60))
    assert [player and player.name for player in played.room.players] == ["Anna", "Ben", "Carla"]


def test_after_a_failure_the_game_stands_where_it_failed():
    record = read_record(paper(PAIRS_EVERYWHERE, *A_PLAYS, "B play KS", "A play AS"), PROFILES)

    played = play_record(record)

    assert played.failure is not None
    assert isinstance(played.room.phase, Playing)
    assert played.room.phase.turn == A


def test_deals_follow_each_other_as_the_dealer_moves():
    conceded = [
        (PAIRS_EVERYWHERE, f"{a} bid 100", f"{b} pass", f"{c} pass", f"{a} take", f"{a} concede")
        for a, b, c in ("ABC", "BCA", "CAB")
    ]

    assert_holds(paper(*itertools.chain(*conceded), "= scores A 120 B 120 C 120", "= dealer C"))
