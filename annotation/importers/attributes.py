"""Columns `attr.NAME`: data of the file that is stored but not interpreted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from paraanno.plain.cells import MAX_NAME, Cells, check_json
from paraanno.plain.sentence import say
from paraanno.plain.texts import TextError, clean_text

LEVELS = ("item", "phrase", "substitution", "system", "output")
Attributes = Mapping[str, Mapping[str, object]]
NO_ATTRIBUTES: Attributes = MappingProxyType({})


@lru_cache(maxsize=4096)
def split_attribute(column: str) -> tuple[str | None, str] | None:
    """Split `attr.LEVEL.NAME` or `attr.NAME` (level None); return None for other columns."""
    if not column.startswith("attr."):
        return None
    level, dot, name = column[5:].partition(".")
    if not dot or level not in LEVELS:
        level, name = "", column[5:]
    try:
        name = clean_text(name.strip())
    except TextError:
        return None
    return (level or None, name) if 0 < len(name) <= MAX_NAME else None


def read_attributes(
    cells: Cells, columns: tuple[str, ...], paraphrase: str | None, system: str | None
) -> Attributes:
    """Return the attributes of a record by level; only levels that have some.

    Without a level in its name, an attribute belongs to the output if the record has a system, else
    to the substitution if it has a paraphrase, else to the item.
    """
    default = "output" if system is not None else "substitution" if paraphrase else "item"
    needs = {"output": system, "system": system, "substitution": paraphrase}
    found: dict[str, dict[str, object]] = {}
    for column in columns:
        parts = split_attribute(column)
        if parts is None:
            continue
        level = parts[0] or default
        if needs.get(level, "") is None:
            cells.fail(
                column,
                say("the line has no %(level)s that could carry it: empty the cell", level=level),
            )
            continue
        value = cells.values[column]
        if not _storable(cells, column, value):
            continue
        if found.setdefault(level, {}).setdefault(parts[1], value) != value:
            cells.fail(column, say("is given twice with different values: keep one"))
    return found or NO_ATTRIBUTES


def _storable(cells: Cells, column: str, value: object) -> bool:
    if type(value) is str and value.isascii() and "\0" not in value:
        return True
    try:
        check_json(value)
    except TextError as error:
        cells.fail(column, error.message)
        return False
    return True
