"""The two experiments of Hailu, Yu and Fantaye (2020), sections 3.4 and 4.

A: train on the originals, or on the paraphrases of one system, and test on the same originals.
B: train on the originals, and test on the paraphrases of each system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from scoring.extrinsic.classifiers import Floats, TrainedClassifier, seen, train, view_of
from scoring.extrinsic.nets import SMALL, NetSizes
from scoring.extrinsic.reading import LabelledTexts
from scoring.extrinsic.splits import Split
from scoring.stats.significance.two_metrics import holm, mcnemar
from scoring.stats.systems.intervals import wilson

Key = tuple[str, str]  # A classifier and a column of texts.


class ExtrinsicAccuracyJson(TypedDict):
    """A share of texts with its 95 % interval (Wilson 1927)."""

    value: float
    ci_low: float | None
    ci_high: float | None
    n: int


class TrainingPairJson(TypedDict):
    """McNemar's exact test of two training texts on the same test texts; `holm` is its p-value
    adjusted over all pairs of all classifiers."""

    classifier: str
    a: str
    b: str
    only_a: int
    only_b: int
    p_value: float | None
    holm: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcome of each test text, in the order of the test part: `correct` and the probability
    of its class, `p_true`."""

    correct: NDArray[np.bool_]
    p_true: Floats

    def accuracy(self) -> ExtrinsicAccuracyJson:
        right, n = int(self.correct.sum()), len(self.correct)
        interval = wilson(right, n)
        return {"value": right / n, "ci_low": interval.low, "ci_high": interval.high, "n": n}


@dataclass(frozen=True, slots=True, eq=False)
class Experiment:
    """`trained` (A): tested on the originals, by the column that was trained on. `tested` (B):
    trained on the originals, by the column that was tested. `ids` are those of the test part."""

    ids: tuple[str, ...]
    trained: dict[Key, Outcomes]
    tested: dict[Key, Outcomes]

    def comparisons(self) -> list[TrainingPairJson]:
        """Every pair of training texts of each classifier."""
        found: list[TrainingPairJson] = []
        for classifier in dict.fromkeys(name for name, _ in self.trained):
            columns = [column for name, column in self.trained if name == classifier]
            for a, b in combinations(columns, 2):
                one, other = (self.trained[classifier, column].correct for column in (a, b))
                only_a, only_b = int((one & ~other).sum()), int((other & ~one).sum())
                found.append(
                    {
                        "classifier": classifier, "a": a, "b": b, "only_a": only_a,
                        "only_b": only_b, "p_value": mcnemar(only_a, only_b).p_value,
                        "holm": None,
                    }
                )  # fmt: skip
        for row, adjusted in zip(found, holm([row["p_value"] for row in found]), strict=True):
            row["holm"] = adjusted
        return found


def accuracies(outcomes: Mapping[Key, Outcomes]) -> dict[str, dict[str, ExtrinsicAccuracyJson]]:
    """The accuracies by classifier and column."""
    found: dict[str, dict[str, ExtrinsicAccuracyJson]] = {}
    for (classifier, column), one in outcomes.items():
        found.setdefault(classifier, {})[column] = one.accuracy()
    return found


def run(
    data: LabelledTexts, parts: Split, classifiers: Sequence[str], *, seed: int,
    sizes: NetSizes = SMALL, progress: Callable[[float], None] = lambda share: None,
) -> Experiment:  # fmt: skip
    """Both experiments, for all classifiers and columns; the first column has the originals.

    The parts are the same for all columns. Training and test must have all classes (see
    `class_problems`). Deterministic on one machine.
    """
    columns = list(data.texts)
    pieces = []
    for done, column in enumerate(columns, 1):

        def tell(share: float, done: int = done) -> None:
            progress((done - 1 + share) / len(columns))

        pieces.append(
            on_column(data, parts, column, classifiers, seed=seed, sizes=sizes, progress=tell)
        )
    return joined(data, parts, classifiers, pieces)


def on_column(
    data: LabelledTexts, parts: Split, column: str, classifiers: Sequence[str], *, seed: int,
    sizes: NetSizes = SMALL, progress: Callable[[float], None] = lambda share: None,
) -> tuple[dict[Key, Outcomes], dict[Key, Outcomes]]:  # fmt: skip
    """The part of both experiments that trains on one column: `trained` and `tested`, the latter
    empty unless it is the column of the originals."""
    columns = list(data.texts)
    original = columns[0]
    names = {name: number for number, name in enumerate(data.classes)}
    classes = np.array([names[label] for label in data.labels], dtype=np.int64)
    wanted = classes[parts.test]
    trained: dict[Key, Outcomes] = {}
    tested: dict[Key, Outcomes] = {}
    done = 0
    # In this order, features of one view are in memory at a time.
    for view in ("wide", "narrow", "words"):
        mine = [name for name in classifiers if view_of(name) == view]
        if not mine:
            continue
        features = seen(_rows(data, column, parts.training), view, sizes)
        tests = {
            name: features.of(_rows(data, name, parts.test))
            for name in (columns if column == original else [original])
        }
        validation = None
        if view != "wide" and len(parts.validation):
            held = features.of(_rows(data, column, parts.validation))
            validation = held, classes[parts.validation]
        for classifier in mine:

            def tell(share: float, done: int = done) -> None:
                progress((done + share) / len(classifiers))

            model = train(
                classifier, features.training, classes[parts.training],
                validation=validation, seed=seed, sizes=sizes, progress=tell,
            )  # fmt: skip
            trained[classifier, column] = _outcomes(model, tests[original], wanted)
            if column == original:
                for name, rows in tests.items():
                    tested[classifier, name] = _outcomes(model, rows, wanted)
            done += 1
            progress(done / len(classifiers))
    return trained, tested


def joined(
    data: LabelledTexts, parts: Split, classifiers: Sequence[str],
    pieces: Iterable[tuple[Mapping[Key, Outcomes], Mapping[Key, Outcomes]]],
) -> Experiment:  # fmt: skip
    """The experiment of what `on_column` found for every column, and all classifiers."""
    trained: dict[Key, Outcomes] = {}
    tested: dict[Key, Outcomes] = {}
    for one, other in pieces:
        trained |= one
        tested |= other
    ordered = [(name, column) for name in classifiers for column in data.texts]
    return Experiment(
        tuple(data.ids[row] for row in parts.test),
        {key: trained[key] for key in ordered},
        {key: tested[key] for key in ordered},
    )


def _rows(data: LabelledTexts, column: str, rows: NDArray[np.int64]) -> list[str]:
    texts = data.texts[column]
    return [texts[row] for row in rows]


def _outcomes(model: TrainedClassifier, rows: object, wanted: NDArray[np.int64]) -> Outcomes:
    found = model.probabilities(rows)
    return Outcomes(found.argmax(axis=1) == wanted, found[np.arange(len(wanted)), wanted])


def class_counts(data: LabelledTexts, parts: Split) -> dict[str, dict[str, int]]:
    """How many texts each part has of each class."""
    return {
        part: {name: sum(data.labels[row] == name for row in rows) for name in data.classes}
        for part, rows in (
            ("training", parts.training),
            ("validation", parts.validation),
            ("test", parts.test),
        )
    }
