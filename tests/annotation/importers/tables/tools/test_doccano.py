import pytest

from annotation.importers import read_judgments
from tests.annotation.importers.tables.tools.checking import (
    asks,
    check,
    inspected,
    of,
    rows,
    zipped,
)


@pytest.mark.parametrize("name", of("doccano"))
def test_what_comes_out(name):
    check(name)


def export(labels, **more):
    return {
        "id": 1,
        "text": "So it is.",
        "original": "It is so.",
        "label": labels,
        "Comments": [],
        **more,
    }


@pytest.mark.parametrize(
    ("labels", "result"),
    [
        (["MEANING 4", "grammar_3"], {"MEANING": 4, "GRAMMAR": 3}),
        ("GRAMMAR-2#MEANING:5", {"MEANING": 5, "GRAMMAR": 2}),
        (["MEANING 4", "MEANING 5"], "asks"),
        (["MEANING good"], "asks"),
        (["4"], "asks"),
    ],
)
def test_labels(labels, result):
    data = zipped({"bo.json": [export(labels)], "admin.json": [export([])]})
    seen = inspected(data, "d.zip", "judgments")
    if result == "asks":
        assert asks(seen)
    else:
        given = rows(data, "d.zip", seen, read_judgments)
        assert {one.scale: one.value for one in given} == result
        assert {one.annotator for one in given} == {"bo"} and "admin" in str(seen.ledger.line)


def test_tables_that_have_nothing_to_do_with_it():
    """Files of one zip that are no export of one project, and a table with a column label."""
    assert "doccano" not in str(
        inspected(
            zipped({"a/x.json": [export([])], "b/y.json": [{"id": 1}]}), "z.zip", "items"
        ).tool
    )
    assert inspected(b"id,text,label\n1,It is so.,4\n", "t.csv", "items").tool == ""
