"""Small files, imported, and what is said about them."""

import io
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from annotation.errors import Conflict
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.plan import plan_items
from annotation.people.lists import lists_import
from tests.annotation.importers.reading import read_item_rows
from tests.factories import jsonl

SENTENCE = "The cat sat on the mat."
ITEM = {"item": "i1", "phrase": "the mat", "sentence": SENTENCE}
RUG = {**ITEM, "paraphrase": "the rug", "system": "A"}
JUDGMENT = {
    "item": "i1",
    "paraphrase": "the rug",
    "annotator": "ann",
    "scale": "MEANING",
    "value": 4,
}


def item_rows_of(*rows):
    parsed = read_item_rows(jsonl(list(rows)).getvalue().decode(), name="items.jsonl")
    assert parsed.ok, parsed.problems
    return parsed.rows


def planned(campaign, *rows):
    return plan_items(campaign=campaign, rows=item_rows_of(*rows), file="items.jsonl")


def _load(importer, what):
    def load(campaign, *rows, **options):
        report = importer(
            campaign=campaign, stream=jsonl(list(rows)), name=f"{what}.jsonl", actor=None, **options
        )
        return report

    return load


load_items = _load(items_import, "items")
load_judgments = _load(judgments_import, "judgments")
load_gold = _load(gold_import, "gold")


def load_lists(campaign, text):
    stream = io.BytesIO(text.encode())
    return lists_import(campaign=campaign, stream=stream, name="lists.csv", actor=None)


def said(report):
    return [str(problem) for problem in report.problems]


def refused(report):
    """What is said first of an import that is none."""
    assert not report.ok and report.batch is None
    return said(report)[0]


@contextmanager
def beaten(act, owner, name):
    """Another import acts between the comparison, `owner.name`, and the first row of this one,
    which is a conflict."""
    compare = getattr(owner, name)

    def compared_then_beaten(*args, **options):
        compared = compare(*args, **options)
        with patch.object(owner, name, compare):
            act()
        return compared

    with patch.object(owner, name, compared_then_beaten), pytest.raises(Conflict) as conflict:
        yield conflict
