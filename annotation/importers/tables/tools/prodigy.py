"""Data of Prodigy (JSON Lines of `db-out`): a row an answer, with accept, reject or ignore."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from annotation.importers.tables.books import Book, Cell
from annotation.importers.tables.proving.legends import directions
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    SKIPPED,
    Answered,
    Tool,
    ToolTable,
    leaves,
    like_remark,
    like_scale,
    names_of,
    plain,
    records_of,
)
from annotation.importers.tables.tools.doccano import answers_of
from paraanno.common.texts import say

NAME = "Prodigy"
ACCEPT, RATING = "accept", "rating"  # what a choice is called, and one among points
SIGNS = {"answer", "_task_hash"}
OWN = (
    "answer",
    "accept",
    "options",
    "tokens",
    "spans",
    "config",
    "label",
    "score",
    "priority",
    "html",
    "image",
    "versions",
    "sessions",
)
SAMPLE = 500
REJECT = say("rejected in the tool: that says nothing on a scale")
WHY = {"ignore": SKIPPED, "reject": REJECT}


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of data of Prodigy; None for another file."""
    for sheet in book.sheets:
        if names_of(book, sheet) >= SIGNS:
            return _table(book, sheet, what, scales)
    return None


def _table(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable:
    rows = [row for _, row in islice(records_of(book, sheet), SAMPLE)]
    points = _points(rows)
    people = {_person(row) for row in rows} - {""}
    # "data-ana" and "data-ben": the name of the data set stands before each.
    before = {person.rpartition("-")[0] for person in people}
    start = len(before.pop()) + 1 if len(people) > 1 and len(before) == 1 and all(before) else 0

    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            answers = _answers(row, RATING if points else ACCEPT)
            data = _data(row, answers)
            if not data and isinstance(row.get("html"), str):
                data["html"] = row["html"]
            yield Answered(
                line, data, _person(row)[start:], answers, why=WHY.get(str(row.get("answer")))
            )

    marked = any(row.get("spans") for row in rows) and not any(row.get("accept") for row in rows)
    why = say("marked spans are no judgments of the text")
    tool = Tool(
        NAME,
        left_out=((say("%(name)s", name="spans"), why),) if marked else (),
        no_texts=say("the file holds no texts: export the data with db-out"),
    )
    table = table_of_answers(tool, records, what, scales)
    if points:
        table = replace(table, legends={RATING: f"{min(points)}-{max(points)}"})
        legend = "; ".join(f"{point} = {text}" for point, text in points.items() if text)
        table = replace(table, asks=(*table.asks, *directions([legend])))
    if what == "judgments" and not any(_answers(row) for row in rows):
        return replace(
            table,
            refused=say(
                "accept and reject, or marked spans, are no points on a scale: import the texts as "
                "items, and judge them here"
            ),
        )
    return table


def _points(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """Return the options of a choice that are the points of a scale, the same for all texts, with
    what they are called; {} for others."""
    listed = {
        tuple(
            (str(one.get("id")), str(one.get("text") or ""))
            for one in row.get("options") or []
            if isinstance(one, Mapping)
        )
        for row in rows
    }
    options = listed.pop() if len(listed) == 1 else ()
    whole = all(point.isdigit() and len(point) < 4 for point, _ in options)
    points = {int(point): text.lstrip(f"{point} -–:=.") for point, text in options if whole}
    rising = [*points] == [*range(min(points, default=0), max(points, default=0) + 1)]
    return points if rising and len(points) > 2 else {}


def _person(row: Mapping[str, Any]) -> str:
    return str(row.get("_annotator_id") or row.get("_session_id") or "")


def _answers(row: Mapping[str, Any], bare: str = ACCEPT) -> dict[str, Cell]:
    """Return what was chosen, and what fields of the interface hold that are called like scales."""
    accept = row.get("accept")
    answers = answers_of(accept if isinstance(accept, list) else [], bare)
    for name, value in row.items():
        if not name.startswith("_") and name not in OWN and name != "meta" and _is_answer(name):
            answers[name] = plain(value)
    return answers


def _is_answer(name: str) -> bool:
    return like_scale(name) or like_remark(name)


def _data(row: Mapping[str, Any], answers: Mapping[str, Cell]) -> dict[str, Cell]:
    fields = {
        name: value
        for name, value in row.items()
        if not name.startswith("_") and name not in OWN and name not in answers
    }
    return leaves(fields)
