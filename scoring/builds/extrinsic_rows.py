"""The report of an extrinsic evaluation as rows of tables, for pages and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Report = Mapping[str, Any]
OUTCOMES = ("correct", "p_true", "change")
STARS = ((0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a file: names of columns, and rows of text, numbers or nothing."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


def axis(report: Report) -> dict[str, float]:
    """Where the drawings of accuracies begin and end: tenths around all intervals."""
    cells = [
        cell
        for part in ("accuracy", "on_paraphrases", "lines")
        for row in report.get(part, {}).values()
        for cell in row.values()
    ]
    lows = [_or(cell["ci_low"], cell["value"]) for cell in cells]
    highs = [_or(cell["ci_high"], cell["value"]) for cell in cells]
    least, most = int(10 * min(lows)) / 10, -int(-10 * max(highs) // 1) / 10
    return {"least": max(0.0, least), "most": min(1.0, max(most, least + 0.1))}


def accuracy_rows(report: Report, part: str) -> list[dict[str, Any]]:
    """Rows of `accuracy` or `on_paraphrases`: a classifier, and a cell for each column of texts,
    with mean and spread over the seeds if there are several."""
    repeats = report.get("repeats", {}) if part == "accuracy" else {}
    return [
        {
            "classifier": name,
            "cells": [
                {"column": column, **cell, "spread": repeats.get(name, {}).get(column)}
                for column, cell in row.items()
            ],
            "lines": report.get("lines", {}).get(name, {}) if part == "accuracy" else {},
        }
        for name, row in report[part].items()
    ]


def cells_of(report: Report, metric: str, outcome: str) -> list[dict[str, Any]]:
    """The correlations of a metric with an outcome, a row for each classifier and system."""
    return [
        {
            **cell,
            "stars": stars(cell["spearman"].get("p_value")),
            "pearson_stars": stars(cell["pearson"].get("p_value")),
        }
        for cell in report.get("intrinsic", {}).get("cells", ())
        if cell["metric"] == metric and cell["outcome"] == outcome
    ]


def metrics_of(report: Report) -> list[str]:
    """The metrics of a report, in order."""
    return list(
        dict.fromkeys(one["metric"] for one in report.get("intrinsic", {}).get("cells", ()))
    )


def lengths_of(report: Report) -> list[Mapping[str, Any]]:
    """Metrics that are mostly the length of the text, with the system."""
    return [one for one in report.get("intrinsic", {}).get("length", ()) if one["mostly_length"]]


def stars(p_value: float | None) -> str:
    """The paper's marks: * below .05, ** below .01, of one test alone."""
    if p_value is None:
        return ""
    return next((mark for level, mark in STARS if p_value < level), "")


def tables_of(report: Report) -> dict[str, Table]:
    """The tables of the files, by name."""
    accuracy = tuple(
        {"experiment": part, "classifier": name, "texts": column, **cell}
        for part in ("accuracy", "on_paraphrases")
        for name, row in report[part].items()
        for column, cell in row.items()
    )
    correlation = tuple(
        {
            "metric": cell["metric"],
            "system": cell["system"],
            "classifier": cell["classifier"],
            "outcome": cell["outcome"],
            **_estimate("pearson", cell),
            **_estimate("spearman", cell),
            "given_length": cell["given_length"]["value"],
            "given_length_p": cell["given_length"]["p_value"],
            "n": cell["given_length"]["n"],
            "coverage": cell["coverage"],
        }
        for cell in report.get("intrinsic", {}).get("cells", ())
    )
    lines = tuple(
        {"classifier": name, "line": line, **cell}
        for name, row in report.get("lines", {}).items()
        for line, cell in row.items()
    )
    tests = tuple(report["comparisons"])
    return {
        name: Table(name, tuple(rows[0]), rows)
        for name, rows in (
            ("accuracy", accuracy),
            ("correlation", correlation),
            ("tests", tests),
            ("lines", lines),
        )
        if rows
    }


def _estimate(name: str, cell: Mapping[str, Any]) -> dict[str, Any]:
    estimate = cell[name]
    return {
        name: estimate["value"],
        f"{name}_low": estimate.get("ci_low"),
        f"{name}_high": estimate.get("ci_high"),
        f"{name}_p": estimate.get("p_value"),
        f"{name}_holm": cell[f"{name}_holm"],
    }


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
