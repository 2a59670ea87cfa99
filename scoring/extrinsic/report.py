"""What an extrinsic evaluation reports: one object for JSON, lines for a terminal, rows of
files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from statistics import mean, stdev
from typing import NotRequired, TypedDict

import numpy as np

from scoring.extrinsic.classifiers import TOLD, Floats
from scoring.extrinsic.experiment import (
    Experiment,
    ExtrinsicAccuracyJson,
    TrainingPairJson,
    accuracies,
)
from scoring.extrinsic.intrinsic import (
    CellJson,
    LengthJson,
    correlations,
    with_length,
)
from scoring.extrinsic.reading import LabelledTexts
from scoring.extrinsic.splits import PARTS
from scoring.stats.resampling import Bootstrap

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
    },
)


class ExtrinsicJson(_ExtrinsicJson):
    """`accuracy` (trained on a column, tested on the originals) and `on_paraphrases` (trained on
    the originals, tested on a column) by classifier and column; `repeats` over `seeds`."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Columns by system and metric over the test texts, NaN where there is none."""

    columns: Mapping[str, Mapping[str, Floats]]


def extrinsic_report(
    data: LabelledTexts, sizes: Sequence[int], seeds: Sequence[int], found: Sequence[Experiment],
    *, scores: Scores | None = None, plan: Bootstrap | None = None,
) -> ExtrinsicJson:  # fmt: skip
    """The report of one experiment for each seed; all but the repeats is that of the first."""
    first = found[0]
    table = accuracies(first.trained)
    report: ExtrinsicJson = {
        "accuracy": table,
        "on_paraphrases": accuracies(first.tested),
        "comparisons": first.comparisons(),
        "classifiers": {name: TOLD[name] for name in table},
        "classes": list(data.classes),
        "texts": data.counts(),
        "split": dict(zip(PARTS, sizes, strict=True)),
        "seed": seeds[0],
        "scikit-learn": version("scikit-learn"),
    }
    if len(found) > 1:
        each = [accuracies(one.trained) for one in found]
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
    data: LabelledTexts, found: Experiment, table: Table, scores: Scores, plan: Bootstrap | None
) -> IntrinsicJson:
    place = {key: row for row, key in enumerate(data.ids)}
    rows = [place[key] for key in found.ids]
    lengths = {
        column: np.array([len(texts[row].split()) for row in rows], dtype=np.float64)
        for column, texts in data.texts.items()
    }
    systems: list[SystemJson] = []
    for system, columns in scores.columns.items():
        for metric, values in columns.items():
            known = values[~np.isnan(values)]
            systems.append(
                {
                    "metric": metric,
                    "system": system,
                    "mean": float(known.mean()) if len(known) else None,
                    "accuracy": {name: row[system]["value"] for name, row in table.items()},
                }
            )
    original = next(iter(data.texts))
    return {
        "cells": correlations(found.tested, scores.columns, lengths, original, plan),
        "length": with_length(scores.columns, lengths),
        "systems": systems,
    }


def report_lines(report: ExtrinsicJson) -> Iterator[str]:
    """The report for a terminal."""
    yield from _table_lines("Accuracy on the originals, trained on", report["accuracy"])
    yield from _table_lines(
        "Accuracy, trained on the originals, tested on", report["on_paraphrases"]
    )
    for row in report["comparisons"]:
        yield (
            f"{row['classifier']}: {row['a']} against {row['b']}: {row['only_a']} right by the "
            f"first alone, {row['only_b']} by the second; p {row['p_value']:.4f}, Holm "
            f"{row['holm']:.4f}"
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


def _intrinsic_lines(found: IntrinsicJson) -> Iterator[str]:
    yield (
        "Metrics beside outcomes: Pearson, Spearman (* p < .05, ** p < .01 of one test alone), "
        "Spearman with length held fixed, coverage"
    )
    for cell in found["cells"]:
        fixed = cell["given_length"]["value"]
        yield (
            f"{cell['metric']}, {cell['system']}, {cell['classifier']}, {cell['outcome']}: "
            f"{_starred(cell, 'pearson')}  {_starred(cell, 'spearman')}  "
            f"{'-' if fixed is None else f'{fixed:.3f}'}  {cell['coverage']:.2f}"
        )
    for row in found["length"]:
        if row["mostly_length"]:
            yield (
                f"warning: {row['metric']} of {row['system']} is mostly length: its Spearman "
                f"correlation with the number of words is {row['rho']:.3f}."
            )
    for one in found["systems"]:
        mean_ = "-" if one["mean"] is None else f"{one['mean']:.4f}"
        cells = ", ".join(f"{name} {value:.3f}" for name, value in one["accuracy"].items())
        yield f"{one['metric']}, {one['system']}: mean {mean_}; accuracy {cells}"
    n = len({row["system"] for row in found["systems"]})
    yield f"n = {n} systems: no inference about systems."


def _starred(cell: CellJson, name: str) -> str:
    estimate = cell["pearson"] if name == "pearson" else cell["spearman"]
    adjusted = cell["pearson_holm"] if name == "pearson" else cell["spearman_holm"]
    if estimate["value"] is None:
        return "-"
    p_value = float(dict(estimate)["p_value"])  # type: ignore[arg-type]
    stars = next((mark for level, mark in _LEVELS if p_value < level), "")
    return f"{estimate['value']:.3f}{stars} (Holm {adjusted:.3f})"


def accuracy_rows(found: Experiment) -> Iterator[list[object]]:
    """Rows of accuracy.csv, the first its header."""
    yield ["classifier", "trained_on", "value", "ci_low", "ci_high", "n"]
    for classifier, row in accuracies(found.trained).items():
        for column, one in row.items():
            yield [classifier, column, *one.values()]


def outcome_rows(found: Experiment) -> Iterator[list[object]]:
    """Rows of outcomes.csv, the first its header: of each test text, column and classifier trained
    on the originals. `change` is p_true minus that of the original."""
    yield ["id", "system", "classifier", "correct", "p_true", "change"]
    original = next(column for _, column in found.tested)
    for (classifier, column), one in found.tested.items():
        change = one.p_true - found.tested[classifier, original].p_true
        cells = (one.correct.astype(int).tolist(), one.p_true.tolist(), change.tolist())
        for key, right, p, less in zip(found.ids, *cells, strict=True):
            yield [key, column, classifier, right, p, less]
