"""Sheets of a workbook that are one table: read as one where the cells prove it, else asked."""

import io

import pytest

from annotation.importers import read_items, read_judgments
from annotation.importers.tables import ColumnMap, MappedTable, inspect_book, open_book
from tests.annotation.importers.tables import traps
from tests.annotation.importers.tables.writing import book

RANGES = {"MEANING": (1, 5), "GRAMMAR": (1, 5)}
PEOPLE = ("Anna", "Ben", "Kim")


def texts_and_values():
    """Texts with an id each, and what three people gave to each on two scales."""
    base = traps.wide(n=8)
    texts = [[at, *row[:3]] for at, row in enumerate(base.rows, 1)]
    again = [*base.rows[5:], *base.rows[:5]]
    values = [
        (row[3 + who], other[3 + who])
        for row, other in zip(base.rows, again, strict=True)
        for who in range(3)
    ]
    return texts, values


TEXTS, VALUES = texts_and_values()
HEAD = ["id", "Original", "Paraphrase", "System"]
WANTED = {
    (text[2], who, scale, float(VALUES[at * 3 + n][place]))
    for at, text in enumerate(TEXTS)
    for n, who in enumerate(PEOPLE)
    for place, scale in enumerate(RANGES)
}


def long_ratings(name="id"):
    rows = [
        [text[0], who, *VALUES[at * 3 + n]]
        for at, text in enumerate(TEXTS)
        for n, who in enumerate(PEOPLE)
    ]
    return [[name, "Annotator", "Meaning", "Grammar"], *rows]


def of_each(*, with_texts, turned=False):
    head = [*(HEAD if with_texts else HEAD[:1]), "Meaning", "Grammar"]
    sheets = {}
    for n, who in enumerate(PEOPLE):
        rows = [
            [*(text if with_texts else text[:1]), *VALUES[at * 3 + n]]
            for at, text in enumerate(TEXTS)
        ]
        sheets[who] = [head, *(rows[::-1] if turned and n else rows)]
    return sheets


def seen(sheets, what, **more):
    opened = open_book(io.BytesIO(book(sheets, **more)), "d.xlsx")
    return inspect_book(opened, what=what, scales=list(RANGES), ranges=RANGES)


def judgments(sheets):
    looked = seen(sheets, "judgments")
    assert not looked.mapping.waits() and not looked.mapping.missing()
    mapping = ColumnMap.from_json(looked.mapping.to_json())
    table = MappedTable(io.BytesIO(book(sheets)), "d.xlsx", mapping)
    parsed = read_judgments(table, name="d.xlsx")
    assert parsed.ok, parsed.problems
    return {(one.target.paraphrase, one.annotator, one.scale, one.value) for one in parsed.rows}


JOINED = {"Texts": [HEAD, *TEXTS], "Ratings": long_ratings()}


@pytest.mark.parametrize(
    ("sheets", "how"),
    [
        (JOINED, "joined to the text of the same id"),
        ({**JOINED, "Ratings": long_ratings("text_id")}, "joined to the text of the same id"),
        ({"Notes": [["Three people rated the texts."]], **JOINED}, "joined"),
        (of_each(with_texts=True), "sheets Anna, Ben, Kim are of an annotator each"),
        (of_each(with_texts=True, turned=True), "an annotator each"),
        ({"Texts": [HEAD, *TEXTS], **of_each(with_texts=False)}, "an annotator each; each row of"),
    ],
)
def test_sheets_that_belong_together_are_read_as_one_unasked(sheets, how):
    assert judgments(sheets) == WANTED
    looked = seen(sheets, "items")
    assert not looked.mapping.waits() and how in str(looked.ledger.line)
    table = MappedTable(io.BytesIO(book(sheets)), "d.xlsx", looked.mapping)
    rows = read_items(table, name="d.xlsx").rows
    assert {(row.sentence, row.paraphrase, row.system) for row in rows} == {
        tuple(text[1:]) for text in TEXTS
    }


def test_texts_that_nobody_judged_come_too():
    more = [99, "Nobody came to the party.", "The party had no guests.", "BART"]
    sheets = {**JOINED, "Texts": [HEAD, *TEXTS, more]}
    assert judgments(sheets) == WANTED
    assert seen(sheets, "items").ledger.originals == len({text[1] for text in TEXTS}) + 1


def without(rows, at):
    return [*rows[:at], *rows[at + 1 :]]


@pytest.mark.parametrize(
    "sheets",
    [
        {**JOINED, "Texts": without(JOINED["Texts"], 3)},  # A judgment of no text.
        {**JOINED, "Texts": [*JOINED["Texts"], [3, "Other.", "Another.", "T5"]]},  # Of two texts.
        {**JOINED, "Ratings": [*long_ratings(), [None, "Anna", 3, 4]]},
        {**JOINED, "More": long_ratings()},  # Which of them?
        dict(
            zip(("Round 1", "Round 2", "Round 3"), of_each(with_texts=True).values(), strict=True)
        ),
        dict(zip(("Pre", "Post", "Late"), of_each(with_texts=True).values(), strict=True)),
        {**of_each(with_texts=True), "Ben": without(of_each(with_texts=True)["Ben"], 4)},
    ],
)
def test_what_is_not_proven_is_asked(sheets):
    assert seen(sheets, "items").mapping.waits()


def test_cells_of_another_colour_are_seen_in_each_sheet():
    def marked(workbook, sheet):
        sheet.write(5, 4, 3, workbook.add_format({"font_strikeout": True}))

    for sheets in (of_each(with_texts=True), JOINED):
        looked = seen(sheets, "judgments", more=marked)
        assert any("struck out" in str(one) for one in looked.mapping.waits()) == (
            sheets is not JOINED
        )
