"""The gold report as text for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.stats.terminal.text import grid, number

Json = Mapping[str, Any]


def gold_lines(found: Json) -> list[str]:
    """Return the report as lines: per column and for the pass decisions the methods and their
    comparison, per scale with a threshold the borderline decisions."""
    lines: list[str] = []
    columns = list(next(iter(found["methods"].values()))["columns"]) if found["methods"] else []
    for name in columns:
        of = {method: one["columns"][name] for method, one in found["methods"].items()}
        lines += [*grid(_methods(name, of)), ""]
        rows = found["comparison"]["columns"][name]
        lines += [*grid(_correlations(rows)), ""] if rows else []
    if found["methods"]:
        of = {method: one["passes"] for method, one in found["methods"].items()}
        lines += [*grid(_passes(of)), ""]
    if found["comparison"]["passes"]:
        lines += [*grid(_differences(found["comparison"]["passes"])), ""]
    for scale, part in found["straddling"].items():
        lines += [*_borderline(scale, part), ""]
    return lines


def _methods(name: str, of: Json) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (name, "texts", "mean", "sd", "median", "confidence", "width of 95 %", "undefined because")
    ]
    for method, one in of.items():
        middle = None if one["quartiles"] is None else one["quartiles"][2]
        numbers = (one["mean"], one["sd"], middle, one["confidence"], one["interval_width"])
        rows.append((method, str(one["n"]), *map(number, numbers), one["reason"] or ""))
    return rows


def _correlations(rows: list[Json]) -> list[tuple[str, ...]]:
    return [
        ("methods", "texts", "Pearson", "Spearman", "undefined because"),
        *(
            (f"{row['a']}, {row['b']}", str(row["n"]), number(row["pearson"]),
             number(row["spearman"]), row["reason"] or "")
            for row in rows
        ),
    ]  # fmt: skip


def _passes(of: Json) -> list[tuple[str, ...]]:
    return [
        ("PASS", "texts", "share", "confidence", "method, or why undefined"),
        *(
            (method, str(one["n"]), number(one["mean"]), number(one["confidence"]),
             one["reason"] or one["method"])
            for method, one in of.items()
        ),
    ]  # fmt: skip


def _differences(rows: list[Json]) -> list[tuple[str, ...]]:
    return [
        ("decisions", "texts", "differ"),
        *((f"{row['a']}, {row['b']}", str(row["n"]), str(row["differ"])) for row in rows),
    ]


def _borderline(scale: str, part: Json) -> list[str]:
    lines = [
        f"{scale} {'from' if part['higher_is_better'] else 'up to'} {part['threshold']:g}: "
        f"{part['decisions']} decisions, {part['passing']} pass; the interval of "
        f"{part['straddling']} contains the threshold, {part['flipping']} depend on one annotator, "
        f"{part['alone']} on one rating."
    ]
    if part["annotators"] is None:
        return [*lines, part["reason"]]
    rows: list[tuple[str, ...]] = [("without", "decisions reversed", "lost")]
    rows += [(one["annotator"], str(one["flips"]), str(one["lost"])) for one in part["annotators"]]
    return [*lines, *grid(rows)]
