"""What an extrinsic evaluation reports: one object for JSON, lines for a terminal, rows of
files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import mean, stdev
from typing import NotRequired, TypedDict

import numpy as np
import scipy

from paraanno.common.cells import Columns
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import FIRST_PROBLEMS, Problem, ProblemLog, say
from scoring.extrinsic.classifiers import DESCRIPTIONS, Floats
from scoring.extrinsic.experiment import (
    ID,
    PARTS,
    Experiment,
    ExtrinsicAccuracyJson,
    Key,
    LabelledTexts,
    LineJson,
    Outcomes,
    TrainingPairJson,
    accuracies,
)
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.intervals import Bootstrap
from scoring.stats.significance.swaps import holm
from scoring.stats.table import EstimateJson, t_above

# Reader of metric scores for an extrinsic evaluation: what `score` writes, a file for a system.


def read_scores(
    path: Path, metrics: Sequence[str], ids: Sequence[str]
) -> tuple[dict[str, Floats], tuple[Problem, ...]]:
    """Columns of numbers by metric, in the order of `ids`; NaN for an empty cell or a missing row.

    Rows of other ids are left out. It is a problem if an id repeats, a cell is no number, or none
    of the ids is there. Problems are returned, not raised.
    """
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    place = {key: row for row, key in enumerate(ids)}
    scores = {name: np.full(len(ids), math.nan) for name in metrics}
    seen: dict[str, int] = {}
    columns = Columns.of((ID, *metrics))
    for cells in read_records(path, log=log, columns=columns, format=format_of(path.name, "csv")):
        key = (cells.label(ID) or "").strip()
        cells.once(ID, key, seen)
        for name, column in scores.items():
            value = cells.number(name)
            if value is not None and key in place:
                column[place[key]] = value
    if not log.errors and not place.keys() & seen.keys():
        log.error(0, say("has none of the ids of the texts: score these texts by their ids"))
    return scores, log.problems()


# Metrics of paraphrases beside the outcomes of the paraphrases: table 3 of Hailu et al. (2020).
#
# With what the paper leaves out: the correlation with length held fixed, Holm's adjustment, how
# many texts have a score, and a warning where a metric is mostly the length of the text.


MOSTLY_LENGTH = 0.5
_LEAST_PARTIAL = 4  # Units that a partial correlation needs.


class PartialJson(TypedDict):
    """A rank correlation with the rank of the length held fixed; None where it is undefined."""

    value: float | None
    p_value: float | None
    n: int


class CellJson(TypedDict):
    """A metric of one system beside an outcome of one classifier.

    `pearson_holm` and `spearman_holm` are adjusted over all classifiers and systems of this metric
    and outcome; `coverage` is the share of the test texts that have a score.
    """

    metric: str
    system: str
    classifier: str
    outcome: str
    pearson: EstimateJson
    spearman: EstimateJson
    pearson_holm: float | None
    spearman_holm: float | None
    given_length: PartialJson
    coverage: float


class LengthJson(TypedDict):
    """How a metric of one system correlates with the number of words of its texts."""

    metric: str
    system: str
    rho: float | None
    mostly_length: bool


def partial_rank(x: Floats, y: Floats, given: Floats) -> PartialJson:
    """Spearman's partial correlation of x and y with `given` held fixed; p by the t distribution
    with n - 3 degrees of freedom.

    x, y, given: (n,), NaN for a missing value, whose unit is left out. Undefined for under four
    units, for constant columns, and where x or y has the order of `given`. The order alone counts,
    so that a length and its logarithm give the same.
    """
    observed = ~(np.isnan(x) | np.isnan(y) | np.isnan(given))
    n = int(observed.sum())
    nothing: PartialJson = {"value": None, "p_value": None, "n": n}
    if n < _LEAST_PARTIAL:
        return nothing
    ranks = np.array([scipy.stats.rankdata(one[observed]) for one in (x, y, given)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return nothing
    r = np.corrcoef(ranks)
    left = (1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2)
    if left < 1e-12:
        return nothing
    value = float(np.clip((r[0, 1] - r[0, 2] * r[1, 2]) / math.sqrt(left), -1, 1))
    free = n - 3
    rest = 1 - value**2
    t = math.inf if rest <= 0 else abs(value) * math.sqrt(free / rest)
    return {"value": value, "p_value": float(2 * t_above(t, free)), "n": n}


def correlations(
    tested: Mapping[Key, Outcomes],
    scores: Mapping[str, Mapping[str, Floats]],
    lengths: Mapping[str, Floats],
    original: str,
    plan: Bootstrap | None = None,
) -> list[CellJson]:
    """Every metric of every system beside every outcome of every classifier.

    `scores` has columns by system and metric, `lengths` the number of words by system, all over
    the test texts in their order; `original` is the column of the originals. Intervals draw texts.
    """
    cells: list[CellJson] = []
    for (classifier, system), predictions in tested.items():
        for metric, column in scores.get(system, {}).items():
            outcomes = {
                "correct": predictions.correct.astype(np.float64),
                "p_true": predictions.p_true,
                "change": predictions.p_true - tested[classifier, original].p_true,
            }
            for name, outcome in outcomes.items():
                both = coefficients(outcome, {metric: column}, None, plan, ["pearson", "spearman"])[
                    metric
                ]
                cells.append(
                    {
                        "metric": metric,
                        "system": system,
                        "classifier": classifier,
                        "outcome": name,
                        "pearson": both["pearson"].as_json(),
                        "spearman": both["spearman"].as_json(),
                        "pearson_holm": None,
                        "spearman_holm": None,
                        "given_length": partial_rank(column, outcome, lengths[system]),
                        "coverage": float((~np.isnan(column)).mean()),
                    }
                )
    _adjust(cells)
    return cells


def _adjust(cells: list[CellJson]) -> None:
    """Fill in the p-values after Holm (1979), a family for each metric and outcome."""
    families: dict[tuple[str, str], list[CellJson]] = {}
    for cell in cells:
        families.setdefault((cell["metric"], cell["outcome"]), []).append(cell)
    for family in families.values():
        pearson = holm([_p_value(cell["pearson"]) for cell in family])
        spearman = holm([_p_value(cell["spearman"]) for cell in family])
        for cell, one, other in zip(family, pearson, spearman, strict=True):
            cell["pearson_holm"], cell["spearman_holm"] = one, other


def _p_value(estimate: EstimateJson) -> float | None:
    p_value = dict(estimate).get("p_value")
    return float(p_value) if isinstance(p_value, float) else None


def with_length(
    scores: Mapping[str, Mapping[str, Floats]], lengths: Mapping[str, Floats]
) -> list[LengthJson]:
    """Spearman of each metric with the number of words, and whether it is mostly that."""
    rows: list[LengthJson] = []
    for system, columns in scores.items():
        for metric, column in columns.items():
            rho = coefficients(lengths[system], {metric: column}, None, None, ["spearman"])
            value = rho[metric]["spearman"].value
            rows.append(
                {
                    "metric": metric,
                    "system": system,
                    "rho": value,
                    "mostly_length": value is not None and abs(value) > MOSTLY_LENGTH,
                }
            )
    return rows


Table = Mapping[str, Mapping[str, ExtrinsicAccuracyJson]]
_LEVELS = ((0.01, "**"), (0.05, "*"))


class SpreadJson(TypedDict):
    """Accuracies over seeds; `sd` is that of a sample."""

    mean: float
    sd: float
    values: list[float]


class SystemJson(TypedDict):
    """A system: the mean of a metric, and by classifier the accuracy after training on it."""

    metric: str
    system: str
    mean: float | None
    accuracy: dict[str, float]


class IntrinsicJson(TypedDict):
    """Metrics beside outcomes (see `intrinsic`). Few systems allow no inference about systems."""

    cells: list[CellJson]
    length: list[LengthJson]
    systems: list[SystemJson]


_ExtrinsicJson = TypedDict(
    "_ExtrinsicJson",
    {
        "accuracy": Table,
        "on_paraphrases": Table,
        "comparisons": list[TrainingPairJson],
        "classifiers": dict[str, str],
        "classes": list[str],
        "texts": dict[str, int],
        "split": dict[str, int],
        "seed": int,
        "scikit-learn": str,
        "seeds": NotRequired[list[int]],
        "repeats": NotRequired[dict[str, dict[str, SpreadJson]]],
        "intrinsic": NotRequired[IntrinsicJson],
        "lines": NotRequired[dict[str, LineJson]],
    },
)


class ExtrinsicJson(_ExtrinsicJson):
    """`accuracy` (trained on a column, tested on the originals) and `on_paraphrases` (trained on
    the originals, tested on a column) by classifier and column; `repeats` over `seeds`; `lines` of
    the first seed by classifier."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Columns by system and metric over the test texts, NaN where there is none."""

    columns: Mapping[str, Mapping[str, Floats]]


def extrinsic_report(
    data: LabelledTexts,
    sizes: Sequence[int],
    seeds: Sequence[int],
    experiments: Sequence[Experiment],
    *,
    scores: Scores | None = None,
    plan: Bootstrap | None = None,
    lines: Mapping[str, LineJson] | None = None,
) -> ExtrinsicJson:
    """The report of one experiment for each seed; all but the repeats is that of the first."""
    first = experiments[0]
    table = accuracies(first.trained)
    report: ExtrinsicJson = {
        "accuracy": table,
        "on_paraphrases": accuracies(first.tested),
        "comparisons": first.comparisons(),
        "classifiers": {name: DESCRIPTIONS[name] for name in table},
        "classes": list(data.classes),
        "texts": data.counts(),
        "split": dict(zip(PARTS, sizes, strict=True)),
        "seed": seeds[0],
        "scikit-learn": version("scikit-learn"),
    }
    if lines is not None:
        report["lines"] = {name: lines[name] for name in table}
    if len(experiments) > 1:
        each = [accuracies(one.trained) for one in experiments]
        report["seeds"] = list(seeds)
        report["repeats"] = {
            classifier: {
                column: _spread([one[classifier][column]["value"] for one in each])
                for column in row
            }
            for classifier, row in table.items()
        }
    if scores is not None:
        report["intrinsic"] = _intrinsic(data, first, table, scores, plan)
    return report


def _spread(values: list[float]) -> SpreadJson:
    return {"mean": mean(values), "sd": stdev(values), "values": values}


def _intrinsic(
    data: LabelledTexts,
    experiment: Experiment,
    table: Table,
    scores: Scores,
    plan: Bootstrap | None,
) -> IntrinsicJson:
    place = {key: row for row, key in enumerate(data.ids)}
    rows = [place[key] for key in experiment.ids]
    lengths = {
        column: np.array([len(texts[row].split()) for row in rows], dtype=np.float64)
        for column, texts in data.texts.items()
    }
    systems: list[SystemJson] = []
    for system, columns in scores.columns.items():
        for metric, values in columns.items():
            observed = values[~np.isnan(values)]
            systems.append(
                {
                    "metric": metric,
                    "system": system,
                    "mean": float(observed.mean()) if len(observed) else None,
                    "accuracy": {name: row[system]["value"] for name, row in table.items()},
                }
            )
    original = next(iter(data.texts))
    return {
        "cells": correlations(experiment.tested, scores.columns, lengths, original, plan),
        "length": with_length(scores.columns, lengths),
        "systems": systems,
    }


def report_lines(report: ExtrinsicJson) -> Iterator[str]:
    """The report for a terminal."""
    yield from _table_lines("Accuracy on the originals, trained on", report["accuracy"])
    yield from _table_lines(
        "Accuracy, trained on the originals, tested on", report["on_paraphrases"]
    )
    for name, one in report.get("lines", {}).items():
        yield (
            f"{name}, to be read beside: majority class {one['majority']['value']:.3f}, shuffled "
            f"classes {one['shuffled']['value']:.3f}, half of the originals "
            f"{one['half']['value']:.3f}"
        )
    for row in report["comparisons"]:
        yield (
            f"{row['classifier']}: {row['a']} against {row['b']}: {row['only_a']} right by the "
            f"first alone, {row['only_b']} by the second; p {_p(row['p_value'])}, "
            f"Holm {_p(row['holm'])}"
        )
    for classifier, spreads in report.get("repeats", {}).items():
        for column, spread in spreads.items():
            yield (
                f"{classifier}, {column}: mean {spread['mean']:.3f}, standard deviation "
                f"{spread['sd']:.3f} over {len(spread['values'])} seeds"
            )
    if "intrinsic" in report:
        yield from _intrinsic_lines(report["intrinsic"])
    texts, parts = report["texts"], report["split"]
    yield (
        f"{texts['used']} texts; parts {', '.join(f'{k} {n}' for k, n in parts.items())}; left "
        f"out: {left_out(texts)}"
    )


def left_out(texts: Mapping[str, int]) -> str:
    """Why rows are left out, in words."""
    return (
        f"{texts['no_label']} without a label, {texts['no_text']} without a text in every "
        f"column, {texts['doubled']} whose original is there already"
    )


def _table_lines(title: str, table: Table) -> Iterator[str]:
    columns = list(next(iter(table.values())))
    wide = max(10, *(len(column) for column in columns)) + 2
    yield title
    yield " " * 8 + "".join(f"{column:>{wide}}" for column in columns)
    for classifier, row in table.items():
        yield f"{classifier:<8}" + "".join(f"{row[one]['value']:>{wide}.3f}" for one in columns)


def _intrinsic_lines(intrinsic: IntrinsicJson) -> Iterator[str]:
    yield (
        "Metrics beside outcomes: Pearson, Spearman (* p < .05, ** p < .01 of one test alone), "
        "Spearman with length held fixed, coverage"
    )
    for cell in intrinsic["cells"]:
        fixed = cell["given_length"]["value"]
        yield (
            f"{cell['metric']}, {cell['system']}, {cell['classifier']}, {cell['outcome']}: "
            f"{_starred(cell, 'pearson')}  {_starred(cell, 'spearman')}  "
            f"{'-' if fixed is None else f'{fixed:.3f}'}  {cell['coverage']:.2f}"
        )
    for row in intrinsic["length"]:
        if row["mostly_length"]:
            yield (
                f"warning: {row['metric']} of {row['system']} is mostly length: its Spearman "
                f"correlation with the number of words is {row['rho']:.3f}."
            )
    for one in intrinsic["systems"]:
        mean_ = "-" if one["mean"] is None else f"{one['mean']:.4f}"
        cells = ", ".join(f"{name} {value:.3f}" for name, value in one["accuracy"].items())
        yield f"{one['metric']}, {one['system']}: mean {mean_}; accuracy {cells}"
    n = len({row["system"] for row in intrinsic["systems"]})
    yield f"n = {n} systems: no inference about systems."


def _p(value: float | None) -> str:
    """A p-value, which is never 0."""
    if value is None:
        return "-"
    return "< .0001" if value < 0.0001 else f"{value:.4f}"


def _starred(cell: CellJson, name: str) -> str:
    estimate = cell["pearson"] if name == "pearson" else cell["spearman"]
    adjusted = cell["pearson_holm"] if name == "pearson" else cell["spearman_holm"]
    if estimate["value"] is None:
        return "-"
    p_value = float(dict(estimate)["p_value"])  # type: ignore[arg-type]
    stars = next((mark for level, mark in _LEVELS if p_value < level), "")
    return f"{estimate['value']:.3f}{stars} (Holm {adjusted:.3f})"


def accuracy_rows(experiment: Experiment) -> Iterator[list[object]]:
    """Rows of accuracy.csv, the first its header."""
    yield ["classifier", "trained_on", "value", "ci_low", "ci_high", "n"]
    for classifier, row in accuracies(experiment.trained).items():
        for column, one in row.items():
            yield [classifier, column, *one.values()]


def outcome_rows(experiment: Experiment) -> Iterator[list[object]]:
    """Rows of outcomes.csv, the first its header: of each test text, column and classifier trained
    on the originals. `change` is p_true minus that of the original."""
    yield ["id", "system", "classifier", "correct", "p_true", "change"]
    original = next(column for _, column in experiment.tested)
    for (classifier, column), one in experiment.tested.items():
        change = one.p_true - experiment.tested[classifier, original].p_true
        cells = (one.correct.astype(int).tolist(), one.p_true.tolist(), change.tolist())
        for key, right, p, less in zip(experiment.ids, *cells, strict=True):
            yield [key, column, classifier, right, p, less]
