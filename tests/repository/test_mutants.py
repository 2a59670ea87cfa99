"""The mutants of `python -m tests.mutants` fit the source, and their tests are there."""

from collections import Counter
from dataclasses import replace

import pytest

from tests import HOME
from tests.mutants import Mutant
from tests.mutants import __main__ as program
from tests.mutants.every import RULES

EVERY = [mutant for mutants in RULES.values() for mutant in mutants]


@pytest.mark.slow
def test_they_fit():
    """The old text stands exactly once: another one would mutate nothing, or too much."""
    assert {one.name: why for one in EVERY if (why := one.misfit(HOME))} == {}


def test_names_are_given_once():
    assert [name for name, n in Counter(one.name for one in EVERY).items() if n > 1] == []


def test_what_does_not_fit_is_an_error_before_anything_runs(monkeypatch, capsys):
    good = EVERY[0]
    bad = [
        replace(good, name="stale", old="no such line"),
        replace(good, name="twice", old="\n"),
        replace(good, name="same", new=good.old),
        replace(good, name="fileless", tests="tests/test_gone.py"),
        replace(good, name="testless", only="no_such_word"),
    ]
    monkeypatch.setattr(program, "RULES", {"rule": [good, *bad]})
    monkeypatch.setattr(program, "run_all", lambda *_: pytest.fail("it ran"))
    assert program.main([]) == program.main(["nothing"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in said[:-1]] == [one.name for one in bad]


FILES = {
    "rule.py": "LEAST = 1\n",
    "test_rule.py": """
import rule

def test_least():
    assert rule.LEAST == 1

def test_other():
    pass

def test_broken():
    assert rule.LEAST == 3
""",
}


@pytest.mark.slow
def test_what_is_caught_what_survives_and_what_does_not_run(monkeypatch, capsys):
    def write(tree):
        tree.mkdir()
        for name, text in FILES.items():
            (tree / name).write_text(text)

    monkeypatch.setattr(program, "copy_tree", write)
    words = ("least", "other", "gone", "broken")
    mutants = [Mutant(word, "rule.py", "1", "2", "test_rule.py", word) for word in words]
    assert program.run_all([("rule", one) for one in mutants], jobs=2) == 1
    said = capsys.readouterr()
    assert [row.split(" | ")[2] for row in said.out.splitlines()[2:]] == [
        "test_rule.py::test_least",
        "NOBODY",
        "ERROR: no test is selected",
        "test_rule.py::test_broken",
    ]
    assert said.err == "This test fails without a fault, too: test_rule.py::test_broken\n"
