"""Small files, imported, and what is said about them."""

from __future__ import annotations

from typing import Any

from annotation.importers import ItemRow
from annotation.models import Campaign
from annotation.services.importing import ImportReport, gold_import, items_import, judgments_import
from annotation.services.importing.plan import ItemPlan, plan_items
from tests.annotation.importers.reading import read_item_rows
from tests.factories import jsonl

SENTENCE = "The cat sat on the mat."
ITEM: dict[str, Any] = {"item": "i1", "phrase": "the mat", "sentence": SENTENCE}
RUG = {**ITEM, "paraphrase": "the rug", "system": "A"}


def item_rows_of(*rows: dict[str, Any]) -> tuple[ItemRow, ...]:
    parsed = read_item_rows(jsonl(list(rows)).getvalue().decode(), name="items.jsonl")
    assert parsed.ok, parsed.problems
    return parsed.rows


def planned(campaign: Campaign, *rows: dict[str, Any]) -> ItemPlan:
    return plan_items(campaign=campaign, rows=item_rows_of(*rows), file="items.jsonl")


def load_items(campaign: Campaign, *rows: dict[str, Any], **options: Any) -> ImportReport:
    return items_import(
        campaign=campaign, stream=jsonl(list(rows)), name="items.jsonl", actor=None, **options
    )


def load_judgments(campaign: Campaign, *rows: dict[str, Any], **options: Any) -> ImportReport:
    return judgments_import(
        campaign=campaign, stream=jsonl(list(rows)), name="judgments.jsonl", actor=None, **options
    )


def load_gold(campaign: Campaign, *rows: dict[str, Any], **options: Any) -> ImportReport:
    return gold_import(
        campaign=campaign, stream=jsonl(list(rows)), name="gold.jsonl", actor=None, **options
    )


def said(report: ImportReport) -> list[str]:
    return [str(problem) for problem in report.problems]
