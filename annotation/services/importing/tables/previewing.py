"""The first rows of a table, as they would appear on sheets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from annotation.importers import ItemRow, Problem, ProblemLog, iter_gold, iter_items, iter_judgments
from annotation.importers.tables import ColumnMap, MappedTable
from annotation.models import Campaign
from annotation.services.importing.changes import gold_changes, judgment_changes
from annotation.services.importing.report import AddedText, TextChange

ROWS = 20  # of the file
SHOWN = 20  # problems


def table_preview(
    *, campaign: Campaign, stream: BinaryIO, name: str, mapping: ColumnMap
) -> tuple[list[TextChange], list[Problem]]:
    """Return the texts of the first rows, as the mapping reads them, and the problems of those
    rows. Nothing is compared with the campaign."""
    log = ProblemLog(name)
    table = MappedTable(stream, name, mapping, most_rows=ROWS)
    scales = list(campaign.scales.values_list("name", flat=True))
    if mapping.what == "items":
        shown = _originals(iter_items(table, log=log))
    elif mapping.what == "gold":
        shown = gold_changes(iter_gold(table, log=log, scales=scales), ROWS)
    else:
        # Who judged may be chosen beside the mapping, for all rows.
        rows = iter_judgments(table, log=log, repeats="number", anonymous=True)
        shown = judgment_changes(rows, ROWS)
    return shown, list(islice(log.problems(), SHOWN))


def _originals(rows: Iterator[ItemRow]) -> list[TextChange]:
    found: dict[tuple[object, ...], tuple[ItemRow, dict[str, list[str]], list[str]]] = {}
    for row in rows:
        _, texts, references = found.setdefault(row.identity, (row, {}, []))
        if row.paraphrase is not None:
            systems = texts.setdefault(row.paraphrase, [])
            systems += [row.system] if row.system and row.system not in systems else []
        references += [text for text in row.references if text not in references]
    return [
        TextChange(
            row.line, True, row.sentence[: row.start], row.phrase, row.sentence[row.end :],
            tuple(AddedText(text, tuple(systems)) for text, systems in texts.items()),
            tuple(references),
        )
        for row, texts, references in found.values()
    ]  # fmt: skip
