"""Which repairs a table needs: found by what its cells hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import median
from typing import Any

from annotation.importers.tables.books import Cell, Row, is_empty, letters
from annotation.importers.tables.guessing.state import Guess
from annotation.importers.tables.names import concepts, lexicon_plain_name
from annotation.importers.tables.steps import Table, in_place, padded
from annotation.importers.tables.word_values import (
    LISTED,
    MARKS,
    has_entity,
    is_head_again,
    is_total,
    needs_space,
    opened,
    parts_of,
)

Step = dict[str, Any]
SURE = 0.9  # share of the rows that a mark is in, once each
LOOKED_AT = 2000
_BETWEEN = frozenset({"of", "by", "from", "von", "der", "des", "de", "du", "del", "la"})
_END = re.compile(r"[0-9]+$")
_COMPUTED = frozenset({"mean", "median", "sd", "sum", "count"})
_LETTER = re.compile(r"[^\W\d_]")
_POINT = re.compile(r"-?[0-9]{1,3}(\.0)?")  # of a scale, that a note explains
SPREAD_FROM = 200  # cells in which the entries of lists and objects are looked for
MOST_KEYS = 40
LONG_NOTE = 15  # characters
LEAST_CELLS = 4  # of a row, below which rows are not called short


def cells_of(table: Table, at: int) -> list[str]:
    """Return the texts of a column in the first rows; other cells are left out."""
    return _texts(list(islice(table.rows(), LOOKED_AT)), at)


def cells_by_column(table: Table) -> list[list[str]]:
    """Return `cells_of` of every column; the steps of the table make each row once."""
    rows = list(islice(table.rows(), LOOKED_AT))
    return [_texts(rows, at) for at in range(len(table.names))]


def _texts(rows: Sequence[Row], at: int) -> list[str]:
    cells = (cells[at] for _, cells in rows if at < len(cells))
    return [cell for cell in cells if isinstance(cell, str) and cell.strip()]


def first_steps(table: Table) -> Iterator[Step]:
    """Yield the repairs that leave no choice, one after the other; each is seen on the table as it
    stands after those before."""
    rows = list(islice(table.rows(), LOOKED_AT))
    if any(is_total(cells) or is_head_again(cells, table.names) for _, cells in rows):
        yield {"step": "drop", "totals": True}
    if below := _below_the_table(rows):
        left = [cells for number, cells in rows if number in below]
        titled = all(_is_legend(cells) or _is_title(cells) for cells in left)
        several = any(sum(not is_empty(cell) for cell in cells) > 1 for cells in left)
        legend = {"words": True} if titled and several else {}
        yield {"step": "drop", "rows": below, "below": True, **legend}
    texts = cells_by_column(table)
    coded = [letters(at) for at, cells in enumerate(texts) if any(map(has_entity, cells))]
    if coded:
        yield {"step": "entities", "columns": coded}
    for at, cells in enumerate(texts):
        step = _spreading(table, at, cells)
        if step is not None:
            yield step


def _below_the_table(rows: Sequence[Row]) -> list[int]:
    """Return the last rows if they are another, smaller table: they stand apart, and have at most
    half as many cells as most."""
    sizes = [sum(not is_empty(cell) for cell in cells) for _, cells in rows]
    usual = median(sizes) if sizes else 0
    if usual < LEAST_CELLS or len(rows) >= LOOKED_AT:
        return []
    last = len(rows)
    while last and sizes[last - 1] * 2 <= usual:
        last -= 1
    apart = 0 < last < len(rows) and rows[last][0] - rows[last - 1][0] > 1
    several = any(size > 1 for size in sizes[last:])
    return [number for number, _ in rows[last:]] if apart and several else []


def _is_legend(cells: Sequence[Cell]) -> bool:
    """Whether a row is a note, which other rules look at: one or two cells of words, or a number
    and what it means."""
    filled = [cell for cell in cells if not is_empty(cell)]
    points = [bool(_POINT.fullmatch(str(cell).strip())) for cell in filled]
    if len(filled) == 2 and any(points):
        return any(_LETTER.search(cell) for cell in filled if isinstance(cell, str))
    spoken = all(isinstance(cell, str) and _LETTER.search(cell) for cell in filled)
    return len(filled) <= 2 and spoken and any(len(str(cell)) > LONG_NOTE for cell in filled[-1:])


def _is_title(cells: Sequence[Cell]) -> bool:
    """Whether a row is a single cell of words, or begins with a word for sums or means."""
    filled = [cell for cell in cells if not is_empty(cell)]
    first = filled[0] if filled else None
    if not isinstance(first, str) or not _LETTER.search(first):
        return False
    return len(filled) == 1 or (len(first) <= LONG_NOTE and bool(concepts(first) & _COMPUTED))


def _spreading(table: Table, at: int, cells: Sequence[str]) -> Step | None:
    """Return the step that opens the lists or objects which nearly all cells of a column are: a
    row for each text of a list of paraphrases, a column for each other entry."""
    values = [opened(cell) for cell in cells[:SPREAD_FROM] if cell[:1] in "[{"]
    if not values or sum(one is not None for one in values) < SURE * len(cells[:SPREAD_FROM]):
        return None
    lists = [one for one in values if isinstance(one, list)]
    objects = [one for one in values if isinstance(one, dict)]
    if objects and lists:
        return None
    if objects:
        keys = list(dict.fromkeys(str(key) for one in objects for key in one))
        return _spread(at, keys)
    entries = [entry for one in lists for entry in one]
    if not entries or any(isinstance(entry, dict | list) for entry in entries):
        return None
    spoken = all(isinstance(entry, str) for entry in entries)
    if spoken and not concepts(table.names[at]) & {"reference", "annotator", "value"}:
        return {"step": "split", "columns": [letters(at)], "sign": LISTED}
    return _spread(at, list(range(1, max(map(len, lists)) + 1)))


def _spread(at: int, keys: Sequence[object]) -> Step | None:
    if not 0 < len(keys) <= MOST_KEYS:
        return None
    return {"step": "spread", "columns": [letters(at)], "keys": list(keys)}


def joining(table: Table) -> Step | None:
    """Return the step that joins left context, phrase and right context; None if there are none."""
    about = [concepts(name) for name in table.names]
    left = [at for at, one in enumerate(about) if "left" in one and "right" not in one]
    right = [at for at, one in enumerate(about) if "right" in one and "left" not in one]
    if len(left) != 1 or len(right) != 1:
        return None
    between = [
        at
        for at in range(len(about))
        if at not in (left[0], right[0]) and ("phrase" in about[at] or left[0] < at < right[0])
    ]
    named = [at for at in between if "phrase" in about[at] and left[0] < at < right[0]]
    key = named or [at for at in between if left[0] < at < right[0]] or between
    if len(key) != 1:
        return None
    places = [left[0], key[0], right[0]]
    parts = [text for at in places for text in cells_of(table, at)]
    sides = [text for at in (left[0], right[0]) for text in cells_of(table, at)]
    if not parts or not cells_of(table, key[0]) or all(map(str.isdigit, sides)):
        return None
    return {
        "step": "join",
        "columns": [letters(at) for at in places],
        "space": needs_space(parts),
    }


def marking(table: Table) -> list[tuple[int, str, float]]:
    """Return columns of texts of which nearly each has one marked phrase: place, mark, share."""
    marks = []
    for at, cells in enumerate(cells_by_column(table)):
        if len(cells) < 2 or sum(map(len, cells)) < 12 * len(cells):
            continue
        for name, mark in MARKS.items():
            once = sum(
                len(hits) == 1 and len(hits[0].group(0)) < len(cell.strip())
                for cell in cells
                for hits in [list(islice(mark.finditer(cell), 2))]
            )
            if once >= SURE * len(cells):
                marks.append((at, name, once / len(cells)))
                break
    return marks


def in_the_same_place(table: Table, at: int, other: int, mark: str) -> bool:
    """Whether texts differ from those of another column in nothing but the marked phrase."""
    frames = [
        [MARKS[mark].sub("\0", str(cells[one] or "")) for one in (at, other)]
        for _, cells in islice(table.rows(), LOOKED_AT)
        if max(at, other) < len(cells)
    ]
    return bool(frames) and all(one == two for one, two in frames)


def replacing(table: Table, guesses: Sequence[Guess]) -> Step | None:
    """Return the step that reads whole sentences as what stands in them in place of the phrase;
    None where texts of systems are no such sentences."""
    places = {one.role: at for at, one in enumerate(guesses)}
    if not {"sentence", "phrase"} <= places.keys() or "start" in places:
        return None
    old = [places[role] for role in ("sentence", "phrase")]
    rows = [padded(cells, len(guesses)) for _, cells in islice(table.rows(), LOOKED_AT)]
    whole = []
    for at, guess in enumerate(guesses):
        texts = [[str(cells[one] or "") for one in (*old, at)] for cells in rows if cells[at]]
        framed = at not in old and len(texts) > 1 and all(in_place(*one) for one in texts)
        if framed and guess.role not in ("reference", "comment"):
            whole.append(at)
    new = {at for at, one in enumerate(guesses) if one.role in ("paraphrase", "output_of")}
    if not whole or new - {*whole}:
        return None
    return {"step": "replaced", "columns": [*map(letters, (*old, *whole))]}


def unpivoting(table: Table, outputs: Sequence[int], values: Sequence[int]) -> Step | None:
    """Return the step that puts a text and its values below those of other systems; None if the
    values are not each of one text.

    Values belong to the text whose name their own has in it, or to the text before them if behind
    each text there are as many, with names that differ in a number at most.
    """
    if len(outputs) < 2 or not values or len(values) % len(outputs):
        return None
    owners = _by_name(table, outputs, values) or _by_place(table, outputs, values)
    if owners is None:
        return None
    groups: dict[str, list[int]] = {}
    heads: list[list[str]] = []
    for at in outputs:
        own = sorted(place for place in values if owners[place] == at)
        groups[_system(table, at)] = [at, *own]
        names = [_rest(table, place, at) for place in own]
        if len(set(names)) < len(names):  # Meaning over two people, and grammar over them too.
            names = [
                f"{_above(table, place, at)} {name}" for place, name in zip(own, names, strict=True)
            ]
        heads.append(names)
    if len(groups) < len(outputs) or any(
        [lexicon_plain_name(name) for name in one]
        != [lexicon_plain_name(name) for name in heads[0]]
        for one in heads
    ):
        return None
    into = ["paraphrase", *(name or "score" for name in heads[0])]
    if len(set(into)) < len(into):
        return None
    return {
        "step": "unpivot",
        "label": "system",
        "into": into,
        "groups": {name: [letters(at) for at in places] for name, places in groups.items()},
    }


def _system(table: Table, at: int) -> str:
    """Return the system of a text: the name of its column, or that over it, without "output"."""
    name, group = table.names[at], table.groups[at]
    return _bare(name) or _bare(group) or name or group or letters(at)


def _bare(name: str) -> str:
    if "." in name and " " not in name:  # Of nested objects: systems.BART.text.
        about = {"output", "text", "system", "value"}
        left = [part for part in name.split(".") if not concepts(part) & about]
        name = ".".join(left) or name
    words = [
        word for word in name.replace("_", " ").split() if not concepts(word) & {"output", "text"}
    ]
    while words and lexicon_plain_name(words[0]) in _BETWEEN:
        words = words[1:]
    return " ".join(words).strip(" -:/")


def _words(name: str) -> list[str]:
    return lexicon_plain_name(name).split()


def _by_name(table: Table, outputs: Sequence[int], values: Sequence[int]) -> dict[int, int] | None:
    owners: dict[int, int] = {}
    systems = {at: _words(_system(table, at)) for at in outputs}
    for place in values:
        whole = [*_words(table.groups[place]), *_words(table.names[place])]
        matches = [at for at, words in systems.items() if words and _has(whole, words)]
        if len(matches) > 1:
            longest = max(len(systems[at]) for at in matches)
            matches = [at for at in matches if len(systems[at]) == longest]
        if len(matches) != 1:
            return None
        owners[place] = matches[0]
    return owners if _even(owners, outputs) else None


def _has(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[at : at + len(part)]) == list(part) for at in range(len(words)))


def _even(owners: dict[int, int], outputs: Sequence[int]) -> bool:
    counts = [sum(owner == at for owner in owners.values()) for at in outputs]
    return len(set(counts)) == 1 and counts[0] > 0


def _by_place(table: Table, outputs: Sequence[int], values: Sequence[int]) -> dict[int, int] | None:
    """Match values with the text before them, where all texts are followed by the same ones."""
    ordered = sorted(outputs)
    owners: dict[int, int] = {}
    for place in values:
        before = [at for at in ordered if at < place]
        if not before:
            return None
        owners[place] = before[-1]
    if not _even(owners, outputs):
        return None
    stems = [
        [_stem(table.names[place]) for place in sorted(values) if owners[place] == at]
        for at in ordered
    ]
    return owners if all(one == stems[0] for one in stems) else None


def _stem(name: str) -> str:
    return " ".join(word for word in _words(name.partition(".")[0]) if not word.isdigit())


def _above(table: Table, place: int, at: int) -> str:
    """Return what stands over the name of a value, without the system of its text."""
    system = set(_words(_system(table, at)))
    words = table.groups[place].replace("/", " ").split()
    return " ".join(word for word in words if not _words(word) or not set(_words(word)) <= system)


def _rest(table: Table, place: int, at: int) -> str:
    """Return the name of a value without the system of its text."""
    system = set(_words(_system(table, at)))
    name = table.names[place]
    if "." in name and " " not in name and not name.rpartition(".")[2].isdigit():
        # Of nested objects: systems.BART.ratings.u1.
        parts = [part for part in name.split(".") if not set(_words(part)) <= system]
        about = {"output", "text", "system", "value"}
        return " ".join([part for part in parts if not concepts(part) & about] or parts)
    own = _END.search(table.names[at])
    if own and name.endswith(own[0]):
        name = name[: -len(own[0])].rstrip(" _-.")  # meaning1 beside sys1
    elif name.rpartition(".")[2].isdigit():
        name = name.rpartition(".")[0]  # As pandas writes a name that is there already.
    words = re.sub(r"_|(?<![0-9])-|-(?![0-9])", " ", name).split()
    bare = [word for word in words if not set(_words(word)) <= system]
    left = " ".join(bare).strip()
    if _words(left) and _words(left)[-1].isdigit() and not system & {_words(left)[-1]}:
        return left
    return left or table.groups[place]


def splitting(table: Table, places: Sequence[int]) -> tuple[int, str] | None:
    """Return a column of paraphrases whose cells mostly hold several, and the sign between them."""
    for at in places:
        cells = cells_of(table, at)
        for sign in ("\n", "|", ";", " / "):
            several = [parts_of(cell, sign) for cell in cells]
            if len(cells) > 1 and sum(len(parts) > 1 for parts in several) > len(cells) / 2:
                return at, sign
    return None
