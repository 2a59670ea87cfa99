"""Right tables that a program made wrong: none is read as if nothing were amiss."""

from dataclasses import replace
from operator import attrgetter

import pytest

from tests.annotation.importers.tables.traps import (
    WIDE,
    Trap,
    outcome,
    rights,
    traps,
    wide,
    written,
)

# Of nine traps `make test` looks at the first, `make test-all` at two more; all are looked at at
# night.
ROUNDS = {0: (), 3: pytest.mark.slow, 6: pytest.mark.slow}
TRAPS = [
    pytest.param(one, marks=ROUNDS.get(at % 9, pytest.mark.nightly), id=one.name)
    for at, one in enumerate(traps())
]


@pytest.mark.parametrize("table", [*rights()], ids=attrgetter("name"))
def test_a_right_table_is_read_unasked(table):
    assert outcome(table) == "right"


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_asks_is_refused_or_comes_out_right(trap):
    assert outcome(trap) != "silent"


LATE = (
    "reversed_annotator",
    "of_ten",
    "of_hundred",
    "two_with_dash_in_a_few",
    "date_in_a_few",
    "row_Mean",
    "row_Keskiarvo",
    "row_unnamed",
    "texts_a_row_down",
    "shifted_block",
    "values_shifted_to_the_right",
    "again_with_other_values",
)


def lengthened(base, last):
    """A table of 2,520 rows about other texts each time, of which the last ones are of `last`."""
    rows, items, judgments = [], set(), set()
    for at in range(60):
        part = last if at == 59 else base
        rows += [
            [*(f"{text} ({at})" if text else text for text in row[:2]), *row[2:]]
            for row in part.rows
        ]
        items |= {(*(f"{text} ({at})" for text in row[:3]), row[3]) for row in base.items}
        judgments |= {(f"{row[0]} ({at})", *row[1:]) for row in base.judgments}
    table = replace(base, rows=rows, items=items, judgments=judgments)
    return Trap("", table, written(table), "table.csv")


@pytest.mark.parametrize(
    "change",
    [
        None,
        LATE[0],
        *(
            pytest.param(one, marks=pytest.mark.nightly if at % 4 else pytest.mark.slow)
            for at, one in enumerate(LATE[1:])
        ),
    ],
)
def test_all_rows_are_looked_at(change):
    base = wide()
    made = outcome(lengthened(base, WIDE[change](base) if change else base))
    assert made in (("asks", "refused") if change else ("right",))
