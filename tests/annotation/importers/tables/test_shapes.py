"""The tables of laboratories (tests/data/tables): right without a choice, or asking."""

from io import BytesIO
from operator import attrgetter

import pytest

from annotation.importers.items import read_items
from annotation.importers.judgments import read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.books import TableError
from tests.data.tables import tables

LABORATORIES = tables("laboratories")
# One language of each shape is looked at by `make test`; names end with the language.
QUICK = {name.rpartition("_")[0]: name for name in LABORATORIES}.values()
SHAPES = [one for name, one in LABORATORIES.items() if name in QUICK]
REST = [one for name, one in LABORATORIES.items() if name not in QUICK]
REST += tables("strangers").values()
SHAPES += [pytest.param(one, marks=pytest.mark.slow) for one in REST]


def of_items(table, name):
    parsed = read_items(table, name=name)
    assert parsed.ok, parsed.problems
    references = {}
    for row in parsed.rows:
        if row.references:
            references.setdefault(row.sentence, set()).update(row.references)
    rows = {(row.sentence, row.phrase, row.paraphrase, row.system) for row in parsed.rows}
    return rows, references


def of_judgments(table, name):
    parsed = read_judgments(table, name=name)
    assert parsed.ok, parsed.problems
    return {
        (row.target.paraphrase, row.annotator, row.scale, row.value)
        for row in parsed.rows
        if row.value is not None
    }


@pytest.mark.parametrize("given", SHAPES, ids=attrgetter("name"))
def test_a_table_comes_out_right_or_asks(given):
    """What asks, or is refused with a sentence, is never imported in silence."""
    for what, wanted in (("items", given.items), ("judgments", given.judgments)):
        if not wanted and what not in given.asks:
            continue
        try:
            book = open_book(BytesIO(given.data), given.file)
            seen = inspect_book(book, what=what, scales=given.scales, ranges=given.ranges)
        except TableError as refusal:
            assert what in given.asks and not wanted, refusal
            continue
        asks = [*seen.mapping.waits(), *seen.mapping.missing()]
        assert bool(asks) == (what in given.asks), asks
        if not wanted:
            continue
        # Some of what asks is right all the same: a person only confirms it.
        mapping = ColumnMap.from_json(seen.mapping.sure().to_json())
        table = MappedTable(BytesIO(given.data), given.file, mapping)
        if what == "items":
            assert of_items(table, given.file) == (wanted, given.references)
        else:
            assert of_judgments(table, given.file) == wanted
        if given.items:
            ledger = seen.ledger
            assert ledger.originals == len({row[0] for row in given.items})
            assert ledger.references == max(map(len, given.references.values()), default=0)
            if what == "items":
                assert set(ledger.systems) == {row[3] for row in given.items} - {None}
            if given.judgments is not None and (what == "judgments" or not given.judgments):
                assert set(ledger.annotators) == {row[1] for row in given.judgments}


def test_at_most_a_twelfth_of_the_shapes_asks():
    assert len(LABORATORIES) >= 60
    assert sum(bool(one.asks) for one in LABORATORIES.values()) * 10 <= len(LABORATORIES)
