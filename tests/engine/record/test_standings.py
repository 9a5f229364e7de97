import pytest

from engine.events import Standing
from engine.record import read_record
from engine.record.standings import standing_words
from tests.engine.record.papers import HERE, PROFILES, UNREADABLE, complaint, header


@pytest.mark.parametrize(
    ("profile", "rules", "words", "standing"),
    [
        ("ru-3", (), "-240", Standing(score=-240)),
        ("ru-3", (), "0 bolts 2 concessions 2", Standing(bolts=2, concessions=2)),
        ("ru-3", (), "0 concessions 1 bolts 0", Standing(concessions=1)),
        ("ru-3", (), "880 barrel 2 bolts 1", Standing(score=880, barrel=2, bolts=1)),
        ("ru-3", (), "879", Standing(score=879)),
        ("ru-3", ("set barrel 900",), "899", Standing(score=899)),
        ("ru-3", ("set third_fall_zero on",), "12 falls 2", Standing(score=12, falls=2)),
        ("pl-3", (), "990 concessions 2", Standing(score=990, concessions=2)),
        ("1001-3", (), "1000", Standing(score=1000)),
        ("1001-3", ("set tens on",), "99", Standing(score=99)),
    ],
)
def test_a_standing_is_a_score_and_the_counters_of_the_profile(profile, rules, words, standing):
    text = header(profile, *rules, f"standing A {words}")

    assert read_record(text, PROFILES).header.standings[0] == standing


@pytest.mark.parametrize(
    ("profile", "rules", "words", "why"),
    [
        ("ru-3", (), "880", "from 880 on a player is on the barrel"),
        ("ru-3", (), "999", "from 880 on"),
        ("ru-3", ("set barrel 850",), "850", "from 850 on"),
        ("ru-3", (), "875 barrel 0", "on the barrel the total is 880"),
        ("ru-3", (), "900 barrel 0", "on the barrel the total is 880"),
        ("ru-3", (), "1000", "A would have won already"),
        ("pl-3", (), "1000", "A would have won already"),
        ("1001-3", (), "1001", "A would have won already"),
        ("1001-3", ("set tens on",), "100", "A would have won already"),
        ("ru-3", (), "880 barrel 3", "barrel goes from 0 to 2"),
        ("ru-3", (), "0 bolts 3", "bolts goes from 0 to 2"),
        ("ru-3", (), "0 bolts -1", "bolts goes from 0 to 2"),
        ("ru-3", (), "0 concessions 3", "concessions goes from 0 to 2"),
        ("pl-3", (), "0 concessions 3", "concessions goes from 0 to 2"),
        ("ru-3", ("set third_fall_zero on",), "0 falls 3", "falls goes from 0 to 2"),
        ("ru-3", (), "0 falls 0", "counts no 'falls'"),
        ("ru-3", ("set bolts off",), "0 bolts 0", "counts no 'bolts'"),
        ("pl-3", (), "0 bolts 0", "counts no 'bolts'"),
        ("pl-3", (), "880 barrel 0", "counts no 'barrel'"),
        ("1001-3", (), "0 concessions 0", "counts no 'concessions'"),
        ("1001-bid-3", (), "0 bolts 1", "counts no 'bolts'"),
        ("ru-3", (), "0 bolts", "no statement"),
        ("ru-3", (), "", "no statement"),
        ("ru-3", (), "much", "no whole number"),
        ("ru-3", (), "0 bolts 1 bolts 1", "said twice"),
        ("ru-3", (), "0 barrel off", "no whole number"),
    ],
)
def test_an_impossible_standing_cannot_be_read(profile, rules, words, why):
    text = header(profile, *rules, f"standing A {words}{HERE}")

    assert why in complaint(text, UNREADABLE)


def test_a_seat_stands_in_one_place():
    text = header("ru-3", "standing A 5", f"standing A 5{HERE}")

    assert "A stands somewhere already" in complaint(text, UNREADABLE)


def test_where_ties_play_on_an_unbroken_one_above_the_target_can_be_read():
    tied = header("1001-3", "standing A 1010", "standing B 1010")
    ahead = header("1001-3", "standing A 1010", f"standing B 1020{HERE}")

    assert read_record(tied, PROFILES).header.standings[1] == Standing(score=1010)
    assert "B would have won already" in complaint(ahead, UNREADABLE)


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing(score=-5), "-5"),
        (Standing(score=880, barrel=0), "880 barrel 0"),
        (
            Standing(score=880, barrel=1, bolts=2, concessions=1, falls=2),
            "880 bolts 2 barrel 1 concessions 1 falls 2",
        ),
    ],
)
def test_a_standing_is_written_with_the_counters_that_have_begun(standing, words):
    assert standing_words(standing) == words
