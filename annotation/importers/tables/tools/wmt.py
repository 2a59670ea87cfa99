"""Files of shared tasks of translation: Appraise's scores, MQM, and folders of mt-metrics-eval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath

from annotation.importers.tables.books import Book, Cell, TableError
from annotation.importers.tables.tools.common.answer_tables import table_of_answers
from annotation.importers.tables.tools.common.answers import (
    Answered,
    Tool,
    ToolTable,
    names_of,
    records_of,
)
from paraanno.common.cells import read_number
from paraanno.common.texts import say

MQM = {"system", "rater", "source", "target", "category", "severity"}
TYPES = ("TGT", "BAD", "REF", "CHK")
_MARK = re.compile(r"</?v>")
_BLANK = re.compile(r"[,\t ]+")
MOST_LINES = 5


def recognise(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Return the plain table of such a file or folder; None for another one."""
    if book.kind == "zip":
        return _folder(book, what, scales)
    sheet = book.sheets[0]
    if names_of(book, sheet) >= MQM:
        return _errors(book, sheet, what, scales)
    return _scores(book, sheet, what, scales)


def _errors(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable:
    """Read the texts of a file of MQM, which has a row for each error."""

    def records() -> Iterator[Answered]:
        for line, row in records_of(book, sheet):
            yield Answered(
                line,
                {
                    "source": _text(row.get("source")),
                    "target": _text(row.get("target")),
                    "system": row.get("system"),
                },
            )

    roles = {"source": "sentence", "target": "paraphrase", "system": "system"}
    why = say("marked errors are no points on a scale")
    tool = Tool("MQM", roles=roles, left_out=((say("%(name)s", name="category, severity"), why),))
    table = table_of_answers(tool, records, what, scales)
    refusal = say(
        "the file has a row for each error and no points: make one score of the errors for each "
        "text and rater, and import those; the texts can be imported as items"
    )
    return replace(table, refused=refusal) if what == "judgments" else table


def _text(value: object) -> Cell:
    return _MARK.sub("", value) if isinstance(value, str) else None


def _scores(book: Book, sheet: str, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Refuse the scores of Appraise, which name segments and hold no texts."""
    try:
        rows = [cells for _, cells in islice(book.rows(sheet), MOST_LINES)]
    except TableError:
        return None
    lines = [_cells(cells) for cells in rows]
    typed = [one for one in lines if any(cell in TYPES for cell in one)]
    if not typed or len(typed) < len(lines) - 1:
        return None
    if any(sum(len(cell.split()) > 2 for cell in one) for one in typed):
        return None  # with texts: a table as any other
    if not all(
        len(one) >= 6 and sum(read_number(cell) is not None for cell in one) for one in typed
    ):
        return None

    def records() -> Iterator[Answered]:
        return iter(())

    tool = Tool(
        "Appraise",
        no_texts=say(
            "the file holds scores of numbered segments and no texts: join it to the texts by "
            "system and segment, and leave out the rows of tutorials and controls (BAD, CHK)"
        ),
    )
    return table_of_answers(tool, records, what, scales)


def _cells(cells: Sequence[Cell]) -> list[str]:
    texts = ["" if cell is None else str(cell).strip() for cell in cells]
    filled = [text for text in texts if text]
    return _BLANK.split(filled[0]) if len(filled) == 1 else texts


def _folder(book: Book, what: str | None, scales: Sequence[str]) -> ToolTable | None:
    """Read the lines of sources, references and outputs of a test set of mt-metrics-eval."""
    parts = [PurePosixPath(one).parts for one in book.sheets]
    outputs = [
        (sheet, part)
        for sheet, part in zip(book.sheets, parts, strict=True)
        if "system-outputs" in part and sheet.endswith(".txt")
    ]
    if not outputs:
        return None
    pairs = sorted({part[-2] for _, part in outputs})
    texts = {sheet: _lines(book, sheet) for sheet in book.sheets if sheet.endswith(".txt")}

    def records() -> Iterator[Answered]:
        for pair in pairs:
            sources = _of(texts, "sources", f"{pair}.txt")
            if sources is None:
                continue
            references = {
                PurePosixPath(sheet).name[len(pair) + 1 : -4]: lines
                for sheet, lines in texts.items()
                if "references" in PurePosixPath(sheet).parts
                and PurePosixPath(sheet).name.startswith(f"{pair}.")
            }
            for sheet, part in outputs:
                if part[-2] != pair:
                    continue
                for line, text in texts[sheet].items():
                    given = {f"reference.{name}": one.get(line) for name, one in references.items()}
                    yield Answered(
                        line,
                        {
                            "source": sources.get(line),
                            "output": text,
                            "system": PurePosixPath(sheet).stem,
                            **given,
                        },
                    )

    names = {
        name
        for sheet in texts
        if "references" in sheet
        for name in [PurePosixPath(sheet).name.split(".", 1)[-1][:-4]]
    }
    roles = {"source": "sentence", "output": "paraphrase", "system": "system"} | {
        f"reference.{name}": "reference" for name in names
    }
    scored = [sheet for sheet in book.sheets if "human-scores" in sheet]
    why = say("scores of segments do not say who judged")
    tool = Tool(
        "mt-metrics-eval",
        roles=roles,
        left_out=tuple((say("%(name)s", name=sheet), why) for sheet in scored),
        no_texts=say("the folder has no sources: put them into the zip"),
    )
    table = table_of_answers(tool, records, what, scales)
    refusal = say(
        "the scores of the folder do not say who judged: import the texts as items, and the "
        "ratings of each rater as a table with texts and annotators"
    )
    return replace(table, refused=refusal) if what == "judgments" else table


def _of(texts: dict[str, dict[int, Cell]], folder: str, name: str) -> dict[int, Cell] | None:
    for sheet, lines in texts.items():
        path = PurePosixPath(sheet)
        if path.name == name and folder in path.parts:
            return lines
    return None


def _lines(book: Book, sheet: str) -> dict[int, Cell]:
    return {line: row.get("text") for line, row in records_of(book, sheet)}
