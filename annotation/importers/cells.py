"""The cells of one record, read as what they should be."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from annotation.importers.problems import ProblemLog, shown
from annotation.importers.texts import TextError, clean_text
from annotation.importers.told import Told, told

MAX_NAME = 200
MAX_INTEGER = 2**31 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,6})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def brief(value: object) -> str:
    """A value of a file as a message shows it."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return told("a list")
    return told("an object") if isinstance(value, Mapping) else shown(json.dumps(value))[1:-1]


class Cells:
    """One record of a table: `values` holds the cells that are not empty.

    The readers return None for an empty cell and for a wrong one; a wrong one is logged and
    sets `failed`, so that all problems of a record come out at once.
    """

    __slots__ = ("failed", "line", "log", "values")

    def __init__(self, line: int, values: dict[str, object], log: ProblemLog) -> None:
        self.line = line
        self.values = values
        self.log = log
        self.failed = False

    def fail(self, column: str | None, message: Told) -> None:
        """Log an error of this record."""
        self.failed = True
        self.log.error(self.line, message, column)

    def text(self, column: str) -> str | None:
        """A text in NFC, white space and case kept."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.fail(
                column, told("must be text, not %(value)s: put it in quotes", value=brief(value))
            )
            return None
        try:
            return clean_text(value)
        except TextError as error:
            self.fail(column, error.message)
            return None

    def name(self, column: str, longest: int = MAX_NAME) -> str | None:
        """A short text on one line (an id, a label, a code), white space at its ends removed."""
        value = self.values.get(column)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) <= longest:
            return value.strip() or None  # nearly all of them
        if type(value) is int:
            value = str(value) if abs(value) < 10**18 else "9" * (longest + 1)
        elif value is not None and not isinstance(value, str):
            self.fail(
                column, told("must be text or a whole number, not %(value)s", value=brief(value))
            )
            return None
        if not value:
            return None
        try:
            name = clean_text(value.strip())
        except TextError as error:
            self.fail(column, error.message)
            return None
        if len(name) > longest:
            self.fail(
                column,
                told(
                    "has %(n)s characters, allowed are %(most)s: shorten it",
                    n=len(name),
                    most=longest,
                ),
            )
            return None
        if _CONTROL.search(name):
            self.fail(
                column, told("%(name)s holds a control character: remove it", name=shown(name))
            )
            return None
        return name or None

    def integer(self, column: str, least: int = 0, most: int = MAX_INTEGER) -> int | None:
        """A whole number; 3.0 counts as 3, because spreadsheets write it so."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        number: int | None = None
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
            number = int(value)  # nearly all of them
        elif type(value) is int:
            number = value
        elif isinstance(value, float) and value.is_integer():
            number = int(value)
        elif isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            number = int(value.strip().partition(".")[0])
        if number is None or not least <= number <= most:
            self.fail(
                column,
                told(
                    "%(value)s is not a whole number from %(least)s to %(most)s",
                    value=brief(value),
                    least=least,
                    most=most,
                ),
            )
            return None
        return number

    def number(self, column: str) -> float | None:
        """A finite number with a decimal point."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        number: float | None = None
        if type(value) is int or isinstance(value, float):
            number = _finite(value)
        elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            number = _finite(value.strip())
        if number is None:
            self.fail(
                column,
                told(
                    "%(value)s is not a number: write it as 4 or 3.5, or leave it empty",
                    value=brief(value),
                ),
            )
        return number

    def choice(self, column: str, choices: tuple[str, ...]) -> str:
        """One of `choices`; the first one where the cell is empty or wrong."""
        value = self.values.get(column)
        if value is None or value == "" or value in choices:
            return value if isinstance(value, str) and value else choices[0]
        self.fail(
            column,
            told(
                "%(value)s is none of %(choices)s", value=brief(value), choices=", ".join(choices)
            ),
        )
        return choices[0]

    def moment(self, column: str) -> datetime | None:
        """An ISO 8601 time in UTC; one without zone counts as UTC."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        try:
            if not isinstance(value, str):
                raise ValueError("not a text")
            moment = datetime.fromisoformat(value.strip())
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(
                column,
                told(
                    "%(value)s is not a time: write it as 2024-05-31T14:05:00Z", value=brief(value)
                ),
            )
            return None


def _finite(value: int | float | str) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def check_json(value: object, depth: int = 0) -> None:
    """Raise TextError for a JSON value that no database stores: bad text, or too deep."""
    if depth > 32:
        raise TextError(told("is nested more than 32 levels deep: make it flatter"))
    if isinstance(value, str):
        clean_text(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            check_json(key, depth)
            check_json(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            check_json(part, depth + 1)
