"""Formatting of values in files."""

from __future__ import annotations

import json
from datetime import datetime

from paraanno.plain.formulas import escape

# Sorted: of the names in an object PostgreSQL keeps another order than SQLite.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
)


def plain_number(value: float) -> int | float:
    """Return a whole float as an int, so that 5.0 is written as 5.

    Raises ValueError for NaN and infinities: an undefined value is None.
    """
    if isinstance(value, int):
        return value
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError(f"{value} cannot be exported: an undefined value is None")
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def time_text(moment: datetime) -> str:
    """Return the time in ISO 8601 with zone; raises ValueError for a time without one."""
    if moment.tzinfo is None:
        raise ValueError(f"the time {moment} has no zone")
    return moment.isoformat()


def json_text(value: object) -> str:
    """Return compact JSON, not limited to ASCII."""
    return _ENCODER.encode(value)


def cell_text(value: object, *, raw: bool) -> str:
    """Return a value as a cell of CSV or TSV; None is the empty cell."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value if raw else escape(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(plain_number(value))
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        return cell_text("|".join(value), raw=raw)
    return json_text(value)
