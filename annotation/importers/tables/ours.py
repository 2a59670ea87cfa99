"""Whether a file is one of ours already: all its columns are known by our names."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from typing import BinaryIO

from annotation.importers.columns import knows_column
from annotation.importers.gold import knows_gold_column
from annotation.importers.judgments import COLUMN_NAMES
from paraanno.plain.records import FORMATS, format_of

_START = 1 << 18
_SCORES = ("score", "metric", "low", "high", "pass", "systems")


def is_ours(stream: BinaryIO, name: str, scales: Sequence[str]) -> bool:
    """Whether the names of the columns of a CSV, TSV or JSON Lines file are ours.

    A file of ours may be broken: the readers of our files report that.
    """
    format = format_of(name)
    if format not in FORMATS.values():
        return False
    names = _names(stream.read(_START), format)
    if names is None:
        return True
    return bool(names) and all(
        knows_column(one) or one in COLUMN_NAMES or one.startswith("score.") or one in _SCORES
        or knows_gold_column(one, scales)
        for one in names
    )  # fmt: skip


def _names(start: bytes, format: str) -> list[str] | None:
    """Return the names of the columns; None for what only the reader of JSON Lines can tell of."""
    text = start.decode("utf-8-sig", "replace")
    if format == "jsonl":
        try:
            first = json.loads(next((line for line in text.splitlines() if line.strip()), ""))
        except (ValueError, RecursionError):
            return None
        return [str(key).strip() for key in first] if isinstance(first, dict) else None
    delimiter = "," if format == "csv" else "\t"
    try:
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        return [cell.strip().removeprefix("'") for cell in next(rows, [])]
    except csv.Error:
        return []
