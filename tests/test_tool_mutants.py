"""Every mutant still finds the text it breaks. Whether its tool notices takes minutes to tell."""

import ast

import pytest

from tests.tool_mutants import MUTANTS, ROOT, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_finds_its_text_once_and_can_be_run(mutant: Mutant):
    text = (ROOT / mutant.file).read_text("utf-8")

    assert text.count(mutant.old) == 1
    ast.parse(text.replace(mutant.old, mutant.new))
