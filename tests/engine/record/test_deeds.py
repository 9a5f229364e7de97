import pytest

from engine import commands
from engine.commands import Act
from engine.events import Gift
from engine.record.deeds import deed_words, read_deed
from engine.record.lines import Line
from engine.record.statements import Forgets
from tests.engine.record.papers import (
    HERE,
    PAIRS_EVERYWHERE,
    PROFILES,
    TWO_TALONS,
    UNREADABLE,
    complaint,
    paper,
)
from tests.support import A, B, C, card, cards

DEEDS = [
    ("ru-3", "A bid 105", Act(A, commands.PlaceBid(105))),
    ("ru-3", "B bid -5", Act(B, commands.PlaceBid(-5))),
    ("ru-3", "A pass", Act(A, commands.Pass())),
    ("ru-3", "A take", Act(A, commands.TakeTalon(0))),
    ("1001-3", "A take", Act(A, commands.TakeTalon(0))),
    ("ru-2", "A take 1", Act(A, commands.TakeTalon(0))),
    ("ru-2", "B take 2", Act(B, commands.TakeTalon(1))),
    (
        "ru-3",
        "A give 9D B 10C C",
        Act(A, commands.GiveCards((Gift(B, card("9D")), Gift(C, card("10C"))))),
    ),
    ("ru-3", "A give 9D B", Act(A, commands.GiveCards((Gift(B, card("9D")),)))),
    ("ru-3", "A give", Act(A, commands.GiveCards(()))),
    ("ru-3", "A discard KC JD", Act(A, commands.LayAway(cards("KC JD")))),
    ("ru-3", "A discard", Act(A, commands.LayAway(()))),
    ("ru-3", "C contract 140", Act(C, commands.SetContract(140))),
    ("ru-3", "A concede", Act(A, commands.Concede())),
    ("ru-3", "B nines", Act(B, commands.ShowNines())),
    ("1001-bid-3", "A forgets", Forgets(A)),
    ("ru-3", "A forgets", Forgets(A)),
    ("ru-3", "A play AS", Act(A, commands.PlayCard(card("AS")))),
    ("ru-3", "A play 7S", Act(A, commands.PlayCard(card("7S")))),
    ("ru-3", "A meld QH", Act(A, commands.Meld(card("QH")))),
]


@pytest.mark.parametrize(("profile", "words", "deed"), DEEDS)
def test_an_act_is_read(profile, words, deed):
    line = Line(1, tuple(words.split()))

    assert read_deed(line, line.words, PROFILES[profile]) == deed


@pytest.mark.parametrize(("profile", "words", "deed"), DEEDS)
def test_an_act_is_written_as_it_is_read(profile, words, deed):
    assert deed_words(deed, PROFILES[profile]) == words


@pytest.mark.parametrize("deed", [commands.SetReady(ready=True), commands.Leave()])
def test_what_happens_before_the_game_has_no_words(deed):
    with pytest.raises(ValueError, match="before the game"):
        deed_words(Act(A, deed), PROFILES["ru-3"])


@pytest.mark.parametrize("sign", ["", "! "])
@pytest.mark.parametrize(
    ("profile", "words", "why"),
    [
        ("ru-3", "A bids 100", "no statement"),
        ("ru-3", "A bid", "no statement"),
        ("ru-3", "A bid 100 105", "no statement"),
        ("ru-3", "A bid much", "'much' is no whole number"),
        ("ru-3", "A contract 1e2", "'1e2' is no whole number"),
        ("ru-3", "A pass 100", "no statement"),
        ("ru-3", "D pass", "'D' is no seat"),
        ("ru-2", "C pass", "'C' is no seat"),
        ("ru-3", "A", "no statement"),
        ("ru-3", "A play", "no statement"),
        ("ru-3", "A play AS AH", "no statement"),
        ("ru-3", "A play as", "'as' is no card"),
        ("ru-3", "A meld 1H", "'1H' is no card"),
        ("ru-3", "A give 9D", "no statement"),
        ("ru-3", "A give 9D B 9C", "no statement"),
        ("ru-3", "A give B 9D C 9C", "'B' is no card"),
        ("ru-3", "A give 9D D 9C C", "'D' is no seat"),
        ("ru-3", "A discard KC D", "'D' is no card"),
        ("ru-3", "A concede 100", "no statement"),
        ("ru-3", "A nines 9H", "no statement"),
        ("1001-bid-3", "A forgets AS", "no statement"),
        ("ru-3", "A take 1", "there is one talon"),
        ("1001-3", "A take 1", "there is one talon"),
        ("ru-2", "A take", "there are two talons"),
        ("ru-2", "A take 3", "'3' is no talon"),
        ("ru-2", "A take 0", "'0' is no talon"),
        ("ru-2", "A take 1 2", "'1 2' is no talon"),
    ],
)
def test_what_is_no_act_cannot_be_read_nor_its_refusal(profile, words, why, sign):
    code = " : wrong-phase" if sign else ""
    dealer = "B" if profile == "ru-2" else "C"
    text = paper(f"{sign}{words}{code}{HERE}", profile=profile, dealer=dealer)

    assert why in complaint(text, UNREADABLE)


def test_a_talon_is_named_only_where_there_are_two_and_that_is_seen_before_anything_is_played():
    one = paper("= dealer A", PAIRS_EVERYWHERE, f"A take 1{HERE}")
    two = paper("= dealer A", TWO_TALONS, f"A take{HERE}", profile="ru-2", dealer="B")

    complaint(one, UNREADABLE)
    complaint(two, UNREADABLE)
