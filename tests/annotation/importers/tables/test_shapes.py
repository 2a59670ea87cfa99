"""The tables of laboratories (tests/data/tables): right without a choice, or asking."""

from io import BytesIO

import pytest

from annotation.importers import read_items, read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from annotation.importers.tables.books import TableError
from tests.data.tables.shapes import CASES, SHAPES
from tests.data.tables.strangers import STRANGERS


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


@pytest.mark.parametrize(
    ("name", "language"), CASES, ids=[f"{name}-{one.code}" for name, one in CASES]
)
def test_a_shape_comes_out_right_or_asks(name, language):
    given = SHAPES[name][0](language)
    for what in ("items", "judgments") if given.judgments else ("items",):
        book = open_book(BytesIO(given.data), given.name)
        seen = inspect_book(book, what=what, scales=given.scales)
        asks = [*seen.mapping.waits(), *seen.mapping.missing()]
        assert bool(asks) == (what in given.asks), asks
        # What asks is right all the same, where the table says it: a person only confirms it.
        if what in given.asks and what == "items":
            continue
        mapping = ColumnMap.from_json(seen.mapping.sure().to_json())
        table = MappedTable(BytesIO(given.data), given.name, mapping)
        if what == "items":
            assert of_items(table, given.name) == (given.items, given.references)
        else:
            assert of_judgments(table, given.name) == given.judgments
        ledger = seen.ledger
        assert ledger.originals == len(language.texts)
        assert set(ledger.systems) == {row[3] for row in given.items} - {None}
        assert ledger.references == max(map(len, given.references.values()), default=0)
        assert set(ledger.annotators) == {row[1] for row in given.judgments}


def test_at_most_a_twelfth_of_the_shapes_asks():
    assert len(CASES) >= 60
    assert sum(bool(SHAPES[name][0](language).asks) for name, language in CASES) * 10 <= len(CASES)


@pytest.mark.parametrize("given", STRANGERS, ids=[one.name for one in STRANGERS])
def test_a_table_of_a_stranger_comes_out_right_or_asks(given):
    """What asks, or is refused with a sentence, is never imported in silence."""
    for what, wanted in (("items", given.items), ("judgments", given.judgments)):
        if wanted is None:
            continue
        try:
            book = open_book(BytesIO(given.data), given.file)
            seen = inspect_book(book, what=what, scales=given.scales, ranges=given.ranges)
        except TableError as refusal:
            assert what in given.ask, refusal
            continue
        asks = [*seen.mapping.waits(), *seen.mapping.missing()]
        assert bool(asks) == (what in given.ask), asks
        if asks:
            continue
        mapping = ColumnMap.from_json(seen.mapping.sure().to_json())
        table = MappedTable(BytesIO(given.data), given.file, mapping)
        if what == "items":
            assert of_items(table, given.file) == (wanted, given.refs)
        else:
            assert of_judgments(table, given.file) == wanted
