"""The points that answers say: numbers, and words that begin or end with one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from annotation.importers.tables.books import Cell, Coded, is_empty
from paraanno.common.cells import read_number

_FIRST = re.compile(r"\s*[(\[]?\s*([+-]?[0-9]{1,3}(?:[.,][0-9]+)?)(?![0-9.,]*[0-9])")
_LAST = re.compile(r"(?<![0-9.,])([+-]?[0-9]{1,3}(?:[.,][0-9]+)?)\s*[)\]점分点]?\s*$")
_ANY = re.compile(r"[0-9]+")


def points_of(values: Iterable[Cell]) -> Mapping[str, float] | None:
    """Return the points of the words among the answers to one question; {} if all are numbers, None
    if some word says no number, or two say the same one."""
    words = {_word(value) for value in values if not is_empty(value)}
    other = [word for word in words if _number(word) is None]
    if not other:
        return {}
    for pattern in (_FIRST, _LAST):
        points = {word: _number_in(pattern, word) for word in other}
        if any(point is None for point in points.values()):
            continue
        if len(set(points.values())) == len(points):
            return {word: point for word, point in points.items() if point is not None}
    return None


def _number_in(pattern: re.Pattern[str], word: str) -> float | None:
    match = pattern.search(word) if pattern is _LAST else pattern.match(word)
    if match is None or len(_ANY.findall(word)) > 1 + ("." in match[1] or "," in match[1]):
        return None
    return float(match[1].replace(",", "."))


def _word(value: Cell) -> str:
    return value.label.strip() if isinstance(value, Coded) else str(value).strip()


def _number(word: str) -> float | None:
    return read_number(word, ".")


def number_of(value: Cell, points: Mapping[str, float] | None) -> Cell:
    """Return the answer as a number where it says one; else as it stands."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    word = _word(value)
    if points and word in points:
        return points[word]
    number = _number(word)
    return word if number is None else number


def plain(value: object) -> Cell:
    """Return a value of JSON as a cell."""
    if value is None or isinstance(value, str | bool | int | float | Coded):
        return value
    return json.dumps(value, ensure_ascii=False)
