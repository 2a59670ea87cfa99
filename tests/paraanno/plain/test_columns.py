"""The columns that a reader of tables knows, and the errors about others."""

import pytest

from paraanno.common.cells import Columns, did_you_mean
from paraanno.common.texts import ProblemLog, say

KNOWN = ("sentence", "phrase", "system")
STRICT = Columns(words=KNOWN, knows=frozenset(KNOWN).__contains__, needed=("sentence",))


def refused(columns, *names):
    log = ProblemLog("f.csv")
    return columns.refuse(1, names, log), [one.message for one in log.problems()]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("sentense", " (did you mean 'sentence'?)"),
        ("SYSTEM", " (did you mean 'system'?)"),
        ("item", ""),  # Not near enough to "system".
        ("phrase", ""),  # It is one of them.
    ],
)
def test_the_most_similar_name_is_suggested(name, hint):
    assert did_you_mean(name, KNOWN) == hint


def test_known_columns_pass():
    assert refused(STRICT, "sentence", "system") == (False, [])


def test_a_missing_column_is_told_with_those_that_are_there():
    wrong, [message] = refused(Columns.of(("value",)), "valeu", "anything")
    assert wrong
    assert "there is no column value (did you mean 'valeu'?)" in message
    assert "(there are valeu, anything)" in message
    assert "n29 ...)" in refused(Columns.of(("value",)), *(f"n{n}" for n in range(40)))[1][0]


def test_a_file_without_records_is_an_error_only_where_columns_are_needed():
    for columns, errors in ((STRICT, 1), (Columns.of(()), 0)):
        log = ProblemLog("f.csv")
        columns.no_record(1, say("no record"), log)
        assert (log.errors, log.warnings) == (errors, 1 - errors)
