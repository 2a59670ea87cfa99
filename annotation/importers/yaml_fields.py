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

    def __init__(self, table: YamlTable, log: ProblemLog, known: Sequence[str]) -> None:
        self.table, self.log, self.line = table, log, table.line
        for name in table.values:
            if name not in known:
                log.error(
                    table.lines[name],
                    say(
                        "there is no field %(field)s here: use %(known)s",
                        field=shown(name),
                        known=", ".join(known),
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
        found = self.number_or_none(name, default)
        if found is None:
            self.fail(name, say("is empty: give a number"))
            return default
        return found

    def number_or_none(self, name: str, default: float | None = None) -> float | None:
        """A finite number; None for nothing."""
        value = self.table.values.get(name)
        if value is None:
            return default
        if isinstance(value, YamlText) and value.empty:
            return None
        found = _number(value)
        if found is None:
            self.fail(name, say("must be a number"))
            return default
        return found

    def whole(self, name: str, default: int) -> int:
        found = self.number(name, default)
        return default if self._broken(name, found) else int(found)

    def whole_or_none(self, name: str) -> int | None:
        found = self.number_or_none(name)
        return None if found is None or self._broken(name, found) else int(found)

    def _broken(self, name: str, found: float) -> bool:
        if float(found).is_integer() and abs(found) < 2**31:
            return False
        self.fail(name, say("must be a whole number"))
        return True

    def table_of(self, name: str, known: Sequence[str] | None = None) -> Fields | None:
        """The table in the field; without `known`, its names are free."""
        value = self.table.values.get(name)
        if isinstance(value, YamlTable):
            return Fields(value, self.log, list(value.values) if known is None else known)
        if value is not None and not (isinstance(value, YamlText) and value.empty):
            self.fail(name, say("must be a table of fields"))
        return None

    def tables(self, name: str, known: Sequence[str], most: int) -> Iterator[Fields]:
        """The tables of the list in the field."""
        for value in self._list(name, most):
            if isinstance(value, YamlTable):
                yield Fields(value, self.log, known)
            else:
                self.log.error(
                    value.line, say("must have the fields %(known)s", known=", ".join(known)), name
                )

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """The texts of the list in the field."""
        found = []
        for value in self._list(name, most):
            if isinstance(value, YamlText):
                found.append(value.text)
            else:
                self.log.error(value.line, say("must be a text"), name)
        return tuple(found)

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
        found = float(value.text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
