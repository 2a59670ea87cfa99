"""Cells of an archive: what the database holds, as JSON, and back with every doubt."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import models

from paraanno.plain.sentence import SentenceError, say
from scoring.selectors.archives.table import ArchiveTable

Check = Callable[[Any], Any]
INTEGERS = {
    "SmallIntegerField": (-(2**15), 2**15 - 1),
    "PositiveSmallIntegerField": (0, 2**15 - 1),
    "IntegerField": (-(2**31), 2**31 - 1),
    "PositiveIntegerField": (0, 2**31 - 1),
    "BigIntegerField": (-(2**63), 2**63 - 1),
    "PositiveBigIntegerField": (0, 2**63 - 1),
}
DEEPEST = 60  # Levels of a JSON value.


class BadCell(SentenceError):
    """A cell that no archive of ours has."""


def written(field: models.Field[Any, Any]) -> Check | None:
    """What turns a value of the database into a cell; None where it is one already."""
    if isinstance(field, models.DateTimeField):
        return _moment
    if isinstance(field, models.DateField):
        return date.isoformat
    return str if isinstance(field, models.DecimalField) else None


def _moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat()


def readers(table: ArchiveTable, columns: tuple[str, ...]) -> list[Check]:
    """What reads each column: it returns the value, or raises BadCell. Foreign keys and special
    columns are read by others, who know the rows."""
    return [_reader(table.field_of(column)) for column in columns]


def _reader(field: models.Field[Any, Any]) -> Check:
    check = _of_type(field)
    if field.choices and isinstance(field, models.CharField):
        values = {value for value, _ in field.flatchoices}
        check = _one_of(values | {""} if field.blank else values)
    if not field.null:
        return check

    def or_none(cell: Any) -> Any:
        return None if cell is None else check(cell)

    return or_none


def _of_type(field: models.Field[Any, Any]) -> Check:
    kind = field.get_internal_type()
    if kind in INTEGERS:
        return _whole(*INTEGERS[kind])
    if isinstance(field, models.FloatField):
        return _number
    if isinstance(field, models.BooleanField):
        return _flag
    if isinstance(field, models.DateTimeField):
        return _time
    if isinstance(field, models.DateField):
        return _day
    if isinstance(field, models.DecimalField):
        return _amount(10 ** (field.max_digits - field.decimal_places), field.decimal_places)
    if isinstance(field, models.JSONField):
        return _json
    if isinstance(field, models.CharField | models.TextField):
        return _text(field.max_length)
    raise TypeError(f"{field}: archives have no cells of the type {kind}")


def _whole(least: int, most: int) -> Check:
    def check(cell: Any) -> int:
        if type(cell) is not int or not least <= cell <= most:
            raise BadCell(say("%(cell)s is no whole number that fits", cell=_shown(cell)))
        return cell

    return check


def _number(cell: Any) -> float:
    if type(cell) not in (int, float) or not math.isfinite(cell):
        raise BadCell(say("%(cell)s is no number", cell=_shown(cell)))
    return float(cell)


def _amount(below: int, places: int) -> Check:
    """An amount as text, with exactly so many decimal places: databases write them alike."""

    def check(cell: Any) -> Decimal:
        if type(cell) is str and re.fullmatch(rf"[0-9]{{1,12}}\.[0-9]{{{places}}}", cell):
            found = Decimal(cell)
            if found < below:
                return found
        raise BadCell(say("%(cell)s is no amount", cell=_shown(cell)))

    return check


def _flag(cell: Any) -> bool:
    if type(cell) is not bool:
        raise BadCell(say("%(cell)s is neither true nor false", cell=_shown(cell)))
    return cell


def _time(cell: Any) -> datetime:
    try:
        found = datetime.fromisoformat(cell)
        if found.tzinfo is not None:
            return found.astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        pass
    raise BadCell(say("%(cell)s is no time with its zone", cell=_shown(cell)))


def _day(cell: Any) -> date:
    try:
        return date.fromisoformat(cell)
    except (TypeError, ValueError) as error:
        raise BadCell(say("%(cell)s is no date", cell=_shown(cell))) from error


def _text(most: int | None) -> Check:
    def check(cell: Any) -> str:
        if type(cell) is not str:
            raise BadCell(say("%(cell)s is no text", cell=_shown(cell)))
        if most is not None and len(cell) > most:
            raise BadCell(say("a text is longer than %(most)s characters", most=most))
        return sound(cell)

    return check


def sound(text: str) -> str:
    """The text. Raises BadCell for what no database keeps: NUL and halves of characters."""
    if "\0" in text or (not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text)):
        raise BadCell(say("a text holds a character that cannot be stored"))
    return text


def _one_of(values: set[Any]) -> Check:
    def check(cell: Any) -> str:
        if type(cell) is not str or cell not in values:
            raise BadCell(say("%(cell)s is not one of the known values", cell=_shown(cell)))
        return cell

    return check


def _json(cell: Any, depth: int = 0) -> Any:
    if depth > DEEPEST:
        raise BadCell(say("a value is nested too deeply"))
    if isinstance(cell, str):
        return sound(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        raise BadCell(say("%(cell)s is no number", cell=_shown(cell)))
    if isinstance(cell, int) and abs(cell) > 2**63:
        raise BadCell(say("%(cell)s is no whole number that fits", cell=_shown(cell)))
    if isinstance(cell, dict):
        for name, value in cell.items():
            sound(name)
            _json(value, depth + 1)
    elif isinstance(cell, list):
        for value in cell:
            _json(value, depth + 1)
    return cell


def _shown(cell: Any) -> str:
    text = ascii(cell)
    return text if len(text) <= 60 else f"{text[:60]}..."
