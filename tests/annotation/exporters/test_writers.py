"""How exported files look, and that writing them takes no more memory than a piece."""

import tracemalloc

import pytest

from annotation.exporters import row_chunks
from tests.annotation.exporters.written import COLUMNS, many, text_of


def test_texts_are_escaped_and_numbers_never():
    rows = [{"text": "-1", "count": -1, "value": -1.0}]
    assert text_of(rows, "csv") == "text,count,value\n'-1,-1,-1\n"
    assert text_of(rows, "csv", raw=True) == "text,count,value\n-1,-1,-1\n"
    assert text_of(rows, "jsonl") == '{"text":"-1","count":-1,"value":-1}\n'


def test_the_header_stands_even_without_rows_in_a_format_that_is_known():
    assert text_of([], "csv") == "text,count,value\n"
    assert text_of([], "jsonl") == ""
    with pytest.raises(ValueError, match="csv, tsv, jsonl, parquet"):
        text_of([], "odt")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
def test_a_long_export_takes_no_more_memory_than_a_short_one(format):
    tracemalloc.start()
    try:
        size = sum(len(piece) for piece in row_chunks(many(20_000), COLUMNS, format=format))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 4_000_000
    assert peak < 1_000_000
