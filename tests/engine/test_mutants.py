"""Every mutant still finds the text it breaks. Whether the tests notice takes minutes to tell."""

import pytest

from tests.mutants import MUTANTS, ROOT


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_finds_its_text(mutant):
    assert mutant.old in (ROOT / "engine" / f"{mutant.module}.py").read_text("utf-8")
