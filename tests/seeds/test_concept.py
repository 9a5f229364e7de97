"""The page about sources speaks of every rule, names tests that exist and leaves no profile out."""

import ast
import re
from pathlib import Path

import pytest

from engine.house_rules import HOUSE_RULES
from tests.support import ALL_PROFILES, SEEDS

ROOT = Path(__file__).parents[2]
PAGE = (SEEDS / "CONCEPT.md").read_text("utf-8")
RULES = (ROOT / "engine" / "RULES.md").read_text("utf-8")
NUMBERED = re.compile(r"^\*\*([A-Z]+-\d+)\*\* (.*)$", re.MULTILINE)
SOURCES = re.compile(r"\bS[0-3]\b|\bours\b", re.IGNORECASE)

ENTRIES = dict(re.findall(r"^\*\*([A-Z]+-\d+)\*\* (.*\n.*)$", PAGE, re.MULTILINE))
PLAYED = {
    number: text
    for number, text in NUMBERED.findall(RULES)
    if not number.startswith("LOBBY")  # about chairs, not about cards
}


def existing_tests() -> set[str]:
    return {
        node.name
        for file in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_it_speaks_of_every_rule_in_the_order_of_the_rules():
    assert list(ENTRIES) == list(PLAYED)


def test_every_test_it_names_exists():
    assert set(re.findall(r"`(test_\w+)`", PAGE)) <= existing_tests()


@pytest.mark.parametrize("number", ENTRIES)
def test_a_rule_is_shown_by_tests_of_its_number(number):
    section, _, count = number.partition("-")
    named = re.findall(r"`(test_\w+)`", ENTRIES[number])

    assert named
    assert all(name.startswith(f"test_{section.lower()}_{count}_") for name in named)


@pytest.mark.parametrize("number", ENTRIES)
def test_whoever_the_rules_name_as_source_is_spoken_of(number):
    source = re.split(r"[·)]", PLAYED[number])[0]

    assert {one.lower() for one in SOURCES.findall(source)} <= {
        one.lower() for one in SOURCES.findall(ENTRIES[number])
    }


@pytest.mark.parametrize("profile", ALL_PROFILES, ids=lambda profile: profile.id)
def test_a_profile_has_its_source(profile):
    rows = [line for line in PAGE.splitlines() if re.match(r"\| S[0-3] \|", line)]
    named = [row for row in rows if profile.id in re.split(r"[,| ]+", row)]

    assert len(named) == 1
    assert profile.source.startswith(named[0].split()[1])


def test_it_says_where_every_house_rule_comes_from():
    told = PAGE.split("## House rules and who takes them")[1].split("\n## ")[0]

    assert set(HOUSE_RULES) <= set(
        re.findall(r"`(\w+)`", re.sub(r"^\|.*$", "", told, flags=re.MULTILINE))
    )


def test_it_names_the_five_points_on_which_sources_differ():
    section = PAGE.split("## Five points on which the sources differ")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]

    assert len(rows) - len(("heading", "rule")) == 5


def test_it_ends_with_open_questions_and_the_works_that_the_sources_cite():
    *_, questions, works = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)

    assert (questions, works) == ("Open questions", "Works the sources cite")
