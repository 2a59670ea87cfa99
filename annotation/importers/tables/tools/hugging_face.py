"""Data sets as Hugging Face's datasets writes them: folders of `save_to_disk`, Parquet with class
labels, JSON Lines with a card, and lists or objects inside a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

import yaml

from annotation.importers.tables.books import Book, Cell, Coded
from annotation.importers.tables.names import roles_named
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    Answered,
    Tool,
    ToolTable,
    leaves,
    like_remark,
    like_scale,
    plain,
    records_of,
)
from annotation.importers.tables.tools.common.zipped import coded, labels_of
from paraanno.common.texts import Sentence, say

NAME = "Hugging Face datasets"
DATA = (".arrow", ".parquet", ".jsonl", ".json", ".csv")
INFO, CARD = "dataset_info.json", "README.md"
KINDS = ("parquet", "arrow", "jsonl", "json")
MOST_CARD = 1 << 20
SAMPLE = 500
Labels = Mapping[str, Sequence[str]]


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of a data set; None for another file, or a table as any other."""
    if book.kind == "zip":
        labels = _of_card(book)
        sheets = [
            one
            for one in book.sheets
            if PurePosixPath(one).suffix in DATA
            and PurePosixPath(one).name not in (INFO, "state.json", "dataset_dict.json")
        ]
        saved = any(PurePosixPath(one).name == INFO for one in book.sheets)
        if not sheets or not (saved or labels is not None):
            return None
        sheets = [one for one in sheets if one.endswith(".arrow")] if saved else sheets
    elif book.kind in KINDS:
        labels, sheets = {}, list(book.sheets[:1])
        if not _says_more(book, sheets[0]) or _counts_otherwise(book, sheets[0]):
            return None
    else:
        return None
    return _table(book, sheets, labels or {}, what, scales)


def _says_more(book: Book, sheet: str) -> bool:
    """Whether rows hold what a plain table does not: classes with names, or judgments inside."""
    for _, row in islice(records_of(book, sheet), SAMPLE):
        if any(isinstance(value, Coded) or _is_outputs(value) for value in row.values()):
            return True
        if any(person for person, _, _, _ in _rows_in(row)):
            listed = [one for one in row.values() if isinstance(one, list | dict) and one]
            if listed and any(answers for _, _, answers, _ in _rows_in(row)):
                return True
    return False


def _counts_otherwise(book: Book, sheet: str) -> bool:
    """Whether objects in objects hold numbers, and nothing here is an answer of anybody: a table of
    somebody's own, in which people may be keys."""
    rows = [row for _, row in islice(records_of(book, sheet), SAMPLE)]
    deep = any(
        isinstance(leaf, int | float) and not isinstance(leaf, bool)
        for row in rows
        for value in row.values()
        if isinstance(value, Mapping)
        for name, leaf in leaves(value).items()
        if "." in name or len(value) < len(leaves(value))
    )
    return deep and not any(answers for row in rows for _, _, answers, _ in _rows_in(row))


def _is_outputs(value: object) -> bool:
    """Whether an object holds texts by name, as of systems."""
    return (
        isinstance(value, Mapping)
        and len(value) > 1
        and all(isinstance(text, str) and " " in text for text in value.values())
    )


def _of_card(book: Book) -> Labels | None:
    """Return the names of the classes from the card of a repository; None without a card."""
    for sheet in book.sheets:
        if PurePosixPath(sheet).name != CARD:
            continue
        text = "".join(str(cells[0]) for _, cells in islice(book.rows(sheet), 1, 2))
        if not text.startswith("---") or len(text) > MOST_CARD:
            return None
        try:
            head = yaml.safe_load(text.split("---", 2)[1])
        except (yaml.YAMLError, ValueError, RecursionError, IndexError):
            return None
        return _features(head) if isinstance(head, Mapping) else None
    return None


def _features(head: Mapping[str, Any]) -> Labels | None:
    info = head.get("dataset_info")
    infos = info if isinstance(info, list) else [info]
    features: dict[str, object] = {}
    for one in infos:
        listed = one.get("features") if isinstance(one, Mapping) else None
        for feature in listed if isinstance(listed, list) else []:
            if not isinstance(feature, Mapping):
                continue
            kind = feature.get("dtype")
            label = kind.get("class_label") if isinstance(kind, Mapping) else None
            names = label.get("names") if isinstance(label, Mapping) else None
            if isinstance(names, Mapping):
                numbered = {int(key): names[key] for key in names if str(key).isdecimal()}
                names = [numbered[at] for at in sorted(numbered)]
            features[str(feature.get("name"))] = {"names": names}
    return labels_of(features) if info is not None else None


def _table(
    book: Book, sheets: Sequence[str], labels: Labels, what: str | None, scales: Sequence[str]
) -> ToolTable:
    def rows() -> Iterator[tuple[int, dict[str, Any]]]:
        for sheet in sheets:
            for line, row in records_of(book, sheet):
                yield line, {name: coded(value, labels.get(name)) for name, value in row.items()}

    def records() -> Iterator[Answered]:
        for line, row in rows():
            for person, data, answers, comment in _together(_rows_in(row)):
                yield Answered(line, leaves(data), person, answers, comment, _time(row))

    tool = Tool(NAME, left_out=tuple(_splits(book, sheets)))
    return table_of_answers(tool, records, what, scales)


def _splits(book: Book, sheets: Sequence[str]) -> Iterator[tuple[Sentence, Sentence]]:
    if len(sheets) > 1:
        yield (
            say(
                "names of splits (%(names)s)",
                names=", ".join(str(PurePosixPath(one).parent.name) for one in sheets),
            ),
            say("all are read as one data set"),
        )


def _time(row: Mapping[str, Any]) -> str:
    name = next((one for one in row if roles_named(one)[:1] == ("judged_at",)), "")
    value = row.get(name)
    return value if isinstance(value, str) and value[:4].isdigit() and "-" in value else ""


Part = tuple[str, dict[str, Any], dict[str, Cell], str]  # person, fields, answers, remark


def _rows_in(row: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the judgments of a row: itself, those of objects in its lists, or of parallel lists."""
    row = _lists_apart(row)
    lists = {name: value for name, value in row.items() if isinstance(value, list)}
    inner = [
        name
        for name, value in lists.items()
        if value and all(isinstance(one, Mapping) for one in value)
    ]
    if inner:
        shared = {name: value for name, value in row.items() if name not in inner}
        for name in inner:
            for one in lists[name]:
                yield from _rows_in({**shared, **one})
        return
    outer = _outer(lists)
    if outer:
        shared = {name: value for name, value in row.items() if name not in outer}
        for at in range(len(lists[outer[0]])):
            yield from _rows_in({**shared, **{name: lists[name][at] for name in outer}})
        return
    length = next((len(value) for name, value in lists.items() if _is_person(name)), 0)
    beside = [
        name
        for name, value in lists.items()
        if len(value) == length > 0
        and (_is_person(name) or _is_answer(name, value[0]) or _is(name, "value"))
    ]
    if length and len(beside) > 1:
        shared = {name: value for name, value in row.items() if name not in beside}
        for at in range(length):
            yield from _rows_in({**shared, **{name: lists[name][at] for name in beside}})
        return
    yield _plain_row(row)


def _outer(lists: Mapping[str, list[Any]]) -> list[str]:
    """Return the lists with an entry for each text, one of which has lists with an entry for each
    person; none where there are no such."""
    people = next((len(value) for name, value in lists.items() if _is_person(name)), 0)
    for one in lists.values():
        if one and all(isinstance(part, list) and len(part) == people > 0 for part in one):
            return [
                name
                for name, value in lists.items()
                if len(value) == len(one) and not _is_person(name)
            ]
    return []


def _together(parts: Iterator[Part]) -> list[Part]:
    """Return the judgments with those of one person about one text in one, where each has a scale
    of its own."""
    merged: list[Part] = []
    for person, data, answers, comment in parts:
        for one in merged:
            if one[0] == person and one[1] == data and not one[2].keys() & answers.keys():
                one[2].update(answers)
                break
        else:
            merged.append((person, data, answers, comment))
    return merged


def _lists_apart(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row with the lists of an object of parallel lists (a `Sequence` of objects) beside
    its other fields, if one of them names people."""
    for name, value in row.items():
        if (
            isinstance(value, Mapping)
            and len(value) > 1
            and all(isinstance(one, list) for one in value.values())
            and len({len(one) for one in value.values()}) == 1
            and any(map(_is_person, value))
        ):
            return {**{other: one for other, one in row.items() if other != name}, **value}
    return row


def _plain_row(row: Mapping[str, Any]) -> Part:
    person, comment = "", ""
    data: dict[str, Any] = {}
    answers: dict[str, Cell] = {}
    named = any(map(_is_person, row))
    scale = next((name for name in row if named and _is(name, "scale")), None)
    for name, value in row.items():
        if _is_person(name) and not person:
            person = str(value.label if isinstance(value, Coded) else value or "")
        elif like_remark(name):
            comment = str(value or "")
        elif named and _is(name, "value") and _is_number(value):
            answers[name if scale is None else str(row[scale])] = plain(value)
        elif _is_answer(name, value):
            answers[name] = plain(value)
        elif name == scale:
            continue
        elif roles_named(name)[:1] != ("judged_at",):
            data[name] = value
    return person, data, answers, comment


def _is_person(name: str) -> bool:
    return any(roles_named(one)[:1] == ("annotator",) for one in (name, name.removesuffix("s")))


def _is(name: str, role: str) -> bool:
    return any(roles_named(one)[:1] == (role,) for one in (name, name.removesuffix("s")))


def _is_number(value: object) -> bool:
    return isinstance(value, Coded | int | float) or value is None


def _is_answer(name: str, value: object) -> bool:
    return _is_number(value) and (
        like_scale(name) or (isinstance(value, Coded) and not roles_named(name))
    )
