"""The mutants of `python -m tests.mutants` fit the source, and their tests are there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests import HOME
from tests.mutants import Mutant
from tests.mutants import __main__ as program
from tests.mutants.every import RULES

EVERY = [mutant for mutants in RULES.values() for mutant in mutants]


@pytest.mark.parametrize("mutant", EVERY, ids=lambda one: one.name)
def test_it_fits(mutant: Mutant) -> None:
    """The old text stands exactly once: another one would mutate nothing, or too much."""
    assert mutant.misfit(HOME) == ""


def test_names_are_given_once() -> None:
    assert [name for name, n in Counter(one.name for one in EVERY).items() if n > 1] == []


def test_what_does_not_fit_is_an_error_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_caught_survived_and_not_run_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rule.py").write_text("LEAST = 1\n")
    (tmp_path / "test_rule.py").write_text(
        "import rule\n\n\ndef test_least():\n    assert rule.LEAST == 1\n\n\n"
        "def test_other():\n    pass\n"
    )
    mutant = Mutant("m", "rule.py", "1", "2", "test_rule.py")
    assert program.caught_by(mutant, tmp_path) == "test_rule.py::test_least"
    assert program.caught_by(replace(mutant, only="other"), tmp_path) is None
    for tests, why in (("test_rule.py -k gone", "no test"), ("gone.py", "ended with 4")):
        with pytest.raises(program.NotRun, match=why):
            program.caught_by(replace(mutant, tests=tests), tmp_path)
    assert (tmp_path / "rule.py").read_text() == "LEAST = 1\n"
