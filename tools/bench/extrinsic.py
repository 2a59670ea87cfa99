"""Four classifiers on four training texts, beside plain calls of scikit-learn on the same features.

Invented reviews of Zipf's words, some of which tell the class; a system replaces every third word.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from scoring.extrinsic.classifiers import CLASSIFIERS
from scoring.extrinsic.experiment import run, split
from tests.scoring.extrinsic.reviews import labelled
from tools.bench.apart import apart
from tools.bench.table import line, note

TEXTS, LENGTH, SIZES = 5_500, 230, (2500, 2000, 1000)
TOKEN = r"(?u)\b\w+\b"


def measure(database: str, _seconds: int) -> None:
    """Once: the databases make no difference."""
    if database != "sqlite":
        note("the same on every database, measured above")
        return
    found = apart("tools.bench.extrinsic")
    line(
        "4 classifiers x 4 training texts, 5,500 reviews",
        found["ours"],
        "s",
        goal=60,
        rivals=f"plain scikit-learn: {found['plain']:.0f} s",
    )


def columns() -> tuple[dict[str, list[str]], list[str]]:
    draw = np.random.default_rng(1)
    labels = [("neg", "pos")[at % 2] for at in range(TEXTS)]
    drawn = draw.zipf(1.2, size=(4, TEXTS, LENGTH)) % 40_000
    # A tenth of the words are of one class or the other, mostly the text's own.
    own = np.array([at % 2 for at in range(TEXTS)])[:, None] ^ (draw.random((TEXTS, LENGTH)) < 0.4)
    telling = draw.random((TEXTS, LENGTH)) < 0.1
    first = np.where(telling, 50_000 + 2 * (drawn[0] % 500) + own, drawn[0])
    every = {"text": first}
    for system in (1, 2, 3):
        other = draw.random((TEXTS, LENGTH)) < 1 / 3
        every[f"PG{system}"] = np.where(other, drawn[system], first)
    return {name: [" ".join(map(str, row)) for row in rows] for name, rows in every.items()}, labels


def _timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _plain(texts: dict[str, list[str]], labels: list[str], parts: Any) -> None:
    """What somebody would write by hand: features, training and prediction, and no more."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import LinearSVC

    known = np.array(labels)
    tests = {name: [column[at] for at in parts.test] for name, column in texts.items()}
    for name, column in texts.items():
        training = [column[at] for at in parts.training]
        for models, asked in (
            (
                [
                    LogisticRegression(C=10, max_iter=1000),
                    MultinomialNB(alpha=0.3),
                    LinearSVC(random_state=1),
                ],
                {"ngram_range": (1, 2), "min_df": 2},
            ),
            ([MLPClassifier((64,), early_stopping=True, random_state=1)], {"max_features": 5000}),
        ):
            words = TfidfVectorizer(token_pattern=TOKEN, sublinear_tf=True, **asked)
            rows = words.fit_transform(training)
            tested = list(texts) if name == "text" else ["text"]
            seen = [words.transform(tests[one]) for one in tested]
            for model in models:
                model.fit(rows, known[parts.training])
                for one in seen:
                    model.predict(one)


def extrinsic() -> dict[str, float]:
    """Processor seconds of both."""
    texts, labels = columns()
    data = labelled(texts, labels)
    parts = split(data.ids, data.labels, SIZES, 1)
    import sklearn.feature_extraction.text  # noqa: F401  Whoever is first would pay for it.

    return {
        "plain": _timed(lambda: _plain(texts, labels, parts)),
        "ours": _timed(lambda: run(data, parts, CLASSIFIERS, seed=1)),
    }


if __name__ == "__main__":
    print(json.dumps(extrinsic()))
