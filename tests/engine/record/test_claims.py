import pytest

from engine.cards import Suit
from engine.record.claims import claim_words, read_claim
from engine.record.lines import Line
from engine.record.statements import (
    BidsAre,
    CardsAre,
    ContractIs,
    CountsAre,
    MayDo,
    PhaseIs,
    SeatIs,
    TrumpIs,
    WinnersAre,
)
from tests.engine.record.papers import HERE, PROFILES, UNREADABLE, complaint, paper
from tests.support import A, B, C, cards, with_rules

CLAIMS = [
    ("scores A 440 B -305", CountsAre("scores", ((A, 440), (B, -305)))),
    ("bolts B 2", CountsAre("bolts", ((B, 2),))),
    ("barrel A 1 B off", CountsAre("barrel", ((A, 1), (B, None)))),
    ("concessions A 0", CountsAre("concessions", ((A, 0),))),
    ("falls A 1", CountsAre("falls", ((A, 1),))),
    ("raw C 154 A 142", CountsAre("raw", ((C, 154), (A, 142)))),
    ("turn B", SeatIs("turn", B)),
    ("turn none", SeatIs("turn", None)),
    ("declarer none", SeatIs("declarer", None)),
    ("dealer C", SeatIs("dealer", C)),
    ("sitter none", SeatIs("sitter", None)),
    *(
        (f"phase {word}", PhaseIs(word))
        for word in ("auction", "exchange", "contract", "play", "between", "over")
    ),
    ("trump H", TrumpIs(Suit.HEARTS)),
    ("trump none", TrumpIs(None)),
    ("contract 140", ContractIs(140)),
    ("contract none", ContractIs(None)),
    ("legal B 9H KC", CardsAre("legal", B, cards("9H KC"))),
    ("legal B none", CardsAre("legal", B, ())),
    ("melds A KH QH", CardsAre("melds", A, cards("KH QH"))),
    ("melds A none", CardsAre("melds", A, ())),
    ("bids A 125 220", BidsAre(A, (125, 220))),
    ("bids A none", BidsAre(A, None)),
    *((f"may A {word}", MayDo(A, word, may=True)) for word in ("concede", "pass", "nines", "take")),
    ("may not A take", MayDo(A, "take", may=False)),
    ("winner A", WinnersAre((A,))),
    ("winner A B", WinnersAre((A, B))),
    ("winner none", WinnersAre(())),
]
PROFILE = with_rules(PROFILES["ru-3"], third_fall_zero=True)


def read(words, profile=PROFILE):
    return read_claim(Line(1, ("=", *words.split())), profile)


@pytest.mark.parametrize(("words", "claim"), CLAIMS)
def test_a_claim_is_read(words, claim):
    assert read(words) == claim


@pytest.mark.parametrize(("words", "claim"), CLAIMS)
def test_a_claim_is_written_as_it_is_read(words, claim):
    assert claim_words(claim) == words


@pytest.mark.parametrize(
    ("words", "others"), [("legal B KC 9H 10S", "legal B TS 9H KC"), ("winner B A", "winner A B")]
)
def test_the_order_of_cards_and_winners_says_nothing(words, others):
    assert read(words) == read(others)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "no statement"),
        ("points A 1", "no statement"),
        ("scores", "no statement"),
        ("scores A", "a seat and its number"),
        ("scores A 1 B", "a seat and its number"),
        ("scores D 1", "'D' is no seat"),
        ("scores A 1 A 1", "a seat is named twice"),
        ("scores A off", "'off' is no whole number"),
        ("scores A 1.5", "'1.5' is no whole number"),
        ("barrel A on", "'on' is no whole number"),
        ("falls A 1", "only with third_fall_zero"),
        ("turn", "no statement"),
        ("turn D", "'D' is no seat"),
        ("turn A B", "no statement"),
        ("dealer none", "'none' is no seat"),
        ("phase bidding", "no statement"),
        ("trump X", "no statement"),
        ("trump h", "no statement"),
        ("contract A", "'A' is no whole number"),
        ("legal B", "no statement"),
        ("legal none", "no statement"),
        ("legal B KC none", "'none' is no card"),
        ("melds A xx", "'xx' is no card"),
        ("bids A", "no statement"),
        ("bids A 100", "no statement"),
        ("bids A 100 many", "'many' is no whole number"),
        ("may A", "no statement"),
        ("may A play", "no statement"),
        ("may never A pass", "no statement"),
        ("winner", "no statement"),
        ("winner A none", "'none' is no seat"),
    ],
)
def test_what_is_no_claim_cannot_be_read(words, why):
    assert why in complaint(paper(f"= {words}{HERE}"), UNREADABLE)


@pytest.mark.parametrize("line", ["=scores A 0", "= scores A 0 = scores B 0"])
def test_a_line_is_one_statement_that_begins_with_its_sign(line):
    complaint(paper(line + HERE), UNREADABLE)
