"""Rows as the text that is written."""

from __future__ import annotations

import io
from collections.abc import Iterator

from annotation.exporters import Column, write_rows

COLUMNS = (Column("text"), Column("count", "integer"), Column("value", "number"))


def text_of(rows: list[dict[str, object]], format: str, raw: bool = False) -> str:
    target = io.StringIO(newline="")
    assert write_rows(rows, target, COLUMNS, format=format, raw=raw) == len(rows)
    return target.getvalue()


def many(count: int) -> Iterator[dict[str, object]]:
    for number in range(count):
        yield {"text": f"text {number} " + "x" * 200, "count": number, "value": number / 3}
