"""Mixes of metrics: the correlation of w A + (1 - w) B, and a cross-validated best mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np
import scipy

from paraanno.common.texts import say
from scoring.stats.evaluation import catalogue
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.intervals import LEAST_CLUSTERS, Bootstrap, attach, groups_of
from scoring.stats.significance.paired import Sample, is_constant, sample_of, standard
from scoring.stats.table import Estimate, EstimateJson, FloatArray, IntArray, undefined

STEPS = 20
MARKED = (0.2, 0.5, 0.8)  # 2:8, 5:5, 8:2: the mixes of Moon et al. (BLEU_APEM).
SCALES = ("raw", "minmax", "z")
FITS = ("nnls", "ols")
FOLDS = 5
NAMES = tuple(catalogue.at("mixes"))


class MixPoint(TypedDict):
    """A mix; it is called by its ratio where it is marked."""

    weight: float
    ratio: str | None
    marked: bool
    pearson: EstimateJson
    spearman: EstimateJson


class MixCurveJson(TypedDict):
    first: str
    second: str
    scale: str
    n: int
    points: list[MixPoint]
    best: dict[str, float | None]


class BestMixJson(TypedDict):
    names: list[str]
    fit: str
    weights: list[float]
    by_fold: list[list[float]]
    out_of_fold: dict[str, EstimateJson]
    singles: dict[str, dict[str, EstimateJson]]
    in_sample: EstimateJson


@dataclass(frozen=True, eq=False)
class MixCurve:
    """Correlation by weight of the first metric; weights, pearson, spearman: (W,).

    The weights 2:8, 5:5 and 8:2 are marked.
    """

    first: str
    second: str
    scale: str
    n: int
    weights: tuple[float, ...]
    pearson: tuple[Estimate, ...]
    spearman: tuple[Estimate, ...]

    def best(self, name: str = "pearson") -> float | None:
        """Return the weight with the highest coefficient, which is optimistic in-sample."""
        values = [one.value for one in getattr(self, name)]
        defined = [
            (value, -weight)
            for value, weight in zip(values, self.weights, strict=True)
            if value is not None
        ]
        return -max(defined)[1] if defined else None

    def to_json(self) -> MixCurveJson:
        points: list[MixPoint] = [
            {
                "weight": weight,
                "ratio": f"{round(10 * weight)}:{round(10 * (1 - weight))}",
                "marked": any(abs(weight - one) < 1e-9 for one in MARKED),
                "pearson": r.as_json(),
                "spearman": rho.as_json(),
            }
            for weight, r, rho in zip(self.weights, self.pearson, self.spearman, strict=True)
        ]
        for point in points:
            point["ratio"] = point["ratio"] if point["marked"] else None
        return {
            "first": self.first,
            "second": self.second,
            "scale": self.scale,
            "n": self.n,
            "points": points,
            "best": {name: self.best(name) for name in catalogue.at("curve")},
        }


def mix_curve(
    human: FloatArray,
    first: tuple[str, FloatArray],
    second: tuple[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    *,
    scale: str = "minmax",
    steps: int = STEPS,
) -> MixCurve:
    """Correlate w A + (1 - w) B with human values over the units where all three are present.

    first, second  (name, (n,) values); weight 0.2 is the mix 2:8
    scale  transformation before mixing: none (raw), to [0, 1] over these units (minmax), or
           standardised (z). Moon et al. do not report theirs; both their metrics range from 0 to 1,
           so raw is the literal reading. A constant column is set to 0 by minmax and z.
    steps  weights are 0, 1/steps, ..., 1 and the marked ones. All share the bootstrap resamples.
    Raises ValueError for an unknown scale or fewer than one step.
    """
    if scale not in SCALES or steps < 1:
        raise ValueError(f"scale is one of {', '.join(SCALES)}, steps is at least 1")
    sample = sample_of(human, {"a": first[1], "b": second[1]}, clusters)
    a, b = (rescaled(column, scale) for column in sample.y.T)
    weights = np.unique(np.round(np.append(np.arange(steps + 1) / steps, MARKED), 9))
    columns = {str(place): w * a + (1 - w) * b for place, w in enumerate(weights)}
    estimates = coefficients(
        sample.x,
        columns,
        sample.codes if sample.clustered else None,
        plan,
        tuple(catalogue.at("curve")),
    )
    pearson, spearman = (
        tuple(estimates[name][one] for name in columns) for one in ("pearson", "spearman")
    )
    plain_weights = tuple(float(weight) for weight in weights)
    return MixCurve(first[0], second[0], scale, sample.n, plain_weights, pearson, spearman)


def pair_to_mix(
    human: FloatArray, metrics: Mapping[str, FloatArray], first: str = "", second: str = ""
) -> tuple[str, str]:
    """Return the names of two metrics to mix. Where not given, the first is the one that correlates
    highest with human values, the second the one that adds most to it without a negative weight.

    A metric that lacks more than half of the texts comes after all others, whatever it adds.
    """
    texts = np.isfinite(human).sum()

    def worth(*names: str) -> tuple[bool, float]:
        sample = sample_of(human, {name: metrics[name] for name in names}, None)
        mix = sample.y @ _fitted(sample.x, sample.y, "nnls")[0] if sample.n else sample.x
        alike = is_constant(mix) or is_constant(sample.x)
        r = 0.0 if alike else float(np.corrcoef(sample.x, mix)[0, 1])
        return bool(2 * sample.n >= texts), r

    first = first or max((one for one in metrics if one != second), key=worth)
    others = (one for one in metrics if one != first)
    return first, second or max(others, key=lambda one: worth(first, one))


def rescaled(values: FloatArray, scale: str) -> FloatArray:
    """Transform (n,) values by one of SCALES; minmax and z of a constant column are 0."""
    if scale == "raw" or not values.size:
        return values
    if is_constant(values):
        return np.zeros(values.shape)
    if scale == "z":
        return standard(values)
    low, high = values.min(), values.max()
    return np.asarray(values / (high - low) - low / (high - low))


@dataclass(frozen=True, eq=False)
class BestMix:
    """A linear mix fitted to human values and evaluated on other originals.

    weights  of the standardised metrics, fitted on all units; by_fold (F, M) those of each fold
    out_of_fold  {pearson, spearman, kendall} of its predictions with the human values
    singles  {metric: the same coefficients of it alone}, on the same units
    in_sample  Pearson of the mix on the training units, which is optimistic
    """

    names: tuple[str, ...]
    fit: str
    weights: tuple[float, ...]
    by_fold: tuple[tuple[float, ...], ...]
    out_of_fold: Mapping[str, Estimate]
    singles: Mapping[str, Mapping[str, Estimate]]
    in_sample: Estimate

    def to_json(self) -> BestMixJson:
        return {
            "names": list(self.names),
            "fit": self.fit,
            "weights": list(self.weights),
            "by_fold": [list(row) for row in self.by_fold],
            "out_of_fold": {name: one.as_json() for name, one in self.out_of_fold.items()},
            "singles": {
                metric: {name: one.as_json() for name, one in estimates.items()}
                for metric, estimates in self.singles.items()
            },
            "in_sample": self.in_sample.as_json(),
        }


def best_mix(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    clusters: IntArray | None = None,
    plan: Bootstrap | None = None,
    *,
    fit: str = "nnls",
    folds: int = FOLDS,
    seed: int = 0,
) -> BestMix:
    """Regress standardised human values on standardised metrics, with cross-validation.

    fit    nnls: non-negative weights; ols: any weights (minimum norm if metrics are collinear)
    folds  each cluster (without clusters each unit) is in one fold; means and standard deviations
           come from the other folds. Only units with the human value and all metrics are used.
    The out-of-fold coefficients pool the predictions of all folds. The jackknife fits the weights
    anew without each cluster (weights held fixed cover too little); a bootstrap holds them fixed.
    Undefined for fewer than two clusters (units), and if a coefficient is. Raises ValueError for
    an unknown fit, or fewer than two folds.
    """
    if fit not in FITS or folds < 2:
        raise ValueError(f"fit is one of {', '.join(FITS)}, folds are at least 2")
    sample = sample_of(human, metrics, clusters)
    codes = sample.codes if sample.clustered else None
    singles = coefficients(
        sample.x, dict(zip(sample.names, sample.y.T, strict=True)), codes, plan, NAMES
    )
    if sample.groups < 2:
        none = undefined(say("undefined: needs two originals"), n=sample.n)
        return BestMix(sample.names, fit, (), (), dict.fromkeys(NAMES, none), singles, none)
    fold = (np.random.default_rng(seed).permutation(sample.groups) % folds)[sample.codes]
    predicted, by_fold = _out_of_fold(sample.x, sample.y, fold, fit)
    weights, shift = _fitted(sample.x, sample.y, fit)
    everything = {"out": predicted, "in": sample.y @ weights + shift}
    estimates = coefficients(sample.x, everything, codes, plan, NAMES)
    if plan is not None and plan.jackknife:
        estimates["out"] = _refitted(estimates["out"], sample, fold, fit, plan)
    standardised = tuple(float(w) for w in weights * _spread(sample.y))
    return BestMix(
        sample.names,
        fit,
        standardised,
        tuple(tuple(row) for row in by_fold),
        estimates["out"],
        singles,
        estimates["in"]["pearson"],
    )


def _out_of_fold(
    x: FloatArray, y: FloatArray, fold: IntArray, fit: str
) -> tuple[FloatArray, list[list[float]]]:
    """Return (n,) predictions of each fold by the weights of the others, and these weights."""
    predicted, by_fold = np.zeros(x.size), []
    for one in np.unique(fold):
        inside = fold == one
        weights, shift = _fitted(x[~inside], y[~inside], fit)
        predicted[inside] = y[inside] @ weights + shift
        by_fold.append((weights * _spread(y[~inside])).tolist())
    return predicted, by_fold


def _refitted(
    estimates: Mapping[str, Estimate], sample: Sample, fold: IntArray, fit: str, plan: Bootstrap
) -> dict[str, Estimate]:
    """Return the out-of-fold coefficients with intervals by the jackknife of the whole procedure;
    folds stay as they are."""
    group = groups_of(sample.groups, plan.seed)[sample.codes]
    made: dict[str, list[float]] = {name: [] for name in estimates}
    enough = sample.groups >= LEAST_CLUSTERS
    for out in range(int(group.max(initial=-1)) + 1) if enough else ():
        rest = group != out
        values: Mapping[str, Estimate] = {}
        if np.unique(fold[rest]).size > 1:
            mixed, _ = _out_of_fold(sample.x[rest], sample.y[rest], fold[rest], fit)
            values = coefficients(sample.x[rest], {"": mixed}, names=NAMES)[""]
        for name, replicates in made.items():
            value = values[name].value if name in values else None
            replicates.append(np.nan if value is None else value)
    return {
        name: attach(
            replace(one, ci_low=None, ci_high=None, options={}),
            np.array(made[name]),
            plan,
            sample.groups,
            sample.clustered,
            form="z",
        )
        for name, one in estimates.items()
    }


def _spread(y: FloatArray) -> FloatArray:
    return np.asarray(np.where([is_constant(column) for column in y.T], 0.0, y.std(axis=0)))


def _fitted(x: FloatArray, y: FloatArray, fit: str) -> tuple[FloatArray, float]:
    """Return the weights of the raw metrics (0 for a constant one) and the intercept."""
    spread = _spread(y)
    scale = np.where(spread > 0, spread, 1.0)
    z = np.where(spread > 0, (y - y.mean(axis=0)) / scale, 0.0)
    target = x - x.mean()
    solution = scipy.optimize.nnls(z, target)[0] if fit == "nnls" else np.linalg.lstsq(z, target)[0]
    weights = np.asarray(solution / scale, dtype=np.float64)
    return weights, float(x.mean() - y.mean(axis=0) @ weights)
