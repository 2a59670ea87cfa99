"""The fields of a table of YAML, each read for what it is meant to be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from annotation.importers.yaml_lines import YamlList, YamlTable, YamlText, YamlValue
from paraanno.common.texts import ProblemLog, Sentence, say, shown

_WORDS = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}


class Fields:
    """A table whose fields are asked for by name; a wrong one is noted with its line.

    A field that is missing or wrong gives the default.
    """

    def __init__(self, table: YamlTable, log: ProblemLog, fields: Sequence[str]) -> None:
        self.table, self.log, self.line = table, log, table.line
        for name in table.values:
            if name not in fields:
                log.error(
                    table.lines[name],
                    say(
                        "there is no field %(field)s here: use %(known)s",
                        field=shown(name),
                        known=", ".join(fields),
                    ),
                )

    def has(self, name: str) -> bool:
        return name in self.table.values

    def line_of(self, name: str) -> int:
        """The line of the field, or that of the table."""
        return self.table.lines.get(name, self.line)

    def fail(self, name: str, message: Sentence) -> None:
        self.log.error(self.line_of(name), message, column=name)

    def text(self, name: str, most: int | None = None, default: str = "") -> str:
        """A text of at most `most` characters; nothing is the empty text."""
        value = self.table.values.get(name)
        if value is None:
            return default
        if not isinstance(value, YamlText):
            self.fail(name, say("must be a text"))
            return default
        if most is not None and len(value.text) > most:
            self.fail(name, say("has more than %(most)s characters: shorten it", most=most))
            return default
        return "" if value.empty else value.text

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        given = self.text(name, default=default)
        if given in allowed:
            return given
        self.fail(
            name,
            say(
                "is %(given)s: use one of %(allowed)s",
                given=shown(given),
                allowed=", ".join(allowed),
            ),
        )
        return default

    def flag(self, name: str, default: bool) -> bool:
        value = self.table.values.get(name)
        if value is None:
            return default
        if isinstance(value, YamlText) and value.plain and value.text.lower() in _WORDS:
            return _WORDS[value.text.lower()]
        self.fail(name, say("must be true or false"))
        return default

    def number(self, name: str, default: float) -> float:
        value = self.number_or_none(name, default)
        if value is None:
            self.fail(name, say("is empty: give a number"))
            return default
        return value

    def number_or_none(self, name: str, default: float | None = None) -> float | None:
        """A finite number; None for nothing."""
        value = self.table.values.get(name)
        if value is None:
            return default
        if isinstance(value, YamlText) and value.empty:
            return None
        number = _number(value)
        if number is None:
            self.fail(name, say("must be a number"))
            return default
        return number

    def whole(self, name: str, default: int) -> int:
        number = self.number(name, default)
        return default if self._broken(name, number) else int(number)

    def whole_or_none(self, name: str) -> int | None:
        number = self.number_or_none(name)
        return None if number is None or self._broken(name, number) else int(number)

    def _broken(self, name: str, number: float) -> bool:
        if float(number).is_integer() and abs(number) < 2**31:
            return False
        self.fail(name, say("must be a whole number"))
        return True

    def table_of(self, name: str, fields: Sequence[str] | None = None) -> Fields | None:
        """The table in the field; without `fields`, its names are free."""
        value = self.table.values.get(name)
        if isinstance(value, YamlTable):
            return Fields(value, self.log, list(value.values) if fields is None else fields)
        if value is not None and not (isinstance(value, YamlText) and value.empty):
            self.fail(name, say("must be a table of fields"))
        return None

    def tables(self, name: str, fields: Sequence[str], most: int) -> Iterator[Fields]:
        """The tables of the list in the field."""
        for value in self._list(name, most):
            if isinstance(value, YamlTable):
                yield Fields(value, self.log, fields)
            else:
                self.log.error(
                    value.line, say("must have the fields %(known)s", known=", ".join(fields)), name
                )

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """The texts of the list in the field."""
        entries = []
        for value in self._list(name, most):
            if isinstance(value, YamlText):
                entries.append(value.text)
            else:
                self.log.error(value.line, say("must be a text"), name)
        return tuple(entries)

    def _list(self, name: str, most: int) -> list[YamlValue]:
        value = self.table.values.get(name)
        if value is None or (isinstance(value, YamlText) and value.empty):
            return []
        if not isinstance(value, YamlList):
            self.fail(name, say("must be a list"))
            return []
        if len(value.values) > most:
            self.fail(name, say("has more than %(most)s entries", most=most))
            return []
        return value.values


def _number(value: YamlValue) -> float | None:
    if not isinstance(value, YamlText) or not value.plain:
        return None
    try:
        number = float(value.text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
