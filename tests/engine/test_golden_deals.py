"""Two whole deals, number for number."""

import pytest

from engine.events import GameWon, Standing
from engine.state import Over
from tests.support import DE_3, NO_3, PLAIN_3, RU_3, A, Evening, with_rules

ANNA, BEN, CARLA = "AS 10S KH QH AC 9D 9C", "KS QS 9S 10H KC QC JD", "JS AH JH 10C 10D KD QD"
CALLS = (
    ["A bid 100", "B bid 105", "C bid 110", "A bid 115", "B bid 120", "C bid 125", "A bid 130"],
    ["B pass", "C pass", "A take", "A give 9D B 9C C"],
)
TRICKS = (
    (["A play AS", "B play 9S", "C play JS"], "A", 13, None),
    (["A meld QH", "B play 10H", "C play AH"], "C", 24, "H"),
    (["C meld KD", "A play AD", "B play 9D"], "A", 15, "D"),
    (["A play AC", "B play QC", "C play 9C"], "A", 14, "D"),
    (["A play 10S", "B play QS", "C play QD"], "C", 16, "D"),
    (["C play 10C", "A play JC", "B play KC"], "C", 16, "D"),
    (["C play JH", "A play 9H", "B play JD"], "B", 4, "D"),
    (["B play KS", "C play 10D", "A play KH"], "C", 18, "D"),
)


def played(profile, contract: int, chairs: str) -> Evening:
    """Golden deal 1; Anna, Ben and Carla sit on `chairs`, and the last of them in play deals."""

    def seated(lines: list[str]) -> list[str]:
        names = str.maketrans("ABC", chairs)
        return [line[0].translate(names) + line[1:] for line in lines]

    ben, carla = chairs[1], chairs[2]
    evening = Evening(profile, dealer=carla if profile is not NO_3 else ben)
    evening.deals(talon="JC 9H AD", **dict(zip(chairs, (ANNA, BEN, CARLA), strict=True)))
    for calls in CALLS:
        evening.does(*(give.replace("9D B 9C C", f"9D {ben} 9C {carla}") for give in seated(calls)))
    evening.does(f"A contract {contract}")
    points = dict.fromkeys("ABC", 0)
    for lines, winner, worth, trump in TRICKS:
        for line in seated(lines[:1]):
            evening.does(line)
        found = evening.play.trump
        assert (found.value if found else None) == trump
        evening.does(*seated(lines[1:]))
        points[winner] += worth
        if lines is not TRICKS[-1][0]:
            letters = dict(zip("ABC", chairs, strict=True))
            seats = {name: "ABC".index(letter) for name, letter in letters.items()}
            assert evening.play.turn == seats[winner]
            assert {name: evening.play.points[seats[name]] for name in "ABC"} == points
    return evening


@pytest.mark.parametrize(
    ("profile", "chairs"), [(RU_3, "ABC"), (DE_3, "ABC"), (NO_3, "ACB")], ids=["ru", "de", "no"]
)
def test_golden_deal_1(profile, chairs):
    evening = played(profile, 140, chairs)
    anna, ben, carla = (evening.line(chair) for chair in chairs)

    assert (anna.cards, ben.cards, carla.cards) == (42, 4, 74)
    assert (anna.raw, ben.raw, carla.raw) == (142, 4, 154)
    assert (anna.after, ben.after, carla.after) == (
        Standing(score=140),
        Standing(score=5),
        Standing(score=155),
    )


@pytest.mark.parametrize(("profile", "chairs"), [(RU_3, "ABC"), (DE_3, "ABC"), (NO_3, "ACB")])
def test_golden_deal_1_at_145_is_lost(profile, chairs):
    evening = played(profile, 145, chairs)

    assert [evening.line(chair).after.score for chair in chairs] == [-145, 5, 155]


FINN = "10C KD QD AH QH JH 9H 9S"
GESA = "AC KC QC 9C 10D JD 10H AS"
HANS = "JC AD 9D KH 10S KS QS JS"
COURSE = (
    (["A meld KD", "B play 10D", "C play AD"], [0, 0, 25]),
    (["C meld KS", "A play 9S", "B play AS"], [0, 15, 25]),
    (["B meld KC", "C play JC", "A play 10C"], [16, 15, 25]),
    (["A play AH", "B play 10H", "C play KH"], [41, 15, 25]),
    (["A play QD", "B play JD", "C play 9D"], [46, 15, 25]),
    (["A play QH", "B play QC", "C play 10S"], [46, 31, 25]),
    (["B play AC", "C play QS", "A play JH"], [46, 47, 25]),
)


def plain(profile, standings=None) -> Evening:
    """Golden deal 3: Finn, Gesa and Hans play 1001."""
    evening = Evening(profile, standings=standings)
    evening.deals(A=FINN, B=GESA, C=HANS)
    for lines, points in COURSE:
        evening.does(*lines)
        assert list(evening.play.points) == points
    evening.does("B play 9C", "C play JS", "A play 9H")
    return evening


def test_golden_deal_3_exact_and_in_tens():
    assert plain(PLAIN_3).scores == [86, 149, 105]
    assert plain(with_rules(PLAIN_3, tens=True)).scores == [9, 15, 10]


def test_golden_deal_3_may_end_the_game():
    evening = plain(PLAIN_3, {"A": Standing(score=920), "C": Standing(score=900)})

    assert evening.last[-1] == GameWon(winners=(A,))
    assert isinstance(evening.phase, Over)
