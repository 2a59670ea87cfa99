"""How exported files look, and that writing them takes no more memory than a piece."""

from __future__ import annotations

import tracemalloc

import pytest

from annotation.exporters import row_chunks
from tests.annotation.exporters.written import COLUMNS, many, text_of


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


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="csv, tsv, jsonl, parquet"):
        text_of([], "odt")


def test_the_header_stands_even_without_rows() -> None:
    assert text_of([], "csv") == "text,count,value\n"
    assert text_of([], "jsonl") == ""


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
