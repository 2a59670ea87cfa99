"""Repairs of a table before its columns are read: steps that a mapping keeps, each undone alone.

A step is an object with its name (`step`) and what it needs. Columns keep their letters: what a
step takes away becomes empty, what it makes is added on the right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.importers.tables.books import (
    Cell,
    Row,
    TableError,
    is_empty,
    letters,
    place_of,
)
from annotation.importers.tables.mapping import MOST_LISTED
from annotation.importers.tables.repeating import occasions, once
from annotation.importers.tables.word_values import (
    MARKS,
    SPLITS,
    decoded,
    is_head_again,
    is_total,
    joined_cells,
    opened,
    parts_of,
    unmarked,
)
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence, say, shown

DECIMALS = 6  # of a value that is read to another range


@dataclass(frozen=True, slots=True)
class Table:
    """The names of columns, those over them, and the rows, read anew each time."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    blanked: frozenset[int] = field(default_factory=frozenset)
    rescaled: frozenset[int] = field(default_factory=frozenset)  # columns read to another range

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
                say(
                    "there is no step %(name)s: use one of %(known)s",
                    name=shown(str(step.get("step"))),
                    known=", ".join(STEPS),
                )
            )
        table = make(table, step)
    return table


def _places(table: Table, step: Mapping[str, Any], key: str = "columns") -> list[int]:
    given = step.get(key)
    listed = given if isinstance(given, list) else [given]
    indices = [place_of(str(one)) for one in listed]
    places = [at for at in indices if at is not None and at < len(table.names)]
    if len(places) < len(listed) or not places or len(listed) > MOST_LISTED:
        raise TableError(
            say(
                "the step %(name)s names a column that the table does not have: correct it",
                name=shown(str(step.get("step"))),
            )
        )
    return places


def _entities(table: Table, step: Mapping[str, Any]) -> Table:
    places = frozenset(_places(table, step))
    return table.changing(
        lambda cells: [
            decoded(cell) if at in places and isinstance(cell, str) else cell
            for at, cell in enumerate(cells)
        ]
    )


def _marked(table: Table, step: Mapping[str, Any]) -> Table:
    [at, *others] = _places(table, step)
    mark = MARKS.get(str(step.get("mark")))
    if mark is None:
        raise TableError(say("mark must be one of %(known)s", known=", ".join(MARKS)))
    table = table.adding(["phrase", "start"], lambda cells: unmarked(cells[at], mark)[1:])
    # Of the other columns what is marked is read: it stands in place of the phrase.
    part = {at: 0, **dict.fromkeys(others, 1)}
    return table.changing(
        lambda cells: [
            unmarked(cell, mark)[part[place]] if place in part else cell
            for place, cell in enumerate(cells)
        ]
    )


def _replaced(table: Table, step: Mapping[str, Any]) -> Table:
    """Read what stands in place of the phrase, of texts that repeat the rest of the sentence."""
    [old, phrase, *new] = _places(table, step)

    def change(cells: list[Cell]) -> list[Cell]:
        for at in new:
            if not is_empty(cells[at]):
                cells[at] = in_place(*(str(cells[one] or "") for one in (old, phrase, at)))
                if cells[at] is None:
                    raise TableError(
                        say(
                            "a text of column %(column)s is not the sentence with the phrase "
                            "replaced: correct it, or undo that repair",
                            column=table.names[at] or letters(at),
                        )
                    )
        return cells

    return table.changing(change)


def in_place(sentence: str, phrase: str, new: str) -> str | None:
    """Return what stands in a text in place of the only phrase of a sentence; None if the rest of
    the sentence is not around it."""
    text, old = new.strip(), phrase.strip()
    if not old or sentence.count(old) != 1 or sentence.strip() == old:
        return None
    before, after = sentence.strip().split(old)
    around = text.startswith(before) and text.endswith(after)
    return text[len(before) : len(text) - len(after)].strip() or None if around else None


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
    names, word = table.names, step.get("word")
    place = _places(table, step, "column")[0] if "column" in step else None

    def rows() -> Iterator[Row]:
        for number, cells in table.rows():
            if place is not None and place < len(cells) and str(cells[place]).strip() == word:
                continue
            if number in numbers or (totals and (is_total(cells) or is_head_again(cells, names))):
                continue
            yield number, cells

    return replace(table, rows=rows)


def leaves_rows_out(step: Mapping[str, Any]) -> bool:
    """Whether a step leaves rows of the table out, and the ledger counts them."""
    return step["step"] == "once" or (step["step"] == "drop" and "word" in step)


def _once(table: Table, step: Mapping[str, Any]) -> Table:
    """Leave out rows that come again."""
    keys, values = _places(table, step), _places(table, step, "values")
    times = _places(table, step, "times") if "times" in step else []
    return replace(table, rows=lambda: once(table.rows, keys, values, times))


def _occasions(table: Table, step: Mapping[str, Any]) -> Table:
    """Number the rows of the same text and annotator that are of several systems."""
    keys, apart, width = _places(table, step), _places(table, step, "apart"), len(table.names)
    return replace(
        table,
        names=(*table.names, "occasion"),
        groups=(*table.groups, ""),
        rows=lambda: occasions(table.rows(), keys, apart, width),
    )


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


def _cut(table: Table, step: Mapping[str, Any]) -> Table:
    """Give each of two numbers in a cell a column of its own; a single one goes into the first."""
    [at, *_] = _places(table, step)
    sign = str(step.get("sign") or "")
    if sign not in ("/", ";", "|", ","):
        raise TableError(say("sign must be one of %(known)s", known="/ ; | ,"))

    def make(cells: list[Cell]) -> list[Cell]:
        cell = cells[at]
        parts = parts_of(cell, sign) if isinstance(cell, str) else [cell]
        return [*parts, None, None][:2] if len(parts) < 3 else [cell, None]

    name = table.names[at] or letters(at)
    names = [part.strip() for part in name.split(sign)]
    if len(names) != 2 or not all(names):
        names = [f"{name} 1", f"{name} 2"]
    return table.adding(names, make).without(frozenset({at}))


def _spread(table: Table, step: Mapping[str, Any]) -> Table:
    """Give each entry of the lists or objects in a column a column of its own."""
    [at, *_] = _places(table, step)
    given = step.get("keys")
    keys = given if isinstance(given, list) else []
    if not 0 < len(keys) <= MOST_LISTED or not all(type(key) in (int, str) for key in keys):
        raise TableError(say("the step spread needs the keys of the entries"))

    def make(cells: list[Cell]) -> list[Cell]:
        cell = cells[at]
        value = opened(cell) if isinstance(cell, str) else None
        return [plain_entry(entry_of(value, key)) for key in keys]

    name = table.names[at] or letters(at)
    return table.adding([f"{name}.{key}" for key in keys], make).without(frozenset({at}))


def entry_of(value: object, key: object) -> object:
    """Return an entry of an object by its key, or of a list by its place from 1; None for none."""
    if isinstance(value, dict):
        return value.get(str(key))
    if isinstance(value, list) and isinstance(key, int):
        return value[key - 1] if 0 < key <= len(value) else None
    return None


def plain_entry(value: object) -> Cell:
    """Return what an opened cell holds as a cell of its own."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


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


def _rescale(table: Table, step: Mapping[str, Any]) -> Table:
    """Read numbers of one range as points of another."""
    places = frozenset(_places(table, step))
    low, high = _range(step, "from")
    least, most = _range(step, "to", turned=True)

    def point(cell: Cell) -> Cell:
        number = None if isinstance(cell, bool) else cell
        if isinstance(number, str):
            number = read_number(number.strip(), "," if "," in number else ".")
        if not isinstance(number, int | float):
            return cell
        return round(least + (number - low) * (most - least) / (high - low), DECIMALS)

    changed = table.changing(
        lambda cells: [point(cell) if at in places else cell for at, cell in enumerate(cells)]
    )
    return replace(changed, rescaled=table.rescaled | places)


def _range(step: Mapping[str, Any], key: str, *, turned: bool = False) -> tuple[float, float]:
    given = step.get(key)
    ends = given if isinstance(given, list) else []
    good = len(ends) == 2 and all(type(one) in (int, float) for one in ends)
    if not good or ends[0] == ends[1] or (ends[0] > ends[1] and not turned):
        raise TableError(
            say("the step rescale needs “from” and “to”: the lowest and the highest number of each")
        )
    return float(ends[0]), float(ends[1])


STEPS: Mapping[str, Callable[[Table, Mapping[str, Any]], Table]] = {
    "entities": _entities,
    "marked": _marked,
    "replaced": _replaced,
    "join": _join,
    "reverse": _reverse,
    "drop": _drop,
    "once": _once,
    "occasions": _occasions,
    "split": _split,
    "unpivot": _unpivot,
    "spread": _spread,
    "cut": _cut,
    "rescale": _rescale,
}


def told_step(step: Mapping[str, Any], names: Mapping[str, str]) -> Sentence:
    """Return what a step does, as its undo says it; `names` are those of columns by letters."""
    listed, rows = step.get("columns"), step.get("rows")
    columns = ", ".join(
        names.get(str(one)) or str(one) for one in (listed if isinstance(listed, list) else [])
    )
    kinds = {
        "entities": say("signs such as &amp; decoded in %(columns)s", columns=columns),
        "marked": say("marked phrase taken out of %(columns)s", columns=columns),
        "replaced": say("what stands in place of the phrase read of %(columns)s", columns=columns),
        "join": say("%(columns)s joined to a sentence", columns=columns),
        "reverse": say("%(columns)s exchanged", columns=columns),
        "drop": say("rows of totals, and repeated names of columns, left out"),
        "once": say("rows that come again left out"),
        "occasions": say("the same text of several systems: each judgment an occasion"),
        "split": say("%(columns)s split into a row for each text", columns=columns),
        "cut": say("two numbers in a cell of %(columns)s put into two columns", columns=columns),
        "spread": say("the entries of %(columns)s put into columns of their own", columns=columns),
        "unpivot": say("texts of systems that stand beside each other put below each other"),
    }
    if step["step"] == "rescale":
        return told_ranges(step, columns)
    if "word" in step:
        column = str(step.get("column"))
        kinds["drop"] = say(
            "rows with %(word)s in %(column)s left out",
            word=shown(str(step["word"])),
            column=names.get(column) or column,
        )
    if isinstance(rows, list):
        kinds["drop"] = say("rows %(rows)s left out", rows=", ".join(map(str, rows)))
    return kinds[str(step["step"])]


def told_ranges(step: Mapping[str, Any], columns: str) -> Sentence:
    """Return which values are read as which points."""
    (low, high), (least, most) = _range(step, "from"), _range(step, "to", turned=True)
    return say(
        "values of %(columns)s from %(low)s to %(high)s read as points from %(least)s to %(most)s",
        columns=columns,
        low=f"{low:g}",
        high=f"{high:g}",
        least=f"{least:g}",
        most=f"{most:g}",
    )
