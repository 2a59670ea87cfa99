"""The cells of a record: read, or refused with the column and a remedy."""

from datetime import UTC, datetime

import pytest

from paraanno.common.cells import Cells, Columns, check_json, did_you_mean
from paraanno.common.texts import ProblemLog, TextError, say


def cells(value):
    return Cells(7, {} if value is None else {"x": value}, ProblemLog("f.csv"))


@pytest.mark.parametrize(
    ("reader", "value", "expected"),
    [
        ("text", " Tw\u0065\u0301 ", " Tw\u00e9 "),
        ("text", "", None),
        ("text", None, None),
        ("name", " id ", "id"),
        ("name", 12, "12"),
        ("name", "  ", None),
        ("label", 1.5, "1.5"),
        ("label", " a", " a"),
        ("integer", "3.0", 3),
        ("integer", 3.0, 3),
        ("integer", " +7 ", 7),
        ("integer", "", None),
        ("number", "-.5e1", -5.0),
        ("number", 2, 2.0),
        ("number", "", None),
        ("moment", "2024-05-31T14:05", datetime(2024, 5, 31, 14, 5, tzinfo=UTC)),
        ("moment", "2024-05-31T14:05+09:00", datetime(2024, 5, 31, 5, 5, tzinfo=UTC)),
    ],
)
def test_valid_cells(reader, value, expected):
    read = cells(value)
    assert getattr(read, reader)("x") == expected
    assert not read.failed and read.log.errors == 0


@pytest.mark.parametrize(
    ("reader", "value", "message"),
    [
        ("text", 5, "must be text, not 5"),
        ("text", ["a"], "must be text, not a list"),
        ("filled", " ", "is empty"),
        ("filled", None, "is empty"),
        ("label", "", "is empty"),
        ("name", "x" * 201, "has 201 characters"),
        ("name", "a\nb", "control character"),
        ("name", 1.5, "must be text or a whole number"),
        ("name", 10**30, "has 201 characters"),
        ("integer", "2.5", "is not a whole number"),
        ("integer", "-1", "from 0 to 2147483647"),
        ("integer", 2**31, "is not a whole number"),
        ("integer", True, "is not a whole number"),
        ("number", "1_000", "is not a number"),
        ("number", "nan", "is not a number"),
        ("number", "1e999", "is not a number"),
        ("number", "\uff11\uff12", "is not a number"),
        ("number", True, "is not a number"),
        ("number", "1,5", "is not a number"),
        ("moment", "yesterday", "is not a time"),
        ("moment", 5, "is not a time"),
    ],
)
def test_invalid_cells_are_logged_with_line_and_column(reader, value, message):
    read = cells(value)
    assert getattr(read, reader)("x") is None
    [problem] = read.log.problems()
    assert read.failed and (problem.line, problem.column) == (7, "x")
    assert message in problem.message


def test_json_that_no_database_stores_is_refused():
    check_json({"a": ["b", {"c": None}]})
    deep = "a"
    for _ in range(33):
        deep = [deep]
    for wrong in (deep, ["\0"], {"\ud800": 1}):
        with pytest.raises(TextError):
            check_json(wrong)


def test_an_id_may_be_used_once():
    log, lines = ProblemLog("f.csv"), dict[str, int]()
    for line, key in ((2, "a"), (3, "b"), (4, "a")):
        Cells(line, {"id": key}, log).once("id", key, lines)
    assert [str(one) for one in log.problems()] == [
        "f.csv:4: column 'id': 'a' is already on line 2: give each text its own"
    ]


# The columns that a reader of tables knows, and the errors about others.


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
