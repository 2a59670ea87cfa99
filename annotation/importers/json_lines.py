"""JSON Lines as records."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import NoReturn

from annotation.importers.cells import Cells
from annotation.importers.columns import Known
from annotation.importers.lines import Lines
from annotation.importers.problems import ProblemLog, shown
from annotation.importers.told import Told, ToldError, told


class _JsonError(ToldError):
    """JSON that is well formed but not what a record may hold."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _JsonError(told("the key %(key)s stands twice: keep one", key=shown(key)))
            seen.add(key)
    return values


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _JsonError(told("the number %(text)s is too large", text=shown(text)))
    return number


def _no_constant(text: str) -> NoReturn:
    raise _JsonError(told("%(text)s is not a value: write null where there is none", text=text))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
)


def json_records(lines: Lines, log: ProblemLog, known: Known) -> Iterator[Cells]:
    first = True
    for line in lines:
        body = line.strip(" \t\r\n")
        flaw = lines.flaw
        lines.clear()
        if not body:
            continue
        try:
            if flaw is not None:
                raise _JsonError(flaw)
            record = _json_object(body)
        except (ValueError, RecursionError) as error:
            log.error(lines.number, _json_message(error))
            continue
        if first and (other := known.other_kind(record)) is not None:
            log.error(lines.number, other)
            return
        first = False
        if not known.refuse(lines.number, record, log):
            for key in [key for key, value in record.items() if value is None]:
                if not key.startswith("attr."):  # there null is a value like any other
                    del record[key]
            yield Cells(lines.number, record, log)


def _json_object(body: str) -> dict[str, object]:
    value = _DECODER.decode(body)
    if not isinstance(value, dict):
        raise _JsonError(told("the line is not a JSON object: write one {...} per line"))
    record: dict[str, object] = {}
    for key, part in value.items():
        name = key.strip()
        if name in record:
            raise _JsonError(told("the key %(name)s stands twice: keep one", name=shown(name)))
        record[name] = part
    return record


def _json_message(error: Exception) -> Told:
    if isinstance(error, _JsonError):
        return error.message
    if isinstance(error, json.JSONDecodeError):
        return told(
            "the line is not JSON (%(why)s at character %(at)s): write one whole {...} per line",
            why=error.msg,
            at=error.pos + 1,
        )
    if isinstance(error, RecursionError):
        return told("the JSON is nested too deep: make it flatter")
    return told("%(why)s: correct it", why=error)
