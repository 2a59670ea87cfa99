"""The two experiments of Hailu, Yu and Fantaye (2020), sections 3.4 and 4.

A: train on the originals, or on the paraphrases of one system, and test on the same originals.
B: train on the originals, and test on the paraphrases of each system.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from paraanno.common.cells import Cells, Columns
from paraanno.common.records import format_of, read_records
from paraanno.common.texts import FIRST_PROBLEMS, Problem, ProblemLog, Sentence, say, shown
from scoring.extrinsic.classifiers import (
    SMALL,
    Features,
    Floats,
    NetSizes,
    Sequences,
    TrainedClassifier,
    seen,
    train,
    view_of,
)
from scoring.stats.significance.swaps import holm, mcnemar
from scoring.stats.systems.values import wilson

# Reader of labelled texts: columns of texts (the original first) and one of labels.


ID = "id"
MOST_CLASSES = 20
_DECIMAL = re.compile(r"[+-]?\d*[.,]\d+")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class LabelledTexts:
    """Rows that can be used, in file order: `texts` by column, one for each of `ids` and `labels`.

    Counted and left out, in this order: rows without a label, rows with a column that has no word,
    and rows whose original repeats that of an earlier row (white space aside), of which
    `contradicting` had another label. `problems` are errors: if there are any, use no row.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    texts: dict[str, tuple[str, ...]]
    no_label: int
    no_text: int
    doubled: int
    contradicting: int
    problems: tuple[Problem, ...]

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.labels)))

    def counts(self) -> dict[str, int]:
        """How many rows are used, and how many are left out why."""
        return {
            "used": len(self.ids),
            "no_label": self.no_label,
            "no_text": self.no_text,
            "doubled": self.doubled,
            "doubled_with_another_label": self.contradicting,
        }


def read_labelled(path: Path, columns: Sequence[str], label: str) -> LabelledTexts:
    """Read a CSV file (or TSV or JSONL, by its name) of texts with a class.

    The first of `columns` is the original. A column `id` names the rows and must not repeat;
    without it they are numbered from 1. A label with a decimal part is a problem (a class is
    wanted, not a score), and so are less than 2 or more than MOST_CLASSES classes. Problems are
    returned, not raised.
    """
    log = ProblemLog(str(path), limit=FIRST_PROBLEMS)
    needed = tuple(dict.fromkeys((*columns, label)))
    expected = Columns(
        words=(ID, *needed),
        knows=lambda name: name == ID or name in needed,
        needed=needed,
        strict=False,
    )
    rows = _Rows(columns, label)
    for cells in read_records(path, log=log, columns=expected, format=format_of(path.name, "csv")):
        rows.take(cells)
    classes = len(set(rows.labels))
    if not log.errors and not 2 <= classes <= MOST_CLASSES:
        log.error(0, _classes(classes, label))
    return LabelledTexts(
        tuple(rows.ids),
        tuple(rows.labels),
        {name: tuple(texts) for name, texts in rows.texts.items()},
        rows.no_label,
        rows.no_text,
        rows.doubled,
        rows.contradicting,
        log.problems(),
    )


def _classes(n: int, label: str) -> Sentence:
    if n < 2:
        return say(
            "the texts have %(n)s classes in column %(label)s: at least 2 are needed",
            n=n,
            label=shown(label),
        )
    return say(
        "the texts have %(n)s classes in column %(label)s, at most %(most)s are possible: name a "
        "column of classes, not of scores",
        n=n,
        label=shown(label),
        most=MOST_CLASSES,
    )


class _Rows:
    """Collects the rows that can be used, and counts the others."""

    def __init__(self, columns: Sequence[str], label: str) -> None:
        self._label = label
        self._lines: dict[str, int] = {}  # Where each id is.
        self._first: dict[str, str] = {}  # The label of each original.
        self.texts: dict[str, list[str]] = {name: [] for name in columns}
        self._original = columns[0]
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.no_label = self.no_text = self.doubled = self.contradicting = 0

    def take(self, cells: Cells) -> None:
        key = self._id(cells)
        label = cells.name(self._label) if cells.values.get(self._label) is not None else None
        values = {name: cells.text(name) for name in self.texts}
        if label is not None and _DECIMAL.fullmatch(label):
            cells.fail(
                self._label,
                say(
                    "%(label)s is a number with decimals: give a class, not a score",
                    label=shown(label),
                ),
            )
        if cells.failed:
            return
        if label is None:
            self.no_label += 1
            return
        texts = {name: text for name, text in values.items() if text and _WORD.search(text)}
        if len(texts) < len(values):
            self.no_text += 1
            return
        original = " ".join(texts[self._original].split())
        if original in self._first:
            self.doubled += 1
            self.contradicting += self._first[original] != label
            return
        self._first[original] = label
        self.ids.append(key)
        self.labels.append(label)
        for name, text in texts.items():
            self.texts[name].append(text)

    def _id(self, cells: Cells) -> str:
        if ID not in cells.values:
            # A row without an id is named by its number.
            key = str(len(self._lines) + 1)
        else:
            key = (cells.label(ID) or "").strip()
        cells.once(ID, key, self._lines)
        return key


# Parts of labelled texts: training, validation and test, with the same share of each class.


# Training, validation and test of the paper, whose sum is 5,500.
PAPER = (2500, 2000, 1000)
PARTS = ("training", "validation", "test")

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Rows of each part; no row is in two."""

    training: Ints
    validation: Ints
    test: Ints


def usual_sizes(n: int) -> tuple[int, int, int]:
    """The sizes of the parts of n texts in the proportions of Hailu, Yu and Fantaye (2020)."""
    training, validation = (n * size // sum(PAPER) for size in PAPER[:2])
    return training, validation, n - training - validation


def split(
    ids: Sequence[str], labels: Sequence[str], sizes: tuple[int, int, int], seed: int
) -> Split:
    """Draw the parts. Each has as many texts of each class as its size allows, to within one.

    Depends on ids, labels and seed, and not on the order of rows; the rows of a part are in the
    order of their ids. ValueError if the parts are larger than the data.
    """
    if sum(sizes) > len(ids):
        raise ValueError(f"{sum(sizes)} texts are asked for and there are {len(ids)}")
    draw = np.random.default_rng(seed)
    by_id = sorted(range(len(ids)), key=ids.__getitem__)
    groups: dict[str, list[int]] = {name: [] for name in sorted(set(labels))}
    for row in by_id:
        groups[labels[row]].append(row)
    place: dict[int, tuple[float, int]] = {}
    for number, rows in enumerate(groups.values()):
        # A class with n texts has one in each n-th of the whole, so that every part gets its share.
        for at, row in enumerate(draw.permutation(rows).tolist()):
            place[row] = ((at + 0.5) / len(rows), number)
    order = sorted(by_id, key=place.__getitem__)
    parts, start = [], 0
    for size in sizes:
        rows = sorted(order[start : start + size], key=ids.__getitem__)
        parts.append(np.array(rows, dtype=np.int64))
        start += size
    return Split(*parts)


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
        rows: list[TrainingPairJson] = []
        for classifier in dict.fromkeys(name for name, _ in self.trained):
            columns = [column for name, column in self.trained if name == classifier]
            for a, b in combinations(columns, 2):
                one, other = (self.trained[classifier, column].correct for column in (a, b))
                only_a, only_b = int((one & ~other).sum()), int((other & ~one).sum())
                rows.append(
                    {
                        "classifier": classifier,
                        "a": a,
                        "b": b,
                        "only_a": only_a,
                        "only_b": only_b,
                        "p_value": mcnemar(only_a, only_b).p_value,
                        "holm": None,
                    }
                )
        for row, adjusted in zip(rows, holm([row["p_value"] for row in rows]), strict=True):
            row["holm"] = adjusted
        return rows


def accuracies(outcomes: Mapping[Key, Outcomes]) -> dict[str, dict[str, ExtrinsicAccuracyJson]]:
    """The accuracies by classifier and column."""
    by_classifier: dict[str, dict[str, ExtrinsicAccuracyJson]] = {}
    for (classifier, column), one in outcomes.items():
        by_classifier.setdefault(classifier, {})[column] = one.accuracy()
    return by_classifier


def run(
    data: LabelledTexts,
    parts: Split,
    classifiers: Sequence[str],
    *,
    seed: int,
    sizes: NetSizes = SMALL,
    progress: Callable[[float], None] = lambda share: None,
) -> Experiment:
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
    data: LabelledTexts,
    parts: Split,
    column: str,
    classifiers: Sequence[str],
    *,
    seed: int,
    sizes: NetSizes = SMALL,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[dict[Key, Outcomes], dict[Key, Outcomes]]:
    """The part of both experiments that trains on one column: `trained` and `tested`, the latter
    empty unless it is the column of the originals."""
    columns = list(data.texts)
    original = columns[0]
    classes = _classes_of(data)
    wanted = classes[parts.test]
    trained: dict[Key, Outcomes] = {}
    tested: dict[Key, Outcomes] = {}
    done = 0
    # In this order, features of one view are in memory at a time.
    for view in ("wide", "narrow", "words"):
        selected = [name for name in classifiers if view_of(name) == view]
        if not selected:
            continue
        features = seen(_rows(data, column, parts.training), view, sizes)
        tests = {
            name: features.of(_rows(data, name, parts.test))
            for name in (columns if column == original else [original])
        }
        validation = _held(data, parts, column, classes, features, view)
        for classifier in selected:

            def tell(share: float, done: int = done) -> None:
                progress((done + share) / len(classifiers))

            model = train(
                classifier,
                features.training,
                classes[parts.training],
                validation=validation,
                seed=seed,
                sizes=sizes,
                progress=tell,
            )
            trained[classifier, column] = _outcomes(model, tests[original], wanted)
            if column == original:
                for name, rows in tests.items():
                    tested[classifier, name] = _outcomes(model, rows, wanted)
            done += 1
            progress(done / len(classifiers))
    return trained, tested


class LineJson(TypedDict):
    """What the accuracies of a classifier are to be read beside: the share of the most frequent
    class of the training part (`majority`), and after training on the originals with their classes
    shuffled (`shuffled`) and on half of them (`half`). All are tested on the same originals."""

    majority: ExtrinsicAccuracyJson
    shuffled: ExtrinsicAccuracyJson
    half: ExtrinsicAccuracyJson


def lines(
    data: LabelledTexts,
    parts: Split,
    classifiers: Sequence[str],
    *,
    seed: int,
    sizes: NetSizes = SMALL,
    progress: Callable[[float], None] = lambda share: None,
) -> dict[str, LineJson]:
    """The lines of each classifier. Classes are shuffled within training and within validation, so
    that their shares stay; the half has its share of every class, and at least one text of each.
    Deterministic, as `run`.
    """
    original, classes = next(iter(data.texts)), _classes_of(data)
    draw = np.random.default_rng([seed, 1])
    shuffled = classes.copy()
    for part in (parts.training, parts.validation):
        shuffled[part] = draw.permutation(classes[part])
    trainings = {
        "shuffled": (parts.training, shuffled),
        "half": (_half(parts.training, classes, draw), classes),
    }
    results: dict[tuple[str, str], ExtrinsicAccuracyJson] = {}
    for view in ("wide", "narrow", "words"):
        selected = [name for name in classifiers if view_of(name) == view]
        for which, (rows, labels) in trainings.items() if selected else ():
            features = seen(_rows(data, original, rows), view, sizes)
            test = features.of(_rows(data, original, parts.test))
            validation = _held(data, parts, original, labels, features, view)
            for name in selected:
                model = train(
                    name,
                    features.training,
                    labels[rows],
                    validation=validation,
                    seed=seed,
                    sizes=sizes,
                    progress=lambda share: progress(
                        (len(results) + share) / (2 * len(classifiers))
                    ),
                )
                results[name, which] = _outcomes(model, test, classes[parts.test]).accuracy()
    most = _majority(classes, parts)
    return {
        name: {
            "majority": most,
            "shuffled": results[name, "shuffled"],
            "half": results[name, "half"],
        }
        for name in classifiers
    }


def _classes_of(data: LabelledTexts) -> Ints:
    names = {name: number for number, name in enumerate(data.classes)}
    return np.array([names[label] for label in data.labels], dtype=np.int64)


def _majority(classes: Ints, parts: Split) -> ExtrinsicAccuracyJson:
    """The accuracy of naming the most frequent class of the training part, the first of equals."""
    right = classes[parts.test] == np.bincount(classes[parts.training]).argmax()
    return Outcomes(right, right.astype(np.float64)).accuracy()


def _half(rows: Ints, classes: Ints, draw: np.random.Generator) -> Ints:
    """Half of the rows of each class, rounded up, in their order."""
    halves = [
        draw.permutation(members)[: (len(members) + 1) // 2]
        for name in np.unique(classes[rows])
        for members in [rows[classes[rows] == name]]
    ]
    chosen = np.isin(rows, np.concatenate(halves))
    return np.asarray(rows[chosen], dtype=np.int64)


def _held(
    data: LabelledTexts,
    parts: Split,
    column: str,
    labels: Ints,
    features: Features | Sequences,
    view: str,
) -> tuple[Any, Ints] | None:
    """The validation part for classifiers that use it."""
    if view == "wide" or not len(parts.validation):
        return None
    return features.of(_rows(data, column, parts.validation)), labels[parts.validation]


def joined(
    data: LabelledTexts,
    parts: Split,
    classifiers: Sequence[str],
    pieces: Iterable[tuple[Mapping[Key, Outcomes], Mapping[Key, Outcomes]]],
) -> Experiment:
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
    probabilities = model.probabilities(rows)
    return Outcomes(
        probabilities.argmax(axis=1) == wanted, probabilities[np.arange(len(wanted)), wanted]
    )


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
