"""The recipe `pem_style`: from texts with gold to the regressor of the metric of that name."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.building.recipes.options import ColumnOption
from scoring.building.recipes.recipe import Numbers, Recipe, Stage, StageInput
from scoring.building.texts.table import TextTable, at_row, open_texts
from scoring.metrics.base import Pair
from scoring.metrics.combination.pem_style import FEATURES, SETTINGS, features_of, rows_of
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.regressor import FILE, Regressor, write_regressor
from scoring.metrics.texts import LOWERCASE, TOKENIZE
from scoring.metrics.values import Score

LEAST_UNITS, FOLDS = 50, 5
COST, EPSILON = 1.0, 0.1  # Of the regression of standardised gold.
GAMMA = 1 / len(FEATURES)
_BATCH = 200
Floats = NDArray[np.float64]


def _train(step: StageInput) -> Numbers:
    """Score the features, train, and write the regressor with its figures."""
    options = step.options
    pairs, gold = _read(open_texts(step.inputs["texts"]), options["original"],
                        options["paraphrase"], options["gold"])  # fmt: skip
    settings = {name: options[name] for name in SETTINGS}
    parts = features_of(str(step.inputs["translations"]), str(step.inputs["lm"]), settings)
    rows: list[tuple[float, ...] | Score] = []
    for at in range(0, len(pairs), _BATCH):
        rows += rows_of(parts, pairs[at : at + _BATCH])
        step.progress(0.8 * len(rows) / len(pairs))
    kept = [at for at, row in enumerate(rows) if not isinstance(row, Score)]
    if len(kept) < LEAST_UNITS:
        raise FileRefused.at(
            "texts", 0,
            say("has %(n)s texts with gold and features; at least %(least)s are needed.",
                n=len(kept), least=LEAST_UNITS),
        )  # fmt: skip
    x = np.array([rows[at] for at in kept], dtype=np.float64)
    y = gold[kept]
    if np.ptp(y) == 0:
        raise FileRefused.at("texts", 0, say("gives all texts the same gold; use others."))
    original = np.unique([pairs[at].original for at in kept], return_inverse=True)[1]
    resources = {name: digest for part in parts for name, digest in part.resources().items()}
    inside = fit(x, y, settings, resources)
    outside = out_of_fold(x, y, original)
    figures = {
        "units": len(kept), "left_out": len(rows) - len(kept),
        "originals": int(original.max()) + 1,
        "in_sample_pearson": _pearson(inside.predict(x), y),
        "out_of_fold_pearson": _pearson(outside, y),
    }  # fmt: skip
    write_regressor(replace(inside, figures=figures), step.folder)
    return {"rows": len(kept), "vectors": len(inside.weights), "left_out": len(rows) - len(kept)}


def _read(table: TextTable, original: str, paraphrase: str, gold: str) -> tuple[list[Pair], Floats]:
    """The pairs that have gold, which is a number in the column `gold`."""
    table.check_columns(original, paraphrase, gold)
    pairs, values = [], []
    for number, row in enumerate(table.rows(), 1):
        if not (row.get(original) and row.get(paraphrase) and row.get(gold)):
            continue
        try:
            value = float(row[gold])
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            message = say(
                "%(value)s is no number; use one in the column %(name)s.",
                value=repr(row[gold]), name=repr(gold),
            )  # fmt: skip
            raise FileRefused(at_row(number, message))
        pairs.append(Pair(row[original], row[paraphrase]))
        values.append(value)
    return pairs, np.array(values, dtype=np.float64)


def fit(x: Floats, y: Floats, settings: dict[str, str], resources: dict[str, str]) -> Regressor:
    """Support vector regression (radial basis function) of gold on features, both standardised."""
    from sklearn.svm import SVR

    mean, deviation = x.mean(axis=0), x.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    centre, spread = float(y.mean()), float(y.std()) or 1.0
    made = SVR(C=COST, epsilon=EPSILON, gamma=GAMMA)
    made.fit((x - mean) / deviation, (y - centre) / spread)
    return Regressor(
        FEATURES, mean.tolist(), deviation.tolist(), made.support_vectors_.tolist(),
        made.dual_coef_[0].tolist(), float(made.intercept_[0]), GAMMA, centre, spread,
        settings, resources, {},
    )  # fmt: skip


def out_of_fold(x: Floats, y: Floats, original: NDArray[np.int64]) -> Floats:
    """Predictions for each fold of originals by what was trained on the others; NaN if all texts
    are of one original."""
    folds = min(FOLDS, int(original.max()) + 1)
    found = np.full(y.size, np.nan)
    for fold in range(folds) if folds > 1 else ():
        inside = original % folds != fold
        found[~inside] = fit(x[inside], y[inside], {}, {}).predict(x[~inside])
    return found


def _pearson(one: Floats, other: Floats) -> float | None:
    if not np.isfinite(one).all() or np.ptp(one) == 0:
        return None
    return float(np.corrcoef(one, other)[0, 1])


PEM_STYLE = Recipe(
    name="pem_style",
    title=say("Regressor for pem_style"),
    summary=say(
        "A regression of people's values on what phrases mean in another language, fluency and new "
        "words, from a table of texts with gold (such as the gold of another campaign)."
    ),
    kind="regressor",
    inputs={"texts": "texts", "translations": "translations", "lm": "lm"},
    options=(
        ColumnOption("original", "sentence", say("The column of the original.")),
        ColumnOption("paraphrase", "paraphrase", say("The column of the paraphrase.")),
        ColumnOption("gold", "MEANING", say("The column of the gold, a number.")),
        TOKENIZE,
        LOWERCASE,
    ),
    stages=(Stage("train", _train),),
    plain=FILE,
    libraries=("numpy", "scikit-learn"),
)  # fmt: skip
