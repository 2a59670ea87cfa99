"""Repairs of a table before its columns are read: steps that a mapping keeps, each undone alone.

A step is an object with its name (`step`) and what it needs. Columns keep their letters: what a
step takes away becomes empty, what it makes is added on the right.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.importers.tables.books import Cell, Row, TableError, is_empty, letters, place_of
from annotation.importers.tables.lexicon import concepts
from annotation.importers.tables.map_parts import MOST_LISTED
from paraanno.plain.problems import shown
from paraanno.plain.sentence import Sentence, say

# Marks around a phrase, by name; the text between stands in a group.
MARKS = {
    "<b>": re.compile(r"<(b|strong|em|i|u|mark|span)\b[^>]*>(.+?)</\1>", re.IGNORECASE | re.DOTALL),
    "[[ ]]": re.compile(r"(\[\[)\s*(.+?)\s*\]\]"),
    "**": re.compile(r"(\*\*)(\S.*?)\*\*"),
    "__": re.compile(r"(__)(\S.*?)__"),
    "{ }": re.compile(r"(\{)\s*([^{}]+?)\s*\}"),
    "[ ]": re.compile(r"(\[)\s*([^\[\]]+?)\s*\]"),
    "< >": re.compile(r"(<)\s*([^<>/]+?)\s*>"),
    "*": re.compile(r"(?<![\w*])(\*)(\S[^*]*?)\*(?![\w*])"),
    "_": re.compile(r"(?<![\w_])(_)(\S[^_]*?)_(?![\w_])"),
}
SPLITS = ("|", ";", "\n", "/", ",", "\t")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"\s*</?(?:br|p|div)\b[^<>]{0,100}>\s*", re.IGNORECASE)
_NO_SPACE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CLOSING = re.compile(r"[.,;:!?…)\]}»”’。，、；：？！）]")
_COMPUTED = frozenset({"mean", "median", "sd", "sum", "count"})
_NUMBERED = re.compile(r"\s*(?:[0-9]{1,2}[.)]|[-•*])\s+")


@dataclass(frozen=True, slots=True)
class Table:
    """The names of columns, those over them, and the rows, read anew each time."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    blanked: frozenset[int] = field(default_factory=frozenset)

    def adding(self, names: Sequence[str], make: Callable[[list[Cell]], Sequence[Cell]]) -> Table:
        """Return the table with columns on the right, made of the cells of their row."""
        width = len(self.names)

        def rows() -> Iterator[Row]:
            for number, cells in self.rows():
                whole = padded(cells, width)
                yield number, [*whole, *make(whole)]

        return replace(
            self, names=(*self.names, *names), groups=(*self.groups, *[""] * len(names)), rows=rows
        )

    def changing(self, change: Callable[[list[Cell]], list[Cell]]) -> Table:
        """Return the table with the cells of each row changed."""
        width = len(self.names)

        def rows() -> Iterator[Row]:
            for number, cells in self.rows():
                yield number, change(padded(cells, width))

        return replace(self, rows=rows)

    def without(self, places: frozenset[int]) -> Table:
        """Return the table with some columns empty and without names."""
        names = tuple("" if at in places else name for at, name in enumerate(self.names))
        groups = tuple("" if at in places else name for at, name in enumerate(self.groups))
        emptied = self.changing(
            lambda cells: [None if at in places else cell for at, cell in enumerate(cells)]
        )
        return replace(emptied, names=names, groups=groups, blanked=self.blanked | places)


def padded(cells: Sequence[Cell], width: int) -> list[Cell]:
    """Return the cells of a row, as many as there are columns."""
    return [*cells, *[None] * (width - len(cells))][:width] if len(cells) < width else [*cells]


def repaired(table: Table, steps: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table after the steps. Raises TableError for an unknown step, or one that names a
    column that the table does not have."""
    for step in steps:
        make = STEPS.get(str(step.get("step")))
        if make is None:
            raise TableError(
                say("there is no step %(name)s: use one of %(known)s",
                    name=shown(str(step.get("step"))), known=", ".join(STEPS))
            )  # fmt: skip
        table = make(table, step)
    return table


def _places(table: Table, step: Mapping[str, Any], key: str = "columns") -> list[int]:
    given = step.get(key)
    listed = given if isinstance(given, list) else [given]
    found = [place_of(str(one)) for one in listed]
    places = [at for at in found if at is not None and at < len(table.names)]
    if len(places) < len(listed) or not places or len(listed) > MOST_LISTED:
        raise TableError(
            say("the step %(name)s names a column that the table does not have: correct it",
                name=shown(str(step.get("step"))))
        )  # fmt: skip
    return places


def _entities(table: Table, step: Mapping[str, Any]) -> Table:
    places = frozenset(_places(table, step))
    return table.changing(
        lambda cells: [
            decoded(cell) if at in places and isinstance(cell, str) else cell
            for at, cell in enumerate(cells)
        ]
    )


def decoded(text: str) -> str:
    """Return a text with its entities decoded, also those that were encoded twice."""
    for _ in range(2):
        if not _ENTITY.search(text):
            break
        text = html.unescape(text)
    return _TAG.sub(" ", text.replace("\xa0", " ")).strip()


def has_entity(text: str) -> bool:
    """Whether a text has an entity that stands for a sign, or a tag that breaks its lines."""
    if _TAG.search(text):
        return True
    found = _ENTITY.search(text)
    return found is not None and html.unescape(found[0]) != found[0]


def _marked(table: Table, step: Mapping[str, Any]) -> Table:
    [at, *_] = _places(table, step)
    mark = MARKS.get(str(step.get("mark")))
    if mark is None:
        raise TableError(say("mark must be one of %(known)s", known=", ".join(MARKS)))
    table = table.adding(["phrase", "start"], lambda cells: unmarked(cells[at], mark)[1:])
    return table.changing(
        lambda cells: [
            unmarked(cell, mark)[0] if place == at else cell for place, cell in enumerate(cells)
        ]
    )


def unmarked(cell: Cell, mark: re.Pattern[str]) -> tuple[Cell, Cell, Cell]:
    """Return a text without its mark, the marked phrase, and where it starts."""
    found = mark.search(cell) if isinstance(cell, str) else None
    if not isinstance(cell, str) or found is None:
        return cell, None, None
    before = cell[: found.start()].lstrip()
    text = (before + found[2] + cell[found.end() :]).rstrip()
    return text, found[2], len(before)


def _join(table: Table, step: Mapping[str, Any]) -> Table:
    places = _places(table, step)
    if len(places) != 3:
        raise TableError(say("the step join needs three columns: left, phrase and right"))
    left, key, right = places
    space = step.get("space") is True
    joined = table.adding(
        ["sentence", "phrase", "start"],
        lambda cells: joined_cells(cells[left], cells[key], cells[right], space=space),
    )
    return joined.without(frozenset(places))


def joined_cells(left: Cell, key: Cell, right: Cell, *, space: bool) -> tuple[Cell, Cell, Cell]:
    """Return the sentence of its three parts, the phrase and where it starts; `space` puts one
    between parts, but for signs that close."""
    one, two, three = ("" if is_empty(part) else str(part) for part in (left, key, right))
    phrase = two.strip()
    if not phrase:
        return (one + three).strip() or None, None, None
    before = one.lstrip()
    if space and before and not before.endswith((" ", "(", "“", "«", "„")):
        before += " "
    after = three.rstrip()
    if space and after and not after.startswith(" ") and not _CLOSING.match(after):
        after = f" {after}"
    return before + phrase + after, phrase, len(before)


def needs_space(texts: Sequence[str]) -> bool:
    """Whether parts of sentences are joined by a space: they have none at their ends, and are not
    written in Chinese or Japanese."""
    return not any(map(_NO_SPACE.search, texts)) and not any(text != text.strip() for text in texts)


def _reverse(table: Table, step: Mapping[str, Any]) -> Table:
    places = _places(table, step)
    if len(places) != 2:
        raise TableError(say("the step reverse needs two columns"))
    one, two = places

    def change(cells: list[Cell]) -> list[Cell]:
        cells[one], cells[two] = cells[two], cells[one]
        return cells

    return table.changing(change)


def _drop(table: Table, step: Mapping[str, Any]) -> Table:
    totals = step.get("totals") is True
    given = step.get("rows")
    numbers = (
        set(given) if isinstance(given, list) and all(type(one) is int for one in given) else set()
    )
    names = table.names

    def rows() -> Iterator[Row]:
        for number, cells in table.rows():
            if number in numbers or (totals and (is_total(cells) or is_head_again(cells, names))):
                continue
            yield number, cells

    return replace(table, rows=rows)


def is_total(cells: Sequence[Cell]) -> bool:
    """Whether a row holds numbers and says that they are sums or means: no text of its own."""
    filled = [cell for cell in cells if not is_empty(cell)]
    words = [cell.strip() for cell in filled if isinstance(cell, str) and not _a_number(cell)]
    return (
        0 < len(words) <= 2
        and len(filled) > len(words)
        and all(len(word) <= 30 for word in words)
        and bool(concepts(words[0]) & _COMPUTED)
    )


def _a_number(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[+-]?[0-9]+([.,][0-9]+)?\s*%?\s*", text))


def is_head_again(cells: Sequence[Cell], names: Sequence[str]) -> bool:
    """Whether a row repeats the names of the columns."""
    pairs = [
        (str(cell).strip(), name)
        for cell, name in zip(cells, names, strict=False)
        if not is_empty(cell)
    ]
    return len(pairs) > 1 and all(cell == name for cell, name in pairs)


def _split(table: Table, step: Mapping[str, Any]) -> Table:
    [at, *_] = _places(table, step)
    sign = str(step.get("sign") or "")
    if sign not in SPLITS:
        raise TableError(say("sign must be one of %(known)s", known=" ".join(map(repr, SPLITS))))

    def rows() -> Iterator[Row]:
        width = len(table.names)
        for number, cells in table.rows():
            whole = padded(cells, width)
            parts: list[Cell] = [*parts_of(whole[at], sign)]
            for part in parts or [whole[at]]:
                yield number, [*whole[:at], part, *whole[at + 1 :]]

    return replace(table, rows=rows)


def parts_of(cell: Cell, sign: str) -> list[str]:
    """Return the texts in a cell, without the numbers before them."""
    if not isinstance(cell, str):
        return []
    parts = (_NUMBERED.sub("", part, count=1).strip() for part in cell.split(sign))
    return [part for part in parts if part]


def _unpivot(table: Table, step: Mapping[str, Any]) -> Table:
    groups, into = step.get("groups"), step.get("into")
    if not isinstance(groups, Mapping) or not groups or not isinstance(into, list) or not into:
        raise TableError(say("the step unpivot needs the columns of each group, and their names"))
    places = {
        str(name): _places(table, {**step, "columns": columns}) for name, columns in groups.items()
    }
    if any(len(one) != len(into) for one in places.values()):
        raise TableError(say("the step unpivot needs a column for each name in each group"))
    taken = frozenset(at for one in places.values() for at in one)
    label = str(step.get("label") or "system")

    def rows() -> Iterator[Row]:
        width = len(table.names)
        for number, cells in table.rows():
            whole = padded(cells, width)
            rest = [None if at in taken else cell for at, cell in enumerate(whole)]
            for name, columns in places.items():
                own = [whole[at] for at in columns]
                if not all(map(is_empty, own)):
                    yield number, [*rest, name, *own]

    bare = table.without(taken)
    added = (label, *(str(one) for one in into))
    return replace(
        bare, names=(*bare.names, *added), groups=(*bare.groups, *[""] * len(added)), rows=rows
    )


STEPS: Mapping[str, Callable[[Table, Mapping[str, Any]], Table]] = {
    "entities": _entities,
    "marked": _marked,
    "join": _join,
    "reverse": _reverse,
    "drop": _drop,
    "split": _split,
    "unpivot": _unpivot,
}


def told_step(step: Mapping[str, Any], names: Sequence[str]) -> Sentence:
    """Return what a step does, as its undo says it."""
    listed = step.get("columns")
    places = [place_of(str(one)) for one in (listed if isinstance(listed, list) else [listed])]
    columns = ", ".join(
        names[at] if at is not None and at < len(names) and names[at] else letters(at or 0)
        for at in places
    )
    rows = step.get("rows")
    kinds = {
        "entities": say("signs such as &amp;amp; decoded in %(columns)s", columns=columns),
        "marked": say("marked phrase taken out of %(columns)s", columns=columns),
        "join": say("%(columns)s joined to a sentence", columns=columns),
        "reverse": say("%(columns)s exchanged", columns=columns),
        "drop": say("rows %(rows)s left out", rows=", ".join(map(str, rows)))
        if isinstance(rows, list)
        else say("rows of totals, and repeated names of columns, left out"),
        "split": say("%(columns)s split into a row for each text", columns=columns),
        "unpivot": say("columns that stand beside each other for each system put below each other"),
    }
    return kinds.get(str(step.get("step")), say("a step"))
