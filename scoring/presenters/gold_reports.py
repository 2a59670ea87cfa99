"""The gold reports, prepared for the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypedDict

from annotation.models import Campaign, Substitution
from scoring.presenters.gold import method_label
from scoring.selectors.gold.reports import texts_of
from scoring.stats.gold.catalogue import METHODS
from scoring.stats.gold.json_types import (
    BorderlineCounts,
    BorderlineText,
    GoldReport,
    MethodPair,
    Summary,
)


class ColumnRow(Summary):
    """A method's summary of a column; `chosen` is the one of the page."""

    key: str
    label: str
    chosen: bool


class MethodCell(MethodPair):
    """A cell of a square of methods."""

    value: float | None
    reason: str | None


SquareRow: TypeAlias = "tuple[str, list[MethodCell | None]]"


class ComparedColumn(TypedDict):
    """One column by all methods."""

    name: str
    rows: list[ColumnRow]
    distribution: dict[str, int]
    square: list[SquareRow]
    labels: list[str]


class ComparedMethods(TypedDict):
    """All columns, and the decisions."""

    columns: list[ComparedColumn]
    passes: list[ColumnRow]
    square: list[SquareRow]
    labels: list[str]


class ListedText(BorderlineText):
    """A decision with its text."""

    text: Substitution


class BorderlineScale(BorderlineCounts):
    """One scale; `listed` are those whose text is still there."""

    name: str
    sign: str
    listed: list[ListedText]


def compared(found: GoldReport, chosen: str) -> ComparedMethods:
    """For each column: summaries of the methods, the distribution of the chosen one, and
    correlations."""
    methods = found["methods"]
    pairs = found["comparison"]["columns"]
    names = list(next(iter(methods.values()))["columns"]) if methods else []
    columns: list[ComparedColumn] = [
        {
            "name": name,
            "rows": [
                {
                    "key": key,
                    "label": method_label(key),
                    "chosen": key == chosen,
                    **one["columns"][name],
                }
                for key, one in methods.items()
            ],
            "distribution": _distribution(methods[chosen]["columns"][name]),
            "square": _square([_cell(one, one["spearman"], one["reason"]) for one in pairs[name]]),
            "labels": _labels(pairs[name]),
        }
        for name in names
    ]
    decisions = found["comparison"]["passes"]
    return {
        "columns": columns,
        "passes": [
            {"key": key, "label": method_label(key), "chosen": key == chosen, **one["passes"]}
            for key, one in methods.items()
        ],
        "square": _square([_cell(one, one["differ"], None) for one in decisions]),
        "labels": _labels(decisions),
    }


def _distribution(column: Summary) -> dict[str, int]:
    """Bars of the number of texts by gold value; empty if no text has gold."""
    found = column["distribution"]
    return found if any(found.values()) else {}


def _labels(pairs: Sequence[MethodPair]) -> list[str]:
    return [method_label(name) for name in _named(pairs)]


def _named(pairs: Sequence[MethodPair]) -> list[str]:
    found = {name for pair in pairs for name in (pair["a"], pair["b"])}
    return [name for name in METHODS if name in found]


def _cell(pair: MethodPair, value: float | None, reason: str | None) -> MethodCell:
    return {"a": pair["a"], "b": pair["b"], "n": pair["n"], "value": value, "reason": reason}


def _square(pairs: Sequence[MethodCell]) -> list[SquareRow]:
    """Rows of (label, cells): None on the diagonal, else value, n and reason of the pair."""
    cells = {(pair["a"], pair["b"]): pair for pair in pairs}
    cells |= {(pair["b"], pair["a"]): pair for pair in pairs}
    names = _named(pairs)
    return [(method_label(one), [cells.get((one, other)) for other in names]) for one in names]


def borderline(campaign: Campaign, found: GoldReport) -> list[BorderlineScale]:
    """The borderline decisions of each scale, with their texts; one query."""
    parts = found["straddling"]
    wanted = {int(row["unit"]) for part in parts.values() for row in part["listed"]}
    by_pk = texts_of(campaign=campaign, units=wanted)
    return [
        {
            "name": name,
            "higher_is_better": part["higher_is_better"],
            "threshold": part["threshold"],
            "interval": part["interval"],
            "decisions": part["decisions"],
            "passing": part["passing"],
            "straddling": part["straddling"],
            "flipping": part["flipping"],
            "alone": part["alone"],
            "annotators": part["annotators"],
            "reason": part["reason"],
            "sign": "≥" if part["higher_is_better"] else "≤",
            "listed": [
                {**row, "text": by_pk[int(row["unit"])]}
                for row in part["listed"]
                if int(row["unit"]) in by_pk
            ],
        }
        for name, part in parts.items()
    ]
