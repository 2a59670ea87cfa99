"""The tables of the correlation pages as rows, from the stored reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.services.errors import NotFound

Result = dict[str, Any]
Row = dict[str, Any]
TESTS = (
    "permutation_p", "holm_p", "permutation_spearman_p", "holm_spearman_p",
    "permutation_accuracy_p", "holm_accuracy_p", "williams_p", "steiger_p", "meng_p", "mcnemar_p",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts, numbers, or None where there is none, by the names of the columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def _estimate(name: str, one: Result | None) -> Row:
    one = one or {}
    ends = {f"{name}_low": one.get("ci_low"), f"{name}_high": one.get("ci_high")}
    return {name: one.get("value"), **ends}


def _coefficients(found: Result) -> Iterator[Row]:
    roc = found.get("roc", {})
    for human, numbers in found["human"].items():
        for run in found["runs"]:
            label = run["label"]
            row: Row = {"human": human, "metric": label}
            every = {**numbers["metrics"][label], **numbers.get("further", {}).get(label, {})}
            for name, one in every.items():
                row |= _estimate(name, one)
            for name, one in numbers.get("within_originals", {}).get(label, {}).items():
                row |= _estimate(f"within_{name}", one)
            free = numbers.get("against_ceiling", {}).get(label, {}).get("pearson", {})
            row |= _estimate("pearson_without_noise", free.get("disattenuated"))
            row |= _estimate("roc_area", roc.get(label, {}).get("area"))
            yield {**row, "n": numbers["metrics"][label]["pearson"]["n"]}


def _differences(found: Result) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        for one in numbers["comparisons"]:
            row: Row = {"human": human, "a": one["a"], "b": one["b"]}
            for name in ("difference", "difference_spearman", "difference_accuracy"):
                row |= _estimate(name, one.get(name))
            zou, clustering = one.get("zou") or {}, one.get("clustering") or {}
            yield {
                **row,
                **{name: one.get(name) for name in TESTS},
                "zou_low": zou.get("low"), "zou_high": zou.get("high"),
                "clustering": clustering.get("icc"), "level_at_05": clustering.get("level"),
                "n": one["n"],
            }  # fmt: skip


def _systems(found: Result) -> Iterator[Row]:
    names = ("pearson", "spearman", "kendall", "pairwise_accuracy", "soft_pairwise_accuracy")
    for human, numbers in found["human"].items():
        for kind, key in (("mean", "systems"), ("corpus", "corpus")):
            for label, one in numbers.get(key, {}).items():
                row: Row = {"human": human, "metric": label, "scores": kind}
                for name in names:
                    row |= _estimate(name, one.get(name))
                yield {**row, "systems": len(one["systems"])}


def _power(found: Result) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        for one in numbers["power"]:
            yield {
                "human": human, "a": one["a"], "b": one["b"],
                **_estimate("difference", one["difference"]), "items": one["originals"],
                "power": one["power"], "items_needed": one["needed"],
                "texts_needed": one["units_needed"],
            }  # fmt: skip


def _ranking(found: Result) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        for label, one in numbers["accuracies"].items():
            yield {
                "human": human, "metric": label, "accuracy_strict": one["strict"],
                "accuracy_half": one["half"], "ties": one["ties"], "pairs": one["pairs"],
            }  # fmt: skip


# By name: the kind of report, what it is called, and its rows.
TABLES: dict[str, tuple[str, str, Callable[[Result], Iterator[Row]]]] = {
    "coefficients": ("correlation", "Metrics and people", _coefficients),
    "differences": ("correlation", "Differences between metrics", _differences),
    "systems": ("correlation-systems", "Metrics and people over systems", _systems),
    "power": ("stability", "Items that would tell two metrics apart", _power),
    "ranking": ("ranking", "Pairs of paraphrases in order", _ranking),
}


def table_get(*, name: str, report: Callable[[str], Result]) -> Table:
    """The table called `name`; NotFound for another name, or where it has no rows."""
    if name not in TABLES:
        raise NotFound(_("There is no such table."))
    kind, title, rows = TABLES[name]
    found = list(rows(report(kind)))
    if not found:
        raise NotFound(_("There is nothing in this table yet."))
    # A metric without a value may lack what others have.
    columns = tuple(dict.fromkeys(key for row in found for key in row))
    return Table(title, columns, tuple(dict.fromkeys(columns) | row for row in found))
