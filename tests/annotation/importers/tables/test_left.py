"""Whatever a file holds is read, said not to be with a reason, or asked about."""

import io
import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from annotation.importers.tables import inspect_book, open_book
from annotation.importers.tables.books import TableError
from annotation.importers.tables.guessing.state import ELSEWHERE
from annotation.importers.tables.inspecting import OTHER_SHEET
from annotation.importers.tables.mapping import IGNORE
from tests.annotation.spreadsheets import book

PEOPLE = ["Anna", "Tom", "Kim", "Lee", "Max", "Ida", "Eva", "Sue", "Joe"]
TEXTS = [
    (f"{who} put off lunch number {at}.", system, f"Lunch number {at} was {verb} by {who}.")
    for at, who in enumerate(PEOPLE)
    for system, verb in (("T5", "postponed"), ("BART", "delayed"))
]
HEAD = ["original", "system", "paraphrase"]
NAMES = ["Anna", "R1", "x", "meaning_A", "score", "status", "corpus", "Lesbarkeit"]
CELLS = (range(1, 6), ("naja", "passt", "nein"), ("yes", "no"), (3, None), (1.5, 2), "ab")


@st.composite
def files(draw):
    """A file with more columns than its texts, and these."""
    columns = {}
    for name in draw(st.sets(st.sampled_from(NAMES), min_size=1, max_size=4)):
        cells = draw(st.sampled_from(CELLS))
        picked = [cells[draw(st.integers(0, 99)) % len(cells)] for _ in TEXTS]
        every = draw(st.sampled_from((1, 1, 4)))
        columns[name] = [one if at % every == 0 else None for at, one in enumerate(picked)]
    shape = draw(st.sampled_from(("beside", "object", "deep", "sheets", "outputs")))
    rows = [dict(zip(HEAD, row, strict=True)) for row in TEXTS]
    if shape == "sheets":
        sheets = {name: [["x"], *([one] for one in cells)] for name, cells in columns.items()}
        return book({"texts": [HEAD, *TEXTS], **sheets}), "d.xlsx", columns
    for at, row in enumerate(rows):
        given = {name: cells[at] for name, cells in columns.items()}
        deep = {name: {"meaning": one} for name, one in given.items()}
        more = {"object": {"more": given}, "deep": {"more": deep}}
        row |= more.get(shape, given)
    if shape == "outputs":  # of all systems in an object, as in data sets
        for row, other in zip(rows[::2], rows[1::2], strict=True):
            row["outputs"] = {one.pop("system"): one.pop("paraphrase") for one in (row, other)}
        rows = rows[::2]
        columns = {name: cells[::2] for name, cells in columns.items()}
    return "\n".join(map(json.dumps, rows)).encode(), "d.jsonl", columns


@given(files())
def test_nothing_vanishes(file):
    data, name, columns = file
    opened = open_book(io.BytesIO(data), name)
    about = {"scales": ["MEANING"], "ranges": {"MEANING": (1.0, 5.0)}}
    seen = inspect_book(opened, what="items", **about)
    if seen.mapping.waits() or seen.mapping.missing():
        return
    both = [*seen.columns]
    with suppress(TableError):
        both += inspect_book(opened, what="judgments", **about).columns
    read = {one.name for one in both if one.guess.role != IGNORE or one.guess.ask}
    left = dict(seen.ledger.not_read)
    for one, cells in columns.items():
        there = [cell for cell in cells if cell is not None]
        reasons = [left[column] for column in left if one in column]
        assert not there or reasons or any(one in column for column in read)
        assert not {*reasons} & {*ELSEWHERE}
        lone = len(there) < 2 or not all(isinstance(cell, int) for cell in there)
        assert lone or OTHER_SHEET not in reasons


def test_what_each_import_leaves_to_the_other_asks():
    people = [{"rater": f"A{at % 2}", "annotator": 100 + at % 3} for at in range(len(TEXTS))]
    rows = [dict(zip(HEAD, row, strict=True)) | one for row, one in zip(TEXTS, people, strict=True)]
    opened = open_book(io.BytesIO("\n".join(map(json.dumps, rows)).encode()), "d.jsonl")
    assert inspect_book(opened, what="items", scales=["MEANING"]).asks
