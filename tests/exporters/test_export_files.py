"""How exported files look, and that writing them takes no more memory than a piece."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from datetime import datetime

import pyarrow.parquet
import pytest

from annotation.exporters import (
    Column,
    annotator_key,
    gold_columns,
    item_columns,
    matrix_columns,
    row_chunks,
    write_parquet,
    write_rows,
)

COLUMNS = (Column("text"), Column("count", "integer"), Column("value", "number"))


def text_of(rows: list[dict[str, object]], format: str, raw: bool = False) -> str:
    target = io.StringIO(newline="")
    assert write_rows(rows, target, COLUMNS, format=format, raw=raw) == len(rows)
    return target.getvalue()


def test_texts_are_escaped_and_numbers_never() -> None:
    rows: list[dict[str, object]] = [{"text": "-1", "count": -1, "value": -1.0}]
    assert text_of(rows, "csv") == "text,count,value\n'-1,-1,-1\n"
    assert text_of(rows, "csv", raw=True) == "text,count,value\n-1,-1,-1\n"
    assert text_of(rows, "jsonl") == '{"text":"-1","count":-1,"value":-1}\n'


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "'=", "''@"])
def test_every_start_of_a_formula_gets_one_apostrophe(start: str) -> None:
    line = text_of([{"text": start + "x"}], "tsv").split("\n", 1)[1]
    assert line.lstrip('"').startswith("'" + start)


@pytest.mark.parametrize("text", ["a=b", "'tis", "''", "", " =x"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert text_of([{"text": text}], "csv").endswith(f"\n{text},,\n")


def test_numbers() -> None:
    rows: list[dict[str, object]] = [{"value": value} for value in (5.0, 0.1, 1e20, 3, None)]
    cells = [line.split(",")[2] for line in text_of(rows, "csv").splitlines()[1:]]
    assert cells == ["5", "0.1", "1e+20", "3", ""]


def test_what_json_leaves_out() -> None:
    assert text_of([{"text": None, "value": 2.5}], "jsonl") == '{"value":2.5}\n'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_an_undefined_number_is_refused(value: float, format: str) -> None:
    with pytest.raises(ValueError, match="undefined value is None"):
        text_of([{"value": value}], format)


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no zone"):
        text_of([{"text": datetime(2024, 1, 1)}], "csv")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="csv, tsv, jsonl, parquet"):
        text_of([], "xlsx")


def test_the_header_stands_even_without_rows() -> None:
    assert text_of([], "csv") == "text,count,value\n"
    assert text_of([], "jsonl") == ""


def test_columns_of_items() -> None:
    names = [column.name for column in item_columns(references=2, attributes={"system": ["year"]})]
    assert names == [
        "item", "phrase", "sentence", "start", "end", "paraphrase", "system", "rank", "role",
        "own_sentence", "own_start", "own_end", "reference", "reference_2", "attr.system.year",
    ]  # fmt: skip


def test_columns_of_gold() -> None:
    names = [column.name for column in gold_columns(["M"])]
    assert names[-6:] == ["systems", "M", "M_n", "M_sd", "M_method", "pass"]
    with pytest.raises(ValueError, match="A_n"):
        gold_columns(["A", "A_n"])
    more = [column.name for column in gold_columns(["A"], combined=["A + B"], detail=True)]
    assert more[more.index("pass") :] == [
        "pass", "A + B", "A + B_n", "A + B_sd", "A + B_method", "A_low", "A_high", "A_confidence",
        "A + B_low", "A + B_high", "A + B_confidence", "pass_method", "pass_confidence",
    ]  # fmt: skip


def test_an_annotator_named_like_a_column_keeps_a_column_of_its_own() -> None:
    codes = ["A", "item", "item_"]
    columns = matrix_columns(codes)
    assert [column.name for column in columns] == [
        "substitution", "item", "phrase", "A", "item__", "item_",
    ]  # fmt: skip
    row: dict[str, object] = {annotator_key(code): n for n, code in enumerate(codes)}
    row["item"] = "i1"
    text = "".join(row_chunks([row], columns, format="csv"))
    assert text.splitlines()[1] == ",i1,,0,1,2"


def many(count: int) -> Iterator[dict[str, object]]:
    for number in range(count):
        yield {"text": f"text {number} " + "x" * 200, "count": number, "value": number / 3}


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
def test_a_long_export_takes_no_more_memory_than_a_short_one(format: str) -> None:
    tracemalloc.start()
    try:
        size = sum(len(piece) for piece in row_chunks(many(20_000), COLUMNS, format=format))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 4_000_000
    assert peak < 1_000_000


def test_parquet_is_written_in_groups() -> None:
    target = io.BytesIO()
    assert write_parquet(many(250), target, COLUMNS, row_group=100) == 250
    target.seek(0)
    file = pyarrow.parquet.ParquetFile(target)
    assert file.num_row_groups == 3
    assert file.read().column("count").to_pylist() == list(range(250))


def test_parquet_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(RuntimeError, match="pip install pyarrow"):
        write_parquet([], io.BytesIO(), COLUMNS)
    with pytest.raises(ValueError, match="byte stream"):
        write_rows([], io.StringIO(), COLUMNS, format="parquet")
