"""RULES.md, the numbers that the code cites, and the names of the tests say the same."""

import ast
import re
from pathlib import Path

import msgspec

from engine.house_rules import HOUSE_RULES
from engine.profile import Profile
from tests.support import ALL_PROFILES

ENGINE = Path(__file__).parents[2] / "engine"
RULES = (ENGINE / "RULES.md").read_text("utf-8")
RULE = re.compile(r"^\*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
NUMBER = re.compile(r"\b[A-Z]{3,6}-\d+\b")


def on_the_page() -> list[str]:
    return RULE.findall(RULES)


def in_test_names() -> set[str]:
    found = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found |= set(re.findall(r"^test_([a-z]+)_(\d+)_", node.name))
    return {f"{section.upper()}-{number}" for section, number in found}


def test_every_rule_has_a_number_of_its_own():
    assert len(on_the_page()) == len(set(on_the_page()))


def test_every_rule_stands_under_its_section():
    section = None
    for line in RULES.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if rule := RULE.match(line):
            assert rule[1].rpartition("-")[0] == section


def test_every_rule_has_a_test_and_every_numbered_test_a_rule():
    assert in_test_names() == set(on_the_page())


def test_the_code_cites_only_rules_that_exist():
    cited = {
        number for file in ENGINE.glob("*.py") for number in NUMBER.findall(file.read_text("utf-8"))
    }

    assert cited <= set(on_the_page())


def test_every_rule_names_its_source_and_keys_of_the_profile_that_exist():
    sections = {field.name: field.type for field in msgspec.structs.fields(Profile)}
    ours = RULES[RULES.index("## LOBBY") :]
    for line in RULES.splitlines():
        rule = RULE.match(line)
        if rule is None or line in ours:
            continue
        source = re.match(r"\*\*[A-Z]+-\d+\*\* \(([^)·]*)(?:· ([^)]*))?\)", line)
        assert source is not None, rule[1]
        assert re.search(r"\bS[0-3]\b|\bours\b", source[1]), rule[1]
        for path in re.findall(r"`([^`]*)`", source[2] or ""):
            section, _, key = path.partition(".")
            kind = msgspec.inspect.type_info(sections[section])
            options = getattr(kind, "types", (kind,))
            known = {
                field.name
                for option in options
                if isinstance(option, msgspec.inspect.StructType)
                for field in option.fields
            }
            assert not key or key in known, f"{rule[1]}: {path}"


def test_every_house_rule_is_in_the_table_with_its_values_and_rules_that_exist():
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", RULES, re.MULTILINE)
    spelt = {False: "off", True: "on"}
    values = {
        key: {spelt[value] if isinstance(value, bool) else str(value) for value in rule.values}
        for key, rule in HOUSE_RULES.items()
    }

    assert {key: set(listed.split(", ")) for key, listed, _ in rows} == values
    assert {rule for *_, rules in rows for rule in rules.split(", ")} <= set(on_the_page())


def test_every_house_rule_is_offered_by_some_profile():
    assert {key for profile in ALL_PROFILES for key in profile.house_rules} == set(HOUSE_RULES)
