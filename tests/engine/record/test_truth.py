"""What may be claimed where. Each scene holds; each of its claims, said otherwise, does not."""

import pytest

from tests.engine.record.papers import (
    B_HAS_NINES,
    FALSE,
    FOUR_PLAYERS_DEALER_C,
    HERE,
    ONLY_B_HAS_PAIRS,
    PAIRS_EVERYWHERE,
    PLAIN,
    RECORDS,
    SKAT,
    TWO_TALONS,
    assert_holds,
    complaint,
    otherwise,
    paper,
)

IN_THE_AUCTION = paper(
    "= phase between",
    "= turn none",
    "= dealer C",
    "= sitter none",
    "= contract none",
    "= declarer none",
    "= trump none",
    "= winner none",
    "= scores A 0 B 0 C 0",
    "= bids A none",
    "= legal A none",
    "= melds A none",
    "= may not A pass",
    PAIRS_EVERYWHERE,
    "= phase auction",
    "= turn A",
    "= bids A 100 400",
    "= bids B none",
    "= legal A none",
    "= contract none",
    "= may not A pass",
    "= may not A take",
    "A bid 100",
    "= turn B",
    "= bids B 105 400",
    "= contract 100",
    "= declarer none",
    "= may B pass",
    "= may not C pass",
    "B pass",
    "C pass",
    "= phase exchange",
    "= turn A",
    "= declarer A",
    "= contract 100",
    "= may A take",
    "= may not B take",
    "= may not A concede",
    "A take",
    "= phase exchange",
    "= may not A take",
    "= may A concede",
    "= may not B concede",
    "= may not A nines",
    "A give 9D B 9C C",
    "= phase contract",
    "= turn A",
    "= bids A 100 400",
    "= bids B none",
    "A contract 120",
    "= contract 120",
    "= phase play",
    "= legal A AS 10S KH QH AC JC 9H AD",
    "= may A concede",
    "= melds A none",
)

THROUGH_THE_TRICKS = paper(
    PAIRS_EVERYWHERE,
    *("A bid 100", "B pass", "C pass", "A take", "A give 9D B 9C C", "A contract 140"),
    *("A play AS", "= turn B", "= legal B KS QS 9S", "= legal C none", "B play 9S", "C play JS"),
    *("= melds A QH KH", "= legal A 10S KH QH AC JC 9H AD", "= melds B none", "= trump none"),
    *("A meld QH", "= trump H", "= melds A none", "B play 10H", "= legal C AH JH", "C play AH"),
    *("= melds C QD KD", "C meld KD", "= trump D", "A play AD", "= turn B", "= legal B JD 9D"),
    *("= may not B nines", "= may not A concede", "B play 9D", "= turn A"),
    more=["set four_aces on"],
)

THE_FOUR_ACES = paper(
    "deal",
    "  A AS AH AC 10C 9C 9D KS",
    "  B QS 9S 10H KH KC QC JD",
    "  C JS 10S JH 9H QD KD 10D",
    "  talon JC QH AD",
    *("A bid 100", "B pass", "C pass", "A take", "A give JC B 9D C", "A contract 100"),
    *("= melds A none", "A play 10C", "B play JC", "C play 9D"),
    *("= melds A AS AH AC AD", "A meld AS", "= trump none", "= melds B none"),
    more=["set four_aces on"],
)

AFTER_A_CONCESSION = paper(
    PAIRS_EVERYWHERE,
    *("A bid 100", "B bid 110", "C pass", "A pass", "B take", "B concede"),
    *("= phase between", "= turn none", "= raw A 0 B 0 C 0", "= scores A 60 B 0 C 60"),
    *("= concessions B 1 A 0", "= contract 110", "= declarer B", "= dealer A", "= bolts A 0"),
    *("= legal B none", "= bids B none", "= may not B concede"),
    PAIRS_EVERYWHERE,
    *("= contract none", "= declarer none", "= dealer A", "= turn B"),
)

VOID_AFTER_NINES = paper(
    B_HAS_NINES,
    *("A bid 100", "B pass", "C pass", "A take", "= may not B nines", "A give KC B JC C"),
    *("= may B nines", "= may not A nines", "A contract 105", "= may B nines"),
    *("A play AS", "= may B nines", "B nines", "= phase between", "= raw A 0 B 0 C 0"),
    *("= dealer C", "= contract 105", "= declarer A", "= scores A 0 B 0 C 0"),
    PAIRS_EVERYWHERE,
    *("= turn A", "= contract none"),
)

A_WEAK_TALON = paper(
    "deal",
    "  A AS 10S KH QH AC 9D AD",
    "  B KS QS 9S 10H KC QC JD",
    "  C JS AH JH 10C 10D KD QD",
    "  talon JC 9H 9C",
    *(
        "= phase between",
        "= dealer C",
        "= raw A 0 B 0 C 0",
        "= contract none",
        "! A bid 100 : wrong-phase",
    ),
    PAIRS_EVERYWHERE,
    *("= phase auction", "= dealer C"),
    more=["set redeal_weak_talon on"],
)

POLISH_CALLS = paper(
    ONLY_B_HAS_PAIRS,
    *("= bids A 100 120", "A bid 100", "= bids B 110 220", "B bid 120", "= bids C none"),
    *("= may C pass", "C pass", "A pass", "B take", "B give JD A JC C", "= bids B 120 220"),
    *("! B contract 230 : bid-too-high", "B contract 220", "= contract 220"),
    profile="pl-3",
)

A_PAIR_GIVEN_AWAY = paper(
    ONLY_B_HAS_PAIRS,
    *("A bid 100", "B bid 150", "C pass", "A pass", "B take", "B give KS A KC C"),
    *("= bids B 150 150", "! B contract 155 : bid-needs-marriage", "B contract 150"),
)

TWO_PLAYERS = paper(
    TWO_TALONS,
    *("= turn A", "A bid 100", "B pass", "= may A take", "A take 2", "= may not A take"),
    *("A discard JC 9C", "= phase contract", "A contract 100", "A play AS"),
    *("= legal B AD 10D KD QD JD 9D AC 10C KC QC", "B play 9D"),
    profile="ru-2",
    dealer="B",
)

FOUR_PLAYERS = paper(
    "= sitter B",
    FOUR_PLAYERS_DEALER_C,
    *("= sitter B", "= dealer C", "= turn D", "= legal B none", "= bids B none"),
    *("= may not B pass", "= may not B nines", "D bid 100", "= turn A"),
    *("A pass", "C pass", "D take", "D concede", "= raw A 0 B 0 C 0 D 0", "= sitter C"),
    *("= dealer D", "= scores A 60 B 0 C 60 D 0"),
    profile="ru-4",
)

PLAIN_1001 = paper(
    PLAIN,
    *("= phase play", "= turn A", "= contract none", "= declarer none", "= trump none"),
    *("= melds A KC QC KD QD", "A meld KC", "= trump C", "B play 9C", "C play JC"),
    *("= melds A none", "= legal A AC 10C QC AD KD QD 9S", "A play AD"),
    *("= legal B JD 10D 9D", "B play 9D"),
    *("= legal C JS AH 10H KH QH JH 9H", "= may not A concede", "= may not A take"),
    profile="1001-3",
)

BIDDING_1001 = paper(
    SKAT,
    *("= may A pass", "= bids A 10 400", "A pass", "B bid 100", "= bids C 110 400", "C pass"),
    *("= phase exchange", "= turn B", "B take", "= phase exchange", "B discard 7H 8H"),
    *("= phase play", "= contract 100", "= declarer B", "= melds B KH QH", "B meld QH"),
    *("C play JD", "A play 7S", "B play AH"),
    profile="1001-bid-3",
)

THROWN_IN = paper(
    SKAT,
    *("A pass", "B pass", "C pass", "= phase between", "= raw A 0 B 0 C 0"),
    *("= contract none", "= declarer none", "= dealer A", "= scores A 0 B 0 C 0"),
    profile="1001-bid-3",
)

A_FORGOTTEN_DISCARD = paper(
    SKAT,
    *("A bid 10", "B pass", "C pass", "A take", "A forgets", "= phase between"),
    *("= raw A 0 B 0 C 0", "= scores A -120 B 60 C 60", "= dealer A", "= declarer A"),
    profile="1001-bid-3",
)

THE_END = paper(
    PAIRS_EVERYWHERE,
    *("A bid 220", "B pass", "C pass", "A take", "A concede"),
    *("= phase over", "= turn none", "= winner B", "= scores A 0 B 1000 C 999"),
    *("= legal B none", "= bids B none", "= melds B none", "= dealer A", "= raw A 0 B 0 C 0"),
    *("= may not A concede", "= may not A pass", "! A bid 100 : wrong-phase"),
    *("! A concede : wrong-phase", "! A nines : wrong-phase", "! A play AS : wrong-phase"),
    profile="pl-3",
    more=["set concession_half on", "standing B 890", "standing C 889"],
)

SCENES = {
    name: text
    for name, text in list(globals().items())
    if isinstance(text, str) and text.startswith("prikup 1")
}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_the_scene_holds(scene):
    assert_holds(scene)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_each_of_its_claims_said_otherwise_is_false(scene):
    lines = scene.split("\n")
    claims = [at for at, line in enumerate(lines) if line.startswith("= ")]

    for at in claims:
        false = otherwise(lines[at])
        why = complaint("\n".join([*lines[:at], false + HERE, *lines[at + 1 :]]), FALSE)
        expected, _, what_is = why.split("`")[1:4]
        assert sorted(expected.split()) == sorted(false[2:].split())
        assert what_is.split()[0] == expected.split()[0]


@pytest.mark.parametrize(
    ("claim", "before"),
    [
        ("= raw A 0", ()),
        ("= raw A 0", (PAIRS_EVERYWHERE,)),
        ("= raw A 0", (PAIRS_EVERYWHERE, "A bid 100")),
    ],
)
def test_there_are_no_raw_points_before_a_deal_has_ended(claim, before):
    assert complaint(paper(*before, claim + HERE), FALSE) == (
        "expected `raw A 0`, but no deal has just ended"
    )


def test_a_winner_from_the_barrel_is_no_longer_on_it():
    won = (RECORDS / "example-07.t1000").read_text("utf-8")
    from_the_barrel = won.replace("A 845", "A 880 barrel 1").replace("A 1000", "A 1035")

    assert "= barrel A off" in won
    assert_holds(from_the_barrel)


def test_counters_that_a_profile_does_not_have_stand_at_their_beginning():
    for claim in ("= bolts A 0", "= barrel A off"):
        assert_holds(paper(claim, profile="pl-3"))
        complaint(paper(otherwise(claim) + HERE, profile="pl-3"), FALSE)
