"""Rows that come again: read once, by the later time, or as another occasion."""

from datetime import datetime
from io import BytesIO

import pytest

from annotation.importers.judgments import read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.repeating import is_later, once
from tests.annotation.importers.tables import traps
from tests.annotation.spreadsheets import book
from tests.data.tables import tables


@pytest.mark.parametrize(
    ("one", "two", "later"),
    [
        ("2024-03-02T10:00:00Z", "2024-03-02 09:59", True),
        ("02.03.2024 9:05", datetime(2024, 3, 2, 9, 6), False),
        ("5/4/2024", "1/3/2024", True),
        ("5/4/2024 1:00 PM", "5/4/2024 11:00 AM", True),
        ("1/5/2024", "2/4/2024", None),
        ("13/4/2024", "2/4/2024", None),
        (1709280037, 1709280000, True),
        (1709280000000, "1709290000", False),
        ("2024-03-02", "2024-03-02", None),
        ("soon", "2024-03-02", None),
        (None, None, None),
        (True, 3, None),
    ],
)
def test_times_say_which_row_is_the_later_one_or_nothing(one, two, later):
    assert is_later([one], [two]) is later
    assert is_later([two], [one]) is (None if later is None else not later)


def test_parts_of_one_judgment_stay():
    rows = [(1, ["a", 4, None, "2024-01-01"]), (2, ["a", None, 3, "2024-01-02"])]
    assert [number for number, _ in once(lambda: iter(rows), [0], [1, 2], [3])] == [1, 2]


def test_the_later_judgment_stays_wherever_it_stands():
    rows = [(1, ["a", 4, "2024-01-02"]), (2, ["a", 5, "2024-01-01"]), (3, ["b", 4, None])]
    for given in (rows, rows[::-1]):
        assert {n for n, _ in once(lambda given=given: iter(given), [0], [1], [2])} == {1, 3}


def looked(name):
    one = tables("laboratories")[name]
    seen = inspect_book(
        open_book(BytesIO(one.data), one.file),
        what="judgments",
        scales=one.scales,
        ranges=one.ranges,
    )
    return one, seen


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("rated_anew_ko", ["1 row stands twice", "2 judgments were given anew later"]),
        ("marked_checks_fr", ["3 rows with '1' in catch_trial"]),
        ("skipped_zh", ["8 cells without a judgment (跳过, 无, 不确定, -)"]),
    ],
)
def test_what_is_left_out_is_counted(name, left_out):
    _, seen = looked(name)
    assert [*map(str, seen.ledger.left_out)] == left_out
    assert left_out[0] in str(seen.ledger.line)


def test_the_same_text_of_two_systems_keeps_both_judgments():
    one, seen = looked("same_text_en")
    mapping = ColumnMap.from_json(seen.mapping.to_json())
    rows = read_judgments(MappedTable(BytesIO(one.data), one.file, mapping), name=one.file).rows
    assert len(rows) == 12 * 2 * 3
    assert sum(row.occasion == 2 for row in rows) == 2 * 3


@pytest.mark.parametrize("share", [0.05, 0.6])
def test_many_judgments_given_anew_by_one_annotator_ask(share):
    """A code that several people share looks like one who judged all anew."""
    base = traps.long(people=("Anna", "Ben", "Kim"))
    rows = [[*row, f"2024-03-01 10:{at // 60:02}:{at % 60:02}"] for at, row in enumerate(base.rows)]
    more = rows[: int(share * len(rows))]
    rows += [[*row[:4], 6 - row[4] if row[4] != 3 else 4, "2024-03-05"] for row in more]
    data = book({"S": [[*base.head, "Date"], *rows]})
    seen = inspect_book(
        open_book(BytesIO(data), "d.xlsx"), what="judgments", scales=["MEANING"], ranges=traps.FIVE
    )
    asks = any("different values" in str(one) for one in seen.questions)
    assert asks is (share > 0.1)
