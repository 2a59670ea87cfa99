"""Columns `attr.NAME`: what a file carries and nobody here interprets."""

import json

from tests.annotation.importers.reading import read_item_rows


def jsonl(*records):
    return read_item_rows("\n".join(json.dumps(record) for record in records), "items.jsonl")


def test_attributes_go_to_their_level():
    record = {"sentence": "A b", "phrase": "b", "paraphrase": "c", "system": "s"}
    explicit = {
        f"attr.{level}.k": [level, 1.5]
        for level in ("item", "phrase", "substitution", "system", "output")
    }
    parsed = jsonl(
        record | explicit,
        {"sentence": "B", "paraphrase": "c", "attr.free": {"deep": [True, None]}},
        {"sentence": "C", "attr.free.of": None},
    )
    assert parsed.ok
    assert parsed.rows[0].attributes == {
        key.split(".")[1]: {"k": value} for key, value in explicit.items()
    }
    assert parsed.rows[1].attributes == {"substitution": {"free": {"deep": [True, None]}}}
    assert parsed.rows[2].attributes == {"item": {"free.of": None}}


def test_json_types():
    parsed = jsonl(
        {"item": 12, "sentence": "A", "references": ["r", "s", "r"], "start": 0.0, "end": 1},
        {"sentence": 5},
        {"sentence": "A", "references": "r"},
        {"sentence": "A", "start": True, "end": 1},
        {"sentence": "A", "paraphrase": "b", "system": 1.5},
        {"sentence": "A\0"},
        {"sentence": "\ud800", "paraphrase": "x"},
    )
    assert [(row.item, row.references) for row in parsed.rows] == [("12", ("r", "s"))]
    assert [(p.line, p.column) for p in parsed.problems] == [
        (2, "sentence"),
        (3, "references"),
        (4, "start"),
        (5, "system"),
        (6, "sentence"),
        (7, "sentence"),
    ]
