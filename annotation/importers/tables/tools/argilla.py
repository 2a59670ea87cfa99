"""Records of Argilla (2): nested as `to_json` writes them, or flat with lists side by side.

The nested form has no status of responses, so that drafts and discarded ones look submitted.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    DISCARDED,
    DRAFT,
    Answered,
    Tool,
    ToolTable,
    flat,
    leaves,
    names_of,
    plain,
    records_of,
)
from paraanno.common.texts import Sentence, say

NAME = "Argilla"
NESTED = {"fields", "responses"}
USERS, STATUS, RESPONSES, SUGGESTION = (
    ".responses.users",
    ".responses.status",
    ".responses",
    (".suggestion"),
)
OWN = ("status", "_server_id", "vectors")
WHY = {"draft": DRAFT, "discarded": DISCARDED}
SAMPLE = 500
_ARRAY = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s\[\],]+)")
_NO_STATUS = say(
    "the file does not say which responses were handed in: drafts and discarded ones look like the "
    "others; export the records with their status (to_list or to_dict with flatten=True), or "
    "confirm that all were handed in"
)


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of records of Argilla; None for another file."""
    for sheet in book.sheets:
        names = names_of(book, sheet)
        if names >= NESTED:
            read = _nested
        elif any(name.endswith(USERS) for name in names):
            read = _flat
        else:
            continue
        return _table(book, sheet, read, what, scales)
    return None


def _table(book: Book, sheet: str, read: Any, what: str | None, scales: Sequence[str]) -> ToolTable:
    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            data, responses = read(row)
            if not responses:
                yield Answered(line, data)
            for user, (answers, status) in responses.items():
                yield Answered(line, data, user, answers, why=WHY.get(status))

    rows = [row for _, row in islice(records_of(book, sheet), SAMPLE)]
    unsure = any(status == "" for row in rows for _, (_, status) in read(row)[1].items())
    tool = Tool(
        NAME,
        left_out=tuple(_suggestions(rows)),
        asks=(_NO_STATUS,) if unsure else (),
        no_texts=say("the file holds no texts: export the records with their fields"),
    )
    return table_of_answers(tool, records, what, scales)


Responses = dict[str, tuple[dict[str, Cell], str]]  # by user: answers, status


def _nested(row: Mapping[str, Any]) -> tuple[dict[str, Cell], Responses]:
    data = {"id": plain(row.get("id")), **flat(row.get("fields")), **leaves(row.get("metadata"))}
    responses: Responses = {}
    given = row.get("responses")
    if isinstance(given, list):  # of version 1: a response of each person, with its status
        for one in given:
            values = one.get("values") if isinstance(one, Mapping) else None
            for question, value in values.items() if isinstance(values, Mapping) else ():
                user, status = str(one.get("user_id") or ""), str(one.get("status") or "")
                answer = value.get("value") if isinstance(value, Mapping) else value
                _add(responses, user, question, answer, status)
    for question, listed in given.items() if isinstance(given, Mapping) else ():
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, Mapping):
                user = str(one.get("user_id") or "")
                _add(responses, user, question, one.get("value"), str(one.get("status") or ""))
    return data, responses


def _flat(row: Mapping[str, Any]) -> tuple[dict[str, Cell], Responses]:
    questions = [name.removesuffix(USERS) for name in row if name.endswith(USERS)]
    data: dict[str, Cell] = {}
    for name, value in row.items():
        of = next((one for one in questions if name.startswith(f"{one}.")), None)
        if of is None and name not in OWN and SUGGESTION not in name and RESPONSES not in name:
            data |= flat({name: value})
    responses: Responses = {}
    for question in questions:
        values, users, statuses = (
            _listed(row.get(question + end)) for end in (RESPONSES, USERS, STATUS)
        )
        for at, (value, user) in enumerate(zip(values, users, strict=False)):
            status = str(statuses[at]) if at < len(statuses) else ""
            _add(responses, str(user), question, value, status)
    return data, responses


def _add(responses: Responses, user: str, question: str, value: object, status: str) -> None:
    answers, before = responses.setdefault(user, ({}, status))
    answers[question] = plain(value)
    # One answer that is a draft makes the response one.
    responses[user] = (answers, status if status in WHY else before)


def _listed(given: object) -> list[Any]:
    """Return the entries of a list, also of one that was printed into a CSV: [3 4 5]."""
    if isinstance(given, list):
        return given
    if not isinstance(given, str):
        return [] if given is None else [given]
    for read in (json.loads, ast.literal_eval):
        try:
            value = read(given)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        # Neighbouring texts without a comma are one text to Python.
        if isinstance(value, list) and given.count("'") <= 2 * len(value):
            return value
    if not given.startswith("["):
        return [given]
    return [one[0] or one[1] or one[2] for one in _ARRAY.findall(given[1:].removesuffix("]"))]


def _suggestions(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Sentence, Sentence]]:
    why = say("suggestions of a model are no answers of people")
    names = {
        name for row in rows for name in row if name.endswith(SUGGESTION) and row[name] is not None
    }
    for row in rows:
        given = row.get("suggestions")
        names |= {f"{name}{SUGGESTION}" for name in given} if isinstance(given, Mapping) else set()
    for name in sorted(names):
        yield say("%(name)s", name=name), why
