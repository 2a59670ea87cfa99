"""Which columns an export has, in which order."""

import pytest

from annotation.exporters import (
    annotator_key,
    gold_columns,
    item_columns,
    matrix_columns,
    row_chunks,
)


def names(columns):
    return [column.name for column in columns]


def test_columns_of_items():
    assert names(item_columns(references=2, attributes={"system": ["year"]})) == [
        "item",
        "phrase",
        "sentence",
        "start",
        "end",
        "paraphrase",
        "system",
        "rank",
        "role",
        "own_sentence",
        "own_start",
        "own_end",
        "reference",
        "reference_2",
        "attr.system.year",
        "text_key",
        "language",
    ]


def test_columns_of_gold():
    assert names(gold_columns(["M"]))[-8:] == [
        "systems",
        "M",
        "M_n",
        "M_sd",
        "M_method",
        "pass",
        "text_key",
        "language",
    ]
    with pytest.raises(ValueError, match="A_n"):
        gold_columns(["A", "A_n"])
    more = names(gold_columns(["A"], combined=["A + B"], detail=True, units=["A"]))
    assert more[more.index("pass") :] == [
        "pass",
        "A + B",
        "A + B_n",
        "A + B_sd",
        "A + B_method",
        "A_low",
        "A_high",
        "A_confidence",
        "A + B_low",
        "A + B_high",
        "A + B_confidence",
        "pass_method",
        "pass_confidence",
        "A_unit",
        "text_key",
        "language",
    ]


def test_an_annotator_named_like_a_column_keeps_a_column_of_its_own():
    codes = ["A", "item", "item_"]
    columns = matrix_columns(codes)
    assert names(columns) == ["substitution", "item", "phrase", "A", "item__", "item_"]
    row = {"item": "i1"} | {annotator_key(code): n for n, code in enumerate(codes)}
    text = "".join(row_chunks([row], columns, format="csv"))
    assert text.splitlines()[1] == ",i1,,0,1,2"
