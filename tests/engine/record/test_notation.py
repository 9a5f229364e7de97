"""The page that explains the notation says what is so."""

import re
from pathlib import Path

import pytest

import engine.record
from engine.record.claims import ABILITIES, COUNTS, PHASES, PLACES
from engine.record.deeds import VERBS
from engine.record.header import HEADER_WORDS
from engine.record.words import CODES
from tests.engine.record.papers import assert_holds

PAGE = (Path(engine.record.__file__).parent / "NOTATION.md").read_text("utf-8")
EXAMPLE = PAGE.split("```")[1].lstrip("\n")


def test_its_example_holds():
    assert_holds(EXAMPLE)


def test_its_example_has_every_kind_of_header_statement():
    assert {line.split()[0] for line in EXAMPLE.split("\n\n")[0].split("\n")} == set(HEADER_WORDS)


def test_it_lists_exactly_the_codes():
    listed = PAGE.split("The codes are ")[1].split("\n")[0]

    assert re.findall(r"`([a-z-]+)`", listed) == list(CODES)


@pytest.mark.parametrize("word", [*VERBS, *COUNTS, *PLACES, *PHASES, *ABILITIES])
def test_it_has_every_word(word):
    quoted = " ".join(re.findall(r"`([^`]+)`", PAGE.split("## Acts")[1]))

    assert word in quoted.split()
