import pytest

from engine.record.lines import Line, Unreadable, lines_of
from tests.support import A, cards

LINE = Line(7, ("a", "line"))


def test_lines_are_counted_from_one_and_empty_ones_are_left_out():
    assert lines_of("\nprikup 1\n\n  # nothing\ndeal") == [
        Line(2, ("prikup", "1")),
        Line(5, ("deal",)),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seat A Anna # the first", ("seat", "A", "Anna")),
        ("seat A Anna\t# the first", ("seat", "A", "Anna")),
        ("seat A C#", ("seat", "A", "C#")),
        ("seat A a#b#c # and so on", ("seat", "A", "a#b#c")),
        ("A  bid \t 100\r", ("A", "bid", "100")),
    ],
)
def test_a_comment_begins_at_the_start_of_a_line_or_after_a_blank(text, words):
    assert lines_of(text) == [Line(1, words)]


@pytest.mark.parametrize("word", ["100", "-5", "0", "007"])
def test_whole_numbers_may_be_negative(word):
    assert LINE.whole(word) == int(word)


@pytest.mark.parametrize("word", ["", "-", "+5", "1_000", "1.5", "٣", "²", "--1", "9" * 5000])
def test_what_is_no_whole_number_is_named_with_its_line(word):
    with pytest.raises(Unreadable) as wrong:
        LINE.whole(word)

    assert wrong.value.line == 7
    assert repr(word) in wrong.value.text


def test_a_ten_is_read_in_both_spellings():
    assert LINE.cards(["10S", "TS", "9D"]) == cards("10S 10S 9D")


@pytest.mark.parametrize("word", ["ah", "HA", "1S", "10", "S", "AHH"])
def test_what_is_no_card_is_named(word):
    with pytest.raises(Unreadable, match=f"'{word}' is no card"):
        LINE.cards(["AS", word])


def test_seats_go_as_far_as_there_are_players():
    assert LINE.seat("A", 2) == A
    for word in ("C", "a", "AB", ""):
        with pytest.raises(Unreadable, match="they are A B"):
            LINE.seat(word, 2)
