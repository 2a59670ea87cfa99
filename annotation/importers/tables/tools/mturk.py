"""Results of Amazon Mechanical Turk: `Input.*` and `Answer.*`, a row an assignment."""

from __future__ import annotations

import ast
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    REJECTED,
    Answered,
    Tool,
    ToolTable,
    leaves,
    names_of,
    plain,
    records_of,
)
from paraanno.common.texts import say

NAME = "MTurk"
INPUT, ANSWER = "Input.", "Answer."
MOST_NAMED = 3  # columns of assignments in the ledger
TRUE, FALSE = ("true", "on"), ("false", "off")


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of a batch's results; None for another file."""
    for sheet in book.sheets:
        names = names_of(book, sheet)
        answers = any(name.startswith(ANSWER) for name in names)
        if answers and ("WorkerId" in names or any(name.startswith(INPUT) for name in names)):
            return _table(book, sheet, names, what, scales)
    return None


def _table(
    book: Book, sheet: str, names: set[str], what: str | None, scales: Sequence[str]
) -> ToolTable:
    own = sorted(one for one in names if one and not one.startswith((INPUT, ANSWER)))

    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            data = _of(row, INPUT)
            status = str(row.get("AssignmentStatus") or "").strip().casefold()
            rejected = status == "rejected" or (not status and _is_marked(row.get("Reject")))
            yield from _parts(
                Answered(
                    line,
                    leaves(data),
                    str(row.get("WorkerId") or ""),
                    _answers(_of(row, ANSWER)),
                    why=REJECTED if rejected else None,
                ),
                data,
            )

    shown = ", ".join(own[:MOST_NAMED])
    many = say("%(names)s and %(n)s more", names=shown, n=len(own) - MOST_NAMED)
    piece = many if len(own) > MOST_NAMED else say("%(names)s", names=shown)
    left = ((piece, say("columns of assignments, not of texts")),)
    tool = Tool(
        NAME,
        left_out=left if own else (),
        no_texts=say(
            "the file holds no texts: keep the columns Input.* of the batch, or join the batch's "
            "input to its results"
        ),
    )
    return table_of_answers(tool, records, what, scales)


def _is_marked(cell: object) -> bool:
    return isinstance(cell, str) and cell.strip().casefold() in ("x", "true")


def _of(row: Mapping[str, Any], start: str) -> dict[str, Any]:
    return {
        name.removeprefix(start): _opened(value)
        for name, value in row.items()
        if name.startswith(start)
    }


def _opened(value: Any) -> Any:
    """Return what a cell holds: a text without HTML's entities, or the list that Python printed."""
    if not isinstance(value, str):
        return value
    text = html.unescape(value)
    if text[:1] in ("[", "{") and text[-1:] in ("]", "}"):
        for read in (json.loads, ast.literal_eval):
            try:
                opened = read(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(opened, list | dict):
                return opened
    return text


def _parts(one: Answered, data: Mapping[str, Any]) -> Iterator[Answered]:
    """Yield the answers to each of several texts that stand in lists of one length."""
    lists = {name: value for name, value in data.items() if isinstance(value, list)}
    lengths = {len(value) for value in lists.values()}
    if not lists or len(lengths) != 1 or lengths == {1}:
        yield one
        return
    fields = {
        name if at is None else f"{name}_{at + 1}": plain(value if at is None else value[at])
        for name, value in data.items()
        for at in (range(len(value)) if name in lists else (None,))
    }
    yield Answered(
        one.line, fields, one.annotator, one.answers, one.comment, one.judged_at, one.why
    )


def _answers(given: Mapping[str, Any]) -> dict[str, Cell]:
    """Return the answers by question; the options of one are columns that are true or false."""
    answers: dict[str, Cell] = {}
    ticked: dict[str, list[str]] = {}
    for name, value in given.items():
        text = str(value).strip().casefold()
        question, _, option = name.rpartition(".")
        if name == "taskAnswers":
            answers |= _task_answers(value)
        elif question and (value is True or value is False or text in (*TRUE, *FALSE)):
            ticked.setdefault(question, [])
            if value is True or text in TRUE:
                ticked[question].append(option)
        elif question and option == "label":
            answers[question] = plain(value)
        else:
            answers[name] = plain(value)
    for question, options in ticked.items():
        answers[question] = options[0] if len(options) == 1 else " | ".join(options) or None
    return answers


def _task_answers(given: object) -> dict[str, Cell]:
    """Return the answers of the column in which Crowd elements write them as JSON."""
    answers: dict[str, Cell] = {}
    parts = given if isinstance(given, list) else [given]
    for part in parts:
        for question, value in part.items() if isinstance(part, Mapping) else ():
            if isinstance(value, Mapping):
                if "label" in value:
                    answers[str(question)] = plain(value["label"])
                    continue
                options = [str(name) for name, on in value.items() if on is True]
                answers[str(question)] = " | ".join(options) or None
            else:
                answers[str(question)] = plain(value)
    return answers
