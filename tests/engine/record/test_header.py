import pytest
from msgspec.structs import replace

from engine.events import GameStarted, Standing
from engine.record import read_record
from engine.record.header import header_lines
from tests.engine.record.papers import HERE, PROFILES, UNREADABLE, complaint, header
from tests.support import C, with_rules


def test_a_header_says_rules_players_dealer_and_standings():
    found = read_record(
        header("ru-3", "set four_aces on", "set barrel 870", "standing B 870 barrel 2 bolts 1"),
        PROFILES,
    ).header

    assert found.profile == with_rules(PROFILES["ru-3"], four_aces=True, barrel=870)
    assert found.names == ("Anna", "Ben", "Carla")
    assert found.dealer == C
    assert found.standings == (Standing(), Standing(score=870, barrel=2, bolts=1), Standing())


def test_after_the_version_its_statements_may_come_in_any_order():
    first, *others = header("ru-3", "set four_aces on", "standing A 845").split("\n")
    seats = [line for line in others if line.startswith("seat")]
    shuffled = [line for line in reversed(others) if line not in seats] + seats

    assert (
        read_record("\n".join([first, *shuffled]), PROFILES).header
        == read_record("\n".join([first, *others]), PROFILES).header
    )


def test_a_name_is_the_rest_of_the_line():
    text = header().replace("seat A Anna", "seat A Anna Maria von # the name ends here")

    assert read_record(text, PROFILES).header.names[0] == "Anna Maria von"


def test_a_pinned_version_is_the_one_that_is_here():
    pinned = header().replace("profile ru-3", "profile ru-3@1")

    assert read_record(pinned, PROFILES) == read_record(header(), PROFILES)


@pytest.mark.parametrize(
    ("line", "instead", "why"),
    [
        ("prikup 1", "prikup 2", "records of `prikup 1`"),
        ("prikup 1", "profile ru-3", "begins with `prikup 1`"),
        ("prikup 1", "prikup", "records of `prikup 1`"),
        ("profile ru-3", "profile xx-3", "'xx-3' is no profile"),
        ("profile ru-3", "profile ru-3@2", "version 1, not 2"),
        ("profile ru-3", "profile ru-3@one", "no whole number"),
        ("profile ru-3", "profile ru-3@", "no whole number"),
        ("profile ru-3", "profile", "no statement"),
        ("profile ru-3", "profil ru-3", "no statement"),
        ("seat B Ben", "seat C Ben", "the next seat is B"),
        ("seat B Ben", "seat B", "no statement"),
        ("seat B Ben", "seat b Ben", "the next seat is B"),
        ("seat C Carla", "seat C Carla\nseat D David", "only 3 seats"),
        ("dealer C", "dealer D", "'D' is no seat"),
        ("dealer C", "dealer", "no statement"),
        ("dealer C", "dealer C\ndealer C", "said twice"),
        ("dealer C", "dealer C\nprofile ru-3", "said twice"),
        ("dealer C", "dealer C\nprikup 1", "said twice"),
        ("dealer C", "dealer C\nset four_aces", "no statement"),
        ("dealer C", "dealer C\nset tens on", "ru-3 has no house rule 'tens'"),
        ("dealer C", "dealer C\nset no_such_key on", "no house rule"),
        ("dealer C", "dealer C\nset four_aces yes", "one of off, on"),
        ("dealer C", "dealer C\nset barrel 860", "one of 850, 870, 880, 900"),
        ("dealer C", "dealer C\nset bolts off\nset bolts off", "set twice"),
        ("dealer C", "dealer C\nwho knows", "no statement"),
    ],
)
def test_what_cannot_be_read_is_named(line, instead, why):
    assert why in complaint(header().replace(line, instead + HERE), UNREADABLE)


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ("profile ru-3", "the profile is missing"),
        ("dealer C", "the dealer is missing"),
        ("seat C Carla", "ru-3 has 3 seats, not 2"),
    ],
)
def test_what_is_missing_is_told_where_the_first_deal_begins(missing, why):
    text = header().replace(missing + "\n", "").removesuffix("\n" + missing) + f"\ndeal{HERE}"

    assert why in complaint(text, UNREADABLE)


def test_an_empty_text_is_no_record():
    assert "begins with" in complaint(HERE, UNREADABLE)


def test_of_several_mistakes_the_first_is_told():
    text = header("ru-3", "standing A 1000").replace("seat B Ben", f"what is this{HERE}")

    assert "no statement" in complaint(text, UNREADABLE)


@pytest.mark.parametrize("line", header("ru-3", "set four_aces on", "standing A 5").split("\n"))
def test_after_the_first_deal_no_header_statement_is_read(line):
    deal = "deal\n  A AS 10S KH QH AC 9D 9C\n  B KS QS 9S 10H KC QC JD\n"
    deal += "  C JS AH JH 10C 10D KD QD\n  talon JC 9H AD\n"

    assert "before the first deal" in complaint(f"{header()}\n{deal}{line}{HERE}", UNREADABLE)


def test_a_header_that_is_written_is_read_as_it_was():
    profile = with_rules(PROFILES["1001-bid-3"], discard_clock=60, running_points=True)
    standings = (Standing(score=-30), Standing(), Standing(score=990))
    names = ("#1", "A # B", "C#")
    started = GameStarted(
        number=4, profile=profile, dealer=C, by_lot=True, at=None, standings=standings
    )

    found = read_record("\n".join(header_lines(started, names)), PROFILES).header

    assert (found.profile, found.dealer, found.standings) == (profile, C, standings)
    assert found.names == ("＃1", "A ＃ B", "C#")


def test_a_written_header_pins_the_version():
    later = {"ru-3": replace(PROFILES["ru-3"], version=2)}
    started = GameStarted(
        number=1,
        profile=PROFILES["ru-3"],
        dealer=C,
        by_lot=True,
        at=None,
        standings=(Standing(),) * 3,
    )

    assert "profile ru-3@1" in header_lines(started, ("Anna", "Ben", "Carla"))
    assert read_record(header(), later).header.profile.version == 2
