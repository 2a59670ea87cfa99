"""The cells of one record, read as text, numbers, times and choices."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime

from paraanno.plain.problems import ProblemLog, shown
from paraanno.plain.sentence import Sentence, say
from paraanno.plain.texts import TextError, clean_text

MAX_NAME = 200
MAX_INTEGER = 2**31 - 1
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,6})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def brief(value: object) -> str:
    """Return a value of a file as a message shows it."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, list):
        return say("a list")
    return say("an object") if isinstance(value, Mapping) else shown(json.dumps(value))[1:-1]


class Cells:
    """One record of a table: `values` holds the cells that are not empty.

    The readers return None for an empty cell and for an invalid one. An invalid one is logged and
    sets `failed`, so that all problems of a record are reported at once.
    """

    __slots__ = ("failed", "line", "log", "values")

    def __init__(self, line: int, values: dict[str, object], log: ProblemLog) -> None:
        self.line = line
        self.values = values
        self.log = log
        self.failed = False

    def fail(self, column: str | None, message: Sentence) -> None:
        """Log an error of this record."""
        self.failed = True
        self.log.error(self.line, message, column)

    def text(self, column: str) -> str | None:
        """Return a text in NFC, with white space and case unchanged."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            self.fail(
                column, say("must be text, not %(value)s: put it in quotes", value=brief(value))
            )
            return None
        try:
            return clean_text(value)
        except TextError as error:
            self.fail(column, error.message)
            return None

    def filled(self, column: str) -> str | None:
        """Return a text like `text`; an empty or blank one is an error."""
        value = self.values.get(column)
        if value is None or (isinstance(value, str) and not value.strip()):
            self.fail(column, say("is empty: fill it in or delete the line"))
            return None
        return self.text(column)

    def label(self, column: str) -> str | None:
        """Return an identifier: a text like `filled`, or a number in JSON."""
        value = self.values.get(column)
        if type(value) is str and value.isascii() and value.isprintable() and value.strip():
            return value  # the usual case
        return str(value) if isinstance(value, int | float) else self.filled(column)

    def name(self, column: str, longest: int = MAX_NAME) -> str | None:
        """Return a short text on one line (an id, a label, a code), stripped of white space."""
        value = self.values.get(column)
        if type(value) is str and value.isascii() and value.isprintable() and len(value) <= longest:
            return value.strip() or None  # the usual case
        if type(value) is int:
            value = str(value) if abs(value) < 10**18 else "9" * (longest + 1)
        elif value is not None and not isinstance(value, str):
            self.fail(
                column,
                say(
                    "must be text or a whole number, not %(value)s: write it in quotes",
                    value=brief(value),
                ),
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
                say(
                    "has %(n)s characters; at most %(most)s are allowed: shorten it",
                    n=len(name),
                    most=longest,
                ),
            )
            return None
        if _CONTROL.search(name):
            self.fail(
                column, say("%(name)s holds a control character: remove it", name=shown(name))
            )
            return None
        return name or None

    def once(self, column: str, key: str, lines: dict[str, int]) -> None:
        """Note the line of an id in `lines`; it is a problem if another line has it already."""
        line = lines.setdefault(key, self.line)
        if line != self.line:
            self.fail(
                column,
                say("%(id)s is already on line %(line)s: give each text its own",
                    id=shown(key), line=line),
            )  # fmt: skip

    def integer(self, column: str, least: int = 0, most: int = MAX_INTEGER) -> int | None:
        """Return an integer; 3.0 counts as 3, because spreadsheets write integers so."""
        value = self.values.get(column)
        if value is None or value == "":
            return None
        number: int | None = None
        if type(value) is str and value.isascii() and value.isdigit() and len(value) < 10:
            number = int(value)  # the usual case
        elif type(value) is int:
            number = value
        elif isinstance(value, float) and value.is_integer():
            number = int(value)
        elif isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
            number = int(value.strip().partition(".")[0])
        if number is None or not least <= number <= most:
            self.fail(
                column,
                say(
                    "%(value)s is not a whole number from %(least)s to %(most)s: correct it",
                    value=brief(value),
                    least=least,
                    most=most,
                ),
            )
            return None
        return number

    def number(self, column: str) -> float | None:
        """Return a finite number, written with a decimal point."""
        value = self.values.get(column)
        number: float | None = None
        if type(value) is str and value.isascii() and "_" not in value:
            # the usual case; float() accepts 1_000 and the digits of other scripts too
            try:
                if math.isfinite(known := float(value)):
                    return known
            except ValueError:
                pass  # reported below
        elif type(value) is int or isinstance(value, float):
            number = _finite(value)
        elif isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            number = _finite(value.strip())
        if value is None or value == "":
            return None
        if number is None:
            self.fail(
                column,
                say(
                    "%(value)s is not a number: write it as 4 or 3.5, or leave it empty",
                    value=brief(value),
                ),
            )
        return number

    def choice(self, column: str, choices: tuple[str, ...]) -> str:
        """Return one of `choices`; the first one if the cell is empty or invalid."""
        value = self.values.get(column)
        if value is None or value == "" or value in choices:
            return value if isinstance(value, str) and value else choices[0]
        self.fail(
            column,
            say(
                "%(value)s is none of %(choices)s: use one of these",
                value=brief(value),
                choices=", ".join(choices),
            ),
        )
        return choices[0]

    def moment(self, column: str) -> datetime | None:
        """Return an ISO 8601 time in UTC; one without a zone counts as UTC."""
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
                say(
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
    """Raise TextError for a JSON value that a database cannot store: bad text, or too deep."""
    if depth > 32:
        raise TextError(say("is nested more than 32 levels deep: make it flatter"))
    if isinstance(value, str):
        clean_text(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            check_json(key, depth)
            check_json(part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            check_json(part, depth + 1)
