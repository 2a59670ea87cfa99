"""Faults put into the source on purpose, one at a time: does a test of the same room see each?

    python -m tests.mutants [WORD ...]

applies each mutant (or those with one of the words in their rule or name) in a copy of the tree,
runs its tests and prints a table; the exit status is 1 if one is not caught. It takes long, and is
no part of `make test`; that each still fits its file is (`tests/repository/test_mutants.py`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """`old` stands once in the file and becomes `new`.

    `tests` are the files that must see it, `only` an expression of pytest's `-k` that saves the
    time of the rest.
    """

    name: str
    path: str
    old: str
    new: str
    tests: str
    only: str = ""
