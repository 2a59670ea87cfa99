"""The tables of the correlation pages as rows, made from the stored reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from django.utils.translation import gettext as _

from annotation.errors import NotFound
from scoring.stats.estimate import EstimateJson
from scoring.stats.evaluation.catalogue import at
from scoring.stats.evaluation.json_types import (
    CorrelationReport,
    RankingReport,
    StabilityReport,
    SystemsReport,
)

TestName = Literal[
    "permutation_p", "holm_p", "permutation_spearman_p", "holm_spearman_p",
    "permutation_accuracy_p", "holm_accuracy_p", "williams_p", "steiger_p", "meng_p",
    "mcnemar_clustered_p", "mcnemar_p",
]  # fmt: skip
OverSystems = Literal[
    "pearson", "spearman", "kendall", "pairwise_accuracy", "soft_pairwise_accuracy",
]  # fmt: skip
# The catalogue says which, and in what order.
OVER_SYSTEMS = cast("tuple[OverSystems, ...]", tuple(at("systems")))
GapName = Literal["difference", "difference_spearman", "difference_accuracy"]
GAPS: tuple[GapName, ...] = get_args(GapName)
# What a cell holds is a number, a text or None; a report is read by the rows of its own kind.
Row = dict[str, float | str | None]
TESTS: tuple[TestName, ...] = get_args(TestName)


@dataclass(frozen=True, slots=True)
class CorrelationTable:
    """Rows of texts, numbers or None (missing), with the column names."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def _estimate(name: str, one: EstimateJson | None) -> Row:
    if one is None:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    ends = {f"{name}_low": one.get("ci_low"), f"{name}_high": one.get("ci_high")}
    return {name: one["value"], **ends}


def _coefficients(found: CorrelationReport) -> Iterator[Row]:
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
            free = numbers.get("against_ceiling", {}).get(label, {}).get("pearson")
            row |= _estimate("pearson_without_noise", free and free["disattenuated"])
            curve = roc.get(label)
            row |= _estimate("roc_area", curve and curve["area"])
            yield {**row, "n": numbers["metrics"][label]["pearson"]["n"]}


def _differences(found: CorrelationReport) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        for one in numbers["comparisons"]:
            row: Row = {"human": human, "a": one["a"], "b": one["b"]}
            for name in GAPS:
                row |= _estimate(name, one.get(name))
            zou, clustering = one.get("zou"), one.get("clustering")
            yield {
                **row,
                **{name: one.get(name) for name in TESTS},
                "zou_low": zou and zou["low"], "zou_high": zou and zou["high"],
                "clustering": clustering and clustering["icc"],
                "level_at_05": clustering and clustering["level"],
                "n": one["n"],
            }  # fmt: skip


def _systems(found: SystemsReport) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        levels = (("mean", numbers.get("systems", {})), ("corpus", numbers.get("corpus", {})))
        for kind, level in levels:
            for label, one in level.items():
                row: Row = {"human": human, "metric": label, "scores": kind}
                for name in OVER_SYSTEMS:
                    row |= _estimate(name, one.get(name))
                yield {**row, "systems": len(one["systems"])}


def _power(found: StabilityReport) -> Iterator[Row]:
    for human, numbers in found["human"].items():
        for one in numbers["power"]:
            yield {
                "human": human, "a": one["a"], "b": one["b"],
                **_estimate("difference", one["difference"]), "items": one["originals"],
                "power": one["power"], "items_needed": one["needed"],
                "texts_needed": one["units_needed"],
            }  # fmt: skip


def _ranking(found: RankingReport) -> Iterator[Row]:
    by_majority = found.get("majority", {})
    for gold, columns in (("mean", found["human"]), ("majority", by_majority)):
        for human, numbers in columns.items():
            for label, one in numbers["accuracies"].items() if numbers else ():
                yield {
                    "human": human, "gold": gold, "metric": label, "accuracy_strict": one["strict"],
                    "accuracy_half": one["half"], "ties": one["ties"], "pairs": one["pairs"],
                    "pairs_that_differ": numbers.get("differ") if numbers else None,
                }  # fmt: skip


# By name: the kind of report, the title, and the function that makes the rows.
TABLES: dict[str, tuple[str, str, Callable[[Any], Iterator[Row]]]] = {
    "coefficients": ("correlation", "Metrics and people", _coefficients),
    "differences": ("correlation", "Differences between metrics", _differences),
    "systems": ("correlation-systems", "Metrics and people over systems", _systems),
    "power": ("stability", "Items that would tell two metrics apart", _power),
    "ranking": ("ranking", "Pairs of paraphrases in order", _ranking),
}


def table_get(*, name: str, report: Callable[[str], Any]) -> CorrelationTable:
    """Return the table called `name`; NotFound if it does not exist or has no rows."""
    if name not in TABLES:
        raise NotFound(_("There is no such table."))
    kind, title, rows = TABLES[name]
    found = list(rows(report(kind)))
    if not found:
        raise NotFound(_("There is nothing in this table yet."))
    # A metric without a value may lack keys that others have.
    columns = tuple(dict.fromkeys(key for row in found for key in row))
    return CorrelationTable(title, columns, tuple(dict.fromkeys(columns) | row for row in found))
