"""Regressors: a support vector regression kept as numbers, so that nothing in it is executed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import say
from scoring.metrics.files import FileOption, FileRefused, sha256
from scoring.metrics.resources.stores import About

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


def regressor_sha256(path: str) -> str:
    """The SHA-256 of the plain file, also for a store."""
    return _ABOUT.sha256(path)


def load_regressor(path: str) -> Regressor:
    """The regressor of a file or a store; cached until it changes. Raises FileRefused."""
    return _loaded(Path(path), regressor_sha256(path))


@lru_cache(maxsize=4)
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
