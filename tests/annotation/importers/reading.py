"""Files, read, and the problems that are told."""

from __future__ import annotations

from typing import Any

from annotation.importers import CcbParsed, ItemRow, Parsed, read_items
from tests.annotation.importers.strategies import stream


def read_item_rows(
    content: str | bytes, name: str = "items.csv", **options: object
) -> Parsed[ItemRow]:
    return read_items(stream(content), name=name, **options)  # type: ignore[arg-type]


def problems_of(parsed: Parsed[ItemRow]) -> list[str]:
    return [str(problem) for problem in parsed.problems]


def check_first(parsed: Parsed[Any] | CcbParsed, line: int, part: str) -> None:
    """The first problem is told of this line, which gives nothing."""
    first = parsed.problems[0]
    assert first.line == line and part in str(first), first
    assert not parsed.ok
    rows = parsed.items if isinstance(parsed, CcbParsed) else parsed.rows
    assert line not in {row.line for row in rows}
