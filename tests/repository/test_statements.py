"""The choice of tests for PostgreSQL."""

from __future__ import annotations

from tests import HOME, shared
from tests.statements import plain, repeated


def test_what_is_left_out_is_there() -> None:
    names = shared.repeated()
    assert names
    for name in names:
        file, test = name.partition("::")[0], name.rpartition("::")[2]
        assert f"def {test}(" in (HOME / file).read_text(encoding="utf-8"), name


def test_each_statement_stays_with_the_quickest_and_what_locks_with_two() -> None:
    plainly, locks = "SELECT 1", "SELECT 1 FOR UPDATE"
    found = {
        "slow": (9.0, {plainly, locks}),
        "quick": (1.0, {plainly, locks}),
        "quicker": (0.5, {plainly}),
        "alone": (5.0, {"SELECT 2"}),
        "none": (0.1, set[str]()),
    }
    assert repeated(found, set()) == ["none", "quicker"]
    assert repeated(found, {"quicker"}) == ["none"]
    assert repeated({**found, "third": (2.0, {locks})}, set()) == ["none", "quicker", "slow"]


def test_statements_are_the_same_for_any_values() -> None:
    two = 'INSERT INTO "a" ("b") VALUES (%s, %s), (%s, %s)'
    assert plain(two) == plain('INSERT INTO "a" ("b")\n VALUES (%s, %s)')
    assert plain("SAVEPOINT s1_x2") == plain("SAVEPOINT s3_x4")
    assert plain('SELECT "a"') != plain('SELECT "b"')
