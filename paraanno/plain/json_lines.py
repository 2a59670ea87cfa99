"""What JSON can hold, and the reading of JSON Lines as records."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, TypeAlias

from paraanno.plain.cells import Cells
from paraanno.plain.columns import Columns
from paraanno.plain.lines import Lines
from paraanno.plain.problems import ProblemLog, shown
from paraanno.plain.sentence import Sentence, SentenceError, say

Json: TypeAlias = "str | float | bool | Sequence[Json] | Mapping[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


class _JsonError(SentenceError):
    """Well-formed JSON that is not a valid record."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _JsonError(say("the key %(key)s is there twice: keep one", key=shown(key)))
            seen.add(key)
    return values


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _JsonError(say("the number %(text)s is too large", text=shown(text)))
    return number


def _no_constant(text: str) -> NoReturn:
    raise _JsonError(say("%(text)s is not a value: write null where there is none", text=text))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
)


def json_records(lines: Lines, log: ProblemLog, columns: Columns) -> Iterator[Cells]:
    """Yield the objects of a file with one object on each line."""
    first = blank = True
    good: tuple[str, ...] = ()  # Nearly all records have the same keys as the previous one.
    for number, line in enumerate(lines, start=1):
        body = line.strip(" \t\r\n")
        flaw = lines.flaw(number, number)
        if not body:
            continue
        blank = False
        try:
            record = _json_object(body, flaw)
        except (ValueError, RecursionError) as error:
            log.error(number, _json_message(error))
            continue
        if first and (other := columns.other_kind(record)) is not None:
            log.error(number, other)
            return
        first = False
        if (names := tuple(record)) != good:
            if columns.refuse(number, record, log):
                continue
            good = names
        if None in record.values():
            _drop_nulls(record, columns)
        yield Cells(number, record, log)
    if blank and lines.number > 0:
        alone = say("all lines are blank: write one {...} per line")
        columns.no_record(lines.number, alone, log)


def _drop_nulls(record: dict[str, object], columns: Columns) -> None:
    """A null is an empty cell, but where the column says that it is a value."""
    for name in list(record):
        if record[name] is None and not columns.null_is_value(name):
            del record[name]


def _json_object(body: str, flaw: Sentence | None) -> dict[str, object]:
    if flaw is not None:
        raise _JsonError(flaw)
    value = _DECODER.decode(body)
    if not isinstance(value, dict):
        raise _JsonError(say("the line is not a JSON object: write one {...} per line"))
    record = dict(zip(map(str.strip, value), value.values(), strict=True))
    if len(record) != len(value):
        names = [key.strip() for key in value]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise _JsonError(say("the key %(name)s is there twice: keep one", name=shown(twice)))
    return record


def _json_message(error: Exception) -> Sentence:
    if isinstance(error, _JsonError):
        return error.message
    if isinstance(error, json.JSONDecodeError):
        return say(
            "the line is not JSON (%(why)s at character %(at)s): write one whole {...} per line",
            why=error.msg,
            at=error.pos + 1,
        )
    if isinstance(error, RecursionError):
        return say("the JSON is nested too deep: make it flatter")
    return say("%(why)s: correct it", why=error)
