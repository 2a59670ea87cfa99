"""Faults put into the source on purpose, one at a time: does a test of the same room see each?

    python -m tests.mutants [--core] [-j JOBS] [WORD ...]

applies each mutant (or those with one of the words in their rule or name) in a copy of the tree,
runs its tests and prints a table. The exit status is 1 if one is not caught or its tests could not
run, and 2, before anything runs, if one does not fit the source. All of them take long and are no
part of `make test`; `--core` runs those of the core rules in about a minute. That each fits is
tested by `tests/repository/test_mutants.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """`old` stands once in the file and becomes `new`.

    `tests` are the files that must see it, `only` an expression of pytest's `-k` that saves the
    time of the rest. `core` marks a core rule: claims, saves, annotators per sheet, agreement,
    gold, passes, permissions and exports.
    """

    name: str
    path: str
    old: str
    new: str
    tests: str
    only: str = ""
    core: bool = False

    def misfit(self, home):
        """Return why the mutant does not fit the source below `home`, or ""."""
        files = [home / file for file in (self.path, *self.tests.split())]
        if lacking := [str(file.relative_to(home)) for file in files if not file.is_file()]:
            return f"there is no file {' '.join(lacking)}"
        times = files[0].read_text(encoding="utf-8").count(self.old)
        if times != 1:
            return f"{self.path} has its text {times} times, not once"
        if self.old == self.new:
            return "it changes nothing"
        # A word may stand in a test's name or in the id of one of its cases.
        names = " ".join(file.read_text(encoding="utf-8") for file in files[1:]).casefold()
        for word in re.split(r"\s+(?:or|and)\s+", self.only):
            if word.casefold() not in names:
                return f"no test of {self.tests} is called {word}"
        return ""
