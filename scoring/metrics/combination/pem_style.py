"""A regression of gold on adequacy, fluency and dissimilarity, in the style of PEM; and regressors:
a support vector regression kept as numbers, so that nothing in it is executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.base import Metric
from scoring.metrics.files import FileOption, FileRefused, sha256
from scoring.metrics.registry import create
from scoring.metrics.resources.arpa import LM
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.translations import TRANSLATIONS
from scoring.metrics.values import AGAINST_ORIGINAL, Pair, Score

# Regressors.


FILE = "regressor.json"
_ABOUT = About(frozenset({"units"}), say("is not a store of a regressor; make it again."))
_DAMAGED = say("is no regressor that was made here, or is damaged; make it again.")

REGRESSOR = FileOption(
    "regressor",
    "",
    say("It names a regressor, which was trained here on texts with gold (recipe pem_style)."),
    kind="regressor",
)


@dataclass(frozen=True, slots=True)
class Regressor:
    """A regression of gold on standardised features, with a radial basis function.

        value = centre + spread (intercept + sum of weight_i exp(-gamma |z - vector_i|^2))

    features    their names, in order
    mean, deviation   (F,) of each feature, for z
    vectors     (V, F) support vectors, standardised; `weights` (V,) with them
    settings    options of the metrics that give the features
    resources   SHA-256 of the files that these read, by option
    figures     how many texts it was trained on, and its correlation with their gold
    """

    features: Sequence[str]
    mean: Sequence[float]
    deviation: Sequence[float]
    vectors: Sequence[Sequence[float]]
    weights: Sequence[float]
    intercept: float
    gamma: float
    centre: float
    spread: float
    settings: Mapping[str, str]
    resources: Mapping[str, str]
    figures: Mapping[str, float | int | None]

    def predict(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The (n,) values for (n, F) features."""
        z = (features - np.array(self.mean)) / np.array(self.deviation)
        vectors = np.array(self.vectors).reshape(-1, len(self.features))
        apart = ((z[:, None, :] - vectors[None, :, :]) ** 2).sum(axis=2)
        standardised = np.exp(-self.gamma * apart) @ np.array(self.weights) + self.intercept
        return np.asarray(self.centre + self.spread * standardised, dtype=np.float64)


def write_regressor(regressor: Regressor, folder: Path) -> Path:
    """Write the store into a folder, and return its plain file."""
    path = folder / FILE
    path.write_text(json.dumps(asdict(regressor), indent=1), encoding="utf-8")
    _ABOUT.write(folder, {"sha256": sha256(path), "units": regressor.figures["units"]})
    return path


def _loaded(place: Path, content: str) -> Regressor:
    path = place / FILE if place.is_dir() else place
    try:
        fields: Any = json.loads(path.read_text(encoding="utf-8"))
        made = Regressor(**fields)
        wide = len(made.features)
        vectors = np.array(made.vectors, dtype=np.float64).reshape(-1, wide)
        numbers = np.array(
            [
                *made.mean,
                *made.deviation,
                *made.weights,
                made.intercept,
                made.gamma,
                made.centre,
                made.spread,
            ],
            dtype=np.float64,
        )
        whole = len(made.mean) == len(made.deviation) == wide and len(vectors) == len(made.weights)
        if not (whole and np.isfinite(numbers).all() and np.isfinite(vectors).all()):
            raise ValueError("incomplete")
    except (OSError, ValueError, TypeError) as error:
        raise FileRefused.at(path, 0, _DAMAGED) from error
    return made


load_regressor = _ABOUT.cached(_loaded, size=4)
regressor_sha256 = _ABOUT.sha256


# The metric.


# By name: foreign words alone, and n-grams of up to four of them.
FEATURES = ("pivot_f1", "pivot_f1_4", "lm_fluency", "pinc")
# Options of a regressor: how the model's text was cut.
SETTINGS = ("tokenize", "lowercase")


def features_of(translations: str, lm: str, settings: Mapping[str, str]) -> tuple[Metric[Any], ...]:
    """The metrics that give the features, in the order of FEATURES."""
    pivot = {"translations": translations}
    return (
        create("pivot_f1", pivot),
        create("pivot_f1", {**pivot, "order": "4"}),
        create("lm_fluency", {"lm": lm, **settings}),
        create("pinc", {"max_n": "1", "lowercase": "yes"}),
    )


def rows_of(
    metrics: Sequence[Metric[Any]], pairs: Sequence[Pair]
) -> list[tuple[float, ...] | Score]:
    """The features of each pair, or the score of the first feature that is undefined."""
    features: list[tuple[float, ...] | Score] = []
    for scores in zip(*(metric.score_many(pairs) for metric in metrics), strict=True):
        lacking = next((one for one in scores if one.value is None), None)
        features.append(lacking or tuple(float(one.value or 0) for one in scores))
    return features


class PemStyle(Metric[None]):
    """How people would rate the paraphrase, by a regression on what its phrases mean in another
    language, its fluency, and how many of its words are new.

    It is trained here, on the gold of other texts; it is not PEM, whose data and choices differ.
    """

    name = "pem_style"
    title = "PEM-style regression"
    summary = say(
        "On the scale of the gold that it was trained on: adequacy by a pivot language, fluency "
        "and dissimilarity, joined by a regression."
    )
    family = "combination"
    sentences_only = True
    keeps_detail = True
    longest = 20_000
    OPTIONS = (AGAINST_ORIGINAL, REGRESSOR, TRANSLATIONS, LM)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._made: tuple[Regressor, tuple[Metric[Any], ...]] | None = None

    def load(self) -> None:
        """Read the files; FileRefused where the regressor was trained with others."""
        regressor = load_regressor(self.options["regressor"])
        if tuple(regressor.features) != FEATURES or set(regressor.settings) - set(SETTINGS):
            raise FileRefused.at(
                self.options["regressor"], 0, say("is of another version; make it again.")
            )
        parts = features_of(self.options["translations"], self.options["lm"], regressor.settings)
        digests = {name: digest for part in parts for name, digest in part.resources().items()}
        for name, digest in regressor.resources.items():
            if digests[name] != digest:
                raise FileRefused.at(
                    self.options["regressor"],
                    0,
                    say("was trained with another file %(name)s=; name that one.", name=name),
                )
        for part in parts:
            part.load()
        self._made = regressor, parts

    def resources(self) -> dict[str, str]:
        parts = features_of(self.options["translations"], self.options["lm"], {})
        digests = {name: digest for part in parts for name, digest in part.resources().items()}
        return {"regressor": regressor_sha256(self.options["regressor"]), **digests}

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        """Scores in the order of `pairs`."""
        if self._made is None:
            self.load()
        assert self._made is not None  # noqa: S101 - `load` sets it
        regressor, parts = self._made
        rows = rows_of(parts, pairs)
        features = [row for row in rows if not isinstance(row, Score)]
        values = iter(regressor.predict(np.array(features)).tolist() if features else [])
        return [
            Score.undefined(row.reason)
            if isinstance(row, Score)
            else Score(next(values), detail=dict(zip(FEATURES, row, strict=True)))
            for row in rows
        ]

    def _know(self, targets: tuple[str, ...]) -> None:
        return None

    def _score(self, target: None, paraphrase: str) -> Score:
        raise NotImplementedError("pairs are scored together")
