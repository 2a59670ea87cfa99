"""The mutants of `python -m tests.mutants` fit the source, and their tests are there."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.live_parts import HOME
from tests.mutants import Mutant
from tests.mutants.every import RULES

EVERY = [mutant for mutants in RULES.values() for mutant in mutants]


@pytest.mark.parametrize("mutant", EVERY, ids=lambda one: one.name)
def test_it_fits(mutant: Mutant) -> None:
    """The old text stands exactly once: another one would mutate nothing, or too much."""
    assert (HOME / mutant.path).read_text(encoding="utf-8").count(mutant.old) == 1
    assert mutant.old != mutant.new
    assert all((HOME / test).exists() for test in mutant.tests.split())


def test_names_are_given_once() -> None:
    assert [name for name, n in Counter(one.name for one in EVERY).items() if n > 1] == []
