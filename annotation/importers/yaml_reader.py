"""YAML with the line of every value, as plain as `safe_load` takes it: texts, lists and tables, and
the fields of a table, each read for what it is meant to be.

Aliases, anchors, tags and a second document are refused, so that a small file is never a large
structure and what one reads is what is meant. A value is a text with its line; what it means is
decided by the field that it is for (`no` is a word in a list of options, and false as an answer).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from paraanno.common.texts import ProblemLog, Sentence, TextError, clean_text, say, shown

MOST_BYTES = 1_000_000
MOST_DEPTH = 20
# The fast one where libyaml is there.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class YamlText:
    """A single value; `plain` is one without quotes."""

    line: int
    text: str
    plain: bool

    @property
    def empty(self) -> bool:
        """Whether it is YAML's nothing."""
        return self.plain and self.text in ("", "~", "null", "Null", "NULL")


@dataclass(slots=True)
class YamlList:
    line: int
    values: list[YamlValue] = field(default_factory=list)


@dataclass(slots=True)
class YamlTable:
    line: int
    values: dict[str, YamlValue] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


YamlValue = YamlText | YamlList | YamlTable


class _Refused(Exception):
    def __init__(self, line: int, message: Sentence) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def read_yaml(data: bytes, *, log: ProblemLog) -> YamlValue | None:
    """Return the document; None with a problem in the log if it cannot be read, or is empty."""
    if len(data) > MOST_BYTES:
        log.error(
            1, say("the file is larger than 1 MB: a template holds only the texts of the study")
        )
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        log.error(data[: error.start].count(b"\n") + 1, say("this is not UTF-8: save it as UTF-8"))
        return None
    try:
        return _built(text)
    except _Refused as refusal:
        log.error(refusal.line, refusal.message)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # What is not closed is missed behind the last line.
        log.error(
            min(mark.line, text.rstrip().count("\n")) + 1 if mark else 1,
            say("this is not YAML (%(why)s): correct it", why=error.problem or error.context),
        )
    except yaml.YAMLError as error:
        # Characters that YAML does not allow: the position is in characters.
        position = getattr(error, "position", None)
        line = text[:position].count("\n") + 1 if isinstance(position, int) else 1
        log.error(line, say("this is not YAML: there is a character that it does not allow"))
    return None


class _Builder:
    """Puts events together, without recursion."""

    def __init__(self) -> None:
        self.root: YamlValue | None = None
        self.open: list[YamlList | YamlTable] = []
        self.keys: list[YamlText | None] = []

    def put(self, value: YamlValue) -> None:
        if not self.open:
            self.root = value
            return
        into = self.open[-1]
        if isinstance(into, YamlList):
            into.values.append(value)
            return
        key = self.keys[-1]
        if key is None:
            self.keys[-1] = self.as_key(into, value)
        else:
            into.values[key.text], into.lines[key.text] = value, key.line
            self.keys[-1] = None

    def as_key(self, table: YamlTable, value: YamlValue) -> YamlText:
        if not isinstance(value, YamlText):
            raise _Refused(value.line, say("the name of a field is a single word"))
        if value.text in table.values:
            first = table.lines[value.text]
            raise _Refused(
                value.line,
                say(
                    "%(name)s is in line %(first)s already: remove one",
                    name=shown(value.text),
                    first=first,
                ),
            )
        return value

    def begin(self, value: YamlList | YamlTable) -> None:
        if len(self.open) == MOST_DEPTH:
            raise _Refused(value.line, say("the values are nested too deeply"))
        self.put(value)
        self.open.append(value)
        self.keys.append(None)

    def end(self) -> None:
        self.open.pop()
        self.keys.pop()


def _built(text: str) -> YamlValue | None:
    builder, documents = _Builder(), 0
    for event in _events(text):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise _Refused(line, say("a template is one document: remove the line ---"))
        elif isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _Refused(line, say("anchors (&) and aliases (*) are not read: write the text"))
        elif getattr(event, "tag", None) is not None:
            raise _Refused(line, say("tags (!) are not read: remove it"))
        elif isinstance(event, yaml.ScalarEvent):
            builder.put(YamlText(line, _clean(event.value, line), event.style in (None, "")))
        elif isinstance(event, yaml.SequenceStartEvent):
            builder.begin(YamlList(line))
        elif isinstance(event, yaml.MappingStartEvent):
            builder.begin(YamlTable(line))
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            builder.end()
    return builder.root


def _events(text: str) -> Iterator[Any]:
    return iter(yaml.parse(text, Loader=_LOADER))


def _clean(text: str, line: int) -> str:
    try:
        return clean_text(text)
    except TextError as error:
        raise _Refused(line, error.message) from error


# The fields of a table.


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
