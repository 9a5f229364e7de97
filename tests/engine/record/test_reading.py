"""What `read_record` puts together; each kind of statement has a module of its own."""

import random

import pytest

from engine.commands import Act, Pass
from engine.record import read_record
from engine.record.reading import BODY_WORDS
from engine.record.statements import DealBlock, PhaseIs, Refusal
from engine.rejections import Reason
from tests.engine.record.papers import (
    FALSE,
    HERE,
    HOLDS,
    PAIRS_EVERYWHERE,
    PROFILES,
    UNREADABLE,
    assert_holds,
    complaint,
    header,
    judged,
    paper,
)
from tests.support import A

RECORD_CODES = """\
not-your-turn wrong-phase bid-too-low bid-off-step bid-needs-marriage bid-too-high must-open
not-in-hand must-follow-suit must-trump must-beat no-marriage meld-not-now meld-must-rise
meld-locked contract-too-low concede-not-now concede-on-barrel concede-limit no-four-nines
wrong-cards"""


def test_statements_keep_the_line_they_stand_in():
    text = paper("", "# the first", PAIRS_EVERYWHERE, "! A pass : must-open", "= phase auction")

    found = read_record(text, PROFILES).statements

    assert [statement.line for statement in found] == [9, 14, 15]
    assert isinstance(found[0].says, DealBlock)
    assert found[1].says == Refusal(Act(A, Pass()), Reason.MUST_OPEN)
    assert found[2].says == PhaseIs("auction")


def test_a_record_may_be_a_header_alone():
    assert_holds(header())


def test_a_record_may_end_inside_a_deal():
    lines = paper(PAIRS_EVERYWHERE, "A bid 100", "B pass", "C pass", "A take").split("\n")

    for length in range(len(lines) - 4, len(lines) + 1):
        assert_holds("\n".join(lines[:length]))


def test_claims_and_refusals_may_stand_before_the_first_deal_also_among_the_header():
    text = header().replace("dealer C", "= phase between\n! A pass : wrong-phase\ndealer C")

    assert_holds(text)


def test_lines_may_end_as_on_another_system():
    assert_holds(paper(PAIRS_EVERYWHERE, "A bid 100").replace("\n", "\r\n"))


@pytest.mark.parametrize("code", RECORD_CODES.split())
def test_each_code_of_the_game_can_be_claimed(code):
    (found,) = read_record(paper(f"! A pass : {code}"), PROFILES).statements

    assert found.says == Refusal(Act(A, Pass()), Reason(code))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("! A pass : no", "'no' is no refusal"),
        ("! A pass : dealer-first", "'dealer-first' is no refusal"),
        ("! A pass : game-running", "is no refusal"),
        ("! A pass :", "no statement"),
        ("! A pass", "no statement"),
        ("! A pass: wrong-phase", "no statement"),
        ("! deal : wrong-phase", "no statement"),
        ("!", "no statement"),
        ("talon JC 9H AD", "no statement"),
        ("undo", "no statement"),
        ("= nothing", "no statement"),
    ],
)
def test_what_is_no_statement_cannot_be_read(line, why):
    assert why in complaint(paper(PAIRS_EVERYWHERE, "A bid 100", line + HERE), UNREADABLE)


def test_the_whole_record_is_read_before_it_is_played():
    text = paper(PAIRS_EVERYWHERE, "A pass", f"A sleep{HERE}")

    complaint(text, UNREADABLE)
    complaint(text.replace(f"A sleep{HERE}", "A bid 100").replace("A pass", "A pass" + HERE), FALSE)


def test_every_seat_can_begin_a_line():
    assert set(BODY_WORDS) >= {"A", "B", "C", "D"}


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_to_a_text_it_is_read_or_told_where_not(seed):
    chance = random.Random(seed)
    text = paper(
        "= raw A 0",
        PAIRS_EVERYWHERE,
        *("A bid 100", "B pass", "C bid 105", "A pass", "= bids C none", "C take"),
        *("C give JC A 9H B", "= melds C none", "! C pass : wrong-phase", "C contract 105"),
        *("C play AH", "= legal A KH QH", "A play QH", "= winner none"),
        more=("set four_aces on", "standing A 880 barrel 1", "standing B -5 bolts 2"),
    )
    words = [*text.split(), "\n", "#", "", "9" * 5000, "-1", "0", "none", "٣", "\0", "D", "talon"]

    for _ in range(400):
        mangled = text.split("\n")
        for _ in range(chance.choice((1, 1, 2, 5))):
            _mangle(mangled, words, chance)
        code, line, _ = judged("\n".join(mangled))
        assert line in (range(1) if code == HOLDS else range(1, 1 + _lines(mangled)))


def _lines(parts: list[str]) -> int:
    return len("\n".join(parts).split("\n"))


def _mangle(lines: list[str], words: list[str], chance: random.Random) -> None:
    """One word, letter or line of `lines` is another, gone or there twice."""
    at = chance.randrange(len(lines))
    said = lines[at].split() or [""]
    word = chance.randrange(len(said))
    match chance.randrange(7):
        case 0:
            said[word] = chance.choice(words)
        case 1:
            said.insert(word, chance.choice(words))
        case 2:
            del said[word]
        case 3:
            lines.insert(at, chance.choice(lines))
        case 4:
            lines[at] = lines[chance.randrange(len(lines))]
        case 5 if len(lines) > 1:
            del lines[at]
            return
        case _:
            letters = list(lines[at])
            chance.shuffle(letters)
            said = "".join(letters).split()
    lines[min(at, len(lines) - 1)] = " ".join(said)
