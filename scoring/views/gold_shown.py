"""The reports on gold as the page shows them."""

from __future__ import annotations

from typing import Any

from annotation.models import Campaign, Substitution
from scoring.views.bars import bars
from scoring.views.gold_words import NAMES


def compared(found: dict[str, Any], chosen: str) -> dict[str, Any]:
    """Per column the methods' summaries, the chosen one's distribution, and correlations."""
    methods = found.get("methods", {})
    names = list(next(iter(methods.values()))["columns"]) if methods else []
    columns = [
        {
            "name": name,
            "rows": [
                {"key": key, "label": NAMES[key], "chosen": key == chosen, **one["columns"][name]}
                for key, one in methods.items()
            ],
            "bars": bars(methods[chosen]["columns"][name]["distribution"]),
            "square": _square(found["comparison"]["columns"][name], "spearman"),
            "labels": _labels(found["comparison"]["columns"][name]),
        }
        for name in names
    ]
    decisions = found.get("comparison", {}).get("passes", [])
    return {
        "columns": columns,
        "passes": [
            {"key": key, "label": NAMES[key], "chosen": key == chosen, **one["passes"]}
            for key, one in methods.items()
        ],
        "square": _square(decisions, "differ"),
        "labels": _labels(decisions),
    }


def _labels(pairs: list[dict[str, Any]]) -> list[Any]:
    return [NAMES[name] for name in _named(pairs)]


def _named(pairs: list[dict[str, Any]]) -> list[str]:
    found = {name for pair in pairs for name in (pair["a"], pair["b"])}
    return [name for name in NAMES if name in found]


def _square(pairs: list[dict[str, Any]], key: str) -> list[tuple[Any, list[Any]]]:
    """(label, cells) per row; None on the diagonal, else value, n and reason of the pair."""
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    for pair in pairs:
        cell = {"value": pair[key], "n": pair["n"], "reason": pair.get("reason")}
        cells[pair["a"], pair["b"]] = cells[pair["b"], pair["a"]] = cell
    names = _named(pairs)
    return [(NAMES[one], [cells.get((one, other)) for other in names]) for one in names]


def hanging(campaign: Campaign, found: dict[str, Any]) -> list[dict[str, Any]]:
    """Per scale the decisions that hang on a thread, with their texts; one query."""
    parts = found.get("straddling", {})
    wanted = {int(row["unit"]) for part in parts.values() for row in part["listed"]}
    texts = Substitution.objects.filter(campaign=campaign).select_related("item__phrase")
    by_pk = texts.in_bulk(wanted)
    return [
        {
            "name": name,
            **part,
            "sign": "≥" if part["higher_is_better"] else "≤",
            "listed": [
                {**row, "text": by_pk[int(row["unit"])]}
                for row in part["listed"]
                if int(row["unit"]) in by_pk
            ],
        }
        for name, part in parts.items()
    ]
