"""Exports of doccano (1.8): a zip with a file for each user, who is named by that file alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    Answered,
    Tool,
    ToolTable,
    flat,
    names_of,
    plain,
    records_of,
)
from paraanno.common.texts import Sentence, say

NAME = "doccano"
OWN = ("id", "label", "Comments", "labels", "entities", "cats")
SHARED = "all"  # the file of a project in which all annotate the same copy
SAMPLE = 500
LABEL = re.compile(r"(.*?)[\s_:=\-]*(?<![0-9])([0-9]{1,3}(?:/[0-9]{1,3})?)", re.DOTALL)
_ID = say("the tool's number of the text")


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of an export of doccano; None for another file."""
    names = {sheet: names_of(book, sheet) for sheet in book.sheets}
    sheets = [sheet for sheet in book.sheets if _is_export(names[sheet], book.kind)]
    # The file of an administrator may be empty; any other file is of another folder.
    others = [sheet for sheet in book.sheets if names[sheet] and sheet not in sheets]
    if not sheets or (book.kind == "zip" and (others or not _same_folder(sheets))):
        return None
    users = {sheet: _user(sheet or book.name) for sheet in sheets}
    sample = {
        sheet: [row for _, row in islice(records_of(book, sheet), SAMPLE)] for sheet in sheets
    }
    labels = [label for rows in sample.values() for row in rows for label in _labels(row)]
    if any(isinstance(label, list | Mapping) for label in labels):
        return _marked(book, sheets, what, scales)
    texts = [str(row.get("text") or "") for rows in sample.values() for row in rows]
    if _are_sentences([str(label) for label in labels], texts):
        return _written(book, sheets, users, what, scales)
    empty = [sheet for sheet in sheets if not any(_labels(row) for row in sample[sheet])]

    def records() -> Iterator[Answered]:
        for sheet in sheets:
            user = "" if users[sheet] == SHARED or sheet in empty else users[sheet]
            for line, row in records_of(book, sheet):
                yield Answered(line, _data(row), user, answers_of(_labels(row)), _comment(row))

    left = tuple(
        (say("%(name)s", name=users[sheet]), say("an empty file: this user labelled nothing"))
        for sheet in empty
        if len(sheets) > 1
    )
    tool = Tool(NAME, set_aside={"id": _ID}, left_out=left, asks=tuple(_asks(book, users)))
    return table_of_answers(tool, records, what, scales)


def _are_sentences(labels: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether labels are texts that people wrote: hardly any recurs, and they are about as long as
    the texts beside them."""
    if not labels or any(LABEL.fullmatch(label) for label in labels):
        return False
    length = sum(map(len, labels)) / len(labels)
    beside = sum(map(len, texts)) / max(1, len(texts))
    return len(set(labels)) > 0.8 * len(labels) and length > max(12, beside / 3)


def _is_export(names: set[str], kind: str) -> bool:
    sure = {"id", "text", "label", "Comments"} <= names
    return sure or (kind == "zip" and {"id", "text", "label"} <= names)


def _same_folder(sheets: Sequence[str]) -> bool:
    return len({str(PurePosixPath(sheet).parent) for sheet in sheets}) == 1


def _user(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).stem


def _asks(book: Book, users: Mapping[str, str]) -> Iterator[Sentence]:
    if book.kind != "zip" and SHARED not in users.values():
        [user] = users.values()
        yield say(
            "whose labels are these? doccano says it only in the name of the file: %(name)s",
            name=user,
        )


def _labels(row: Mapping[str, Any]) -> list[Any]:
    given = row.get("label", row.get("labels"))
    if isinstance(given, list):
        return given
    if given is None or given == "":
        return []
    return str(given).split("#")


def answers_of(labels: Sequence[Any], bare: str = "label") -> dict[str, Cell]:
    """Return the answers by scale: MEANING 4, grammar-3; `bare` names what says no scale."""
    values: dict[str, list[str]] = {}
    for label in map(str, labels):
        match = LABEL.fullmatch(label.strip())
        name, value = (match[1] or "", match[2]) if match else ("", label)
        values.setdefault(name.rstrip(" _:=-") or bare, []).append(value)
    return {name: one[0] if len(one) == 1 else " | ".join(one) for name, one in values.items()}


def _data(row: Mapping[str, Any]) -> dict[str, Cell]:
    return {
        "id": plain(row.get("id")),
        **flat({name: value for name, value in row.items() if name not in OWN}),
    }


def _comment(row: Mapping[str, Any]) -> str:
    given = row.get("Comments")
    texts = given if isinstance(given, list) else [] if given is None else [given]
    return "\n".join(
        str(one.get("comment", "")) if isinstance(one, Mapping) else str(one) for one in texts
    )


def _written(
    book: Book,
    sheets: Sequence[str],
    users: Mapping[str, str],
    what: str | None,
    scales: Sequence[str],
) -> ToolTable:
    """Read a project in which people wrote paraphrases: each user's are those of one system, where
    a zip says who they are."""

    def records() -> Iterator[Answered]:
        for sheet in sheets:
            user = users[sheet]
            for line, row in records_of(book, sheet):
                given = row.get("label")
                texts = given if isinstance(given, list) else [given]
                data = _data(row)
                for rank, text in enumerate(texts, 1):
                    named = text and user != SHARED and book.kind == "zip"
                    system: dict[str, Cell] = {"system": user, "rank": rank} if named else {}
                    yield Answered(line, {**data, "paraphrase": plain(text) or None, **system})

    roles = {"text": "sentence", "paraphrase": "paraphrase", "system": "system", "rank": "rank"}
    tool = Tool(NAME, set_aside={"id": _ID}, roles=roles)
    return table_of_answers(tool, records, what, scales)


def _marked(
    book: Book, sheets: Sequence[str], what: str | None, scales: Sequence[str]
) -> ToolTable:
    """Read the texts of a project in which spans were marked; these are no judgments."""

    def records() -> Iterator[Answered]:
        for sheet in sheets:
            for line, row in records_of(book, sheet):
                yield Answered(line, _data(row))

    why = say("marked spans are no judgments of the text")
    tool = Tool(NAME, set_aside={"id": _ID}, left_out=((say("%(name)s", name="label"), why),))
    table = table_of_answers(tool, records, what, scales)
    refusal = say(
        "the labels are marked spans, which are no judgments of a text: import the texts "
        "as items, and judge them here"
    )
    return replace(table, refused=refusal) if what == "judgments" else table
