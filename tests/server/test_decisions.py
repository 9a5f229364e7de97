"""The pages of decisions can be cited: every number is there, once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("*/DECISIONS.md"))
NUMBER = re.compile(r"^## (\d+)\. ", re.MULTILINE)


def test_there_are_pages():
    assert PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_decisions_are_numbered_in_the_order_in_which_they_were_made(page: Path):
    numbers = [int(found) for found in NUMBER.findall(page.read_text("utf-8"))]

    assert numbers == list(range(1, len(numbers) + 1))


def test_every_decision_about_the_server_says_whether_it_holds():
    _, *decisions = re.split(
        r"^## ", (ROOT / "server" / "DECISIONS.md").read_text("utf-8"), flags=re.MULTILINE
    )

    assert [one.splitlines()[0] for one in decisions if "\nStatus: " not in one] == []
