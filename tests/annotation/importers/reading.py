"""Files, read, and the problems that are told."""

from __future__ import annotations

from annotation.importers import ItemRow, Parsed, read_items
from tests.annotation.importers.strategies import stream


def read_item_rows(
    content: str | bytes, name: str = "items.csv", **options: object
) -> Parsed[ItemRow]:
    return read_items(stream(content), name=name, **options)  # type: ignore[arg-type]


def problems_of(parsed: Parsed[ItemRow]) -> list[str]:
    return [str(problem) for problem in parsed.problems]
