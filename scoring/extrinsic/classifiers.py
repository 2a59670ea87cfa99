"""Classifiers of texts on TF-IDF, from scikit-learn: what an extrinsic evaluation trains.

Those of Hailu, Yu and Fantaye (2020) are neural nets (nets.py); these four are ours, small and
quick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.extrinsic.counting import WordPairs
from scoring.extrinsic.nets import NET_TOLD, NETS, SMALL, NetSizes, Sequences, train_net

Floats = NDArray[np.float64]

CLASSIFIERS = ("logreg", "nb", "svm", "mlp")
EVERY = (*CLASSIFIERS, *NETS)
TOLD = {
    "logreg": "logistic regression, C=10, TF-IDF of 1-2-grams in two texts or more",
    "nb": "multinomial naive Bayes, alpha .3, TF-IDF of 1-2-grams in two texts or more",
    "svm": "linear SVM, C=1, TF-IDF of 1-2-grams in two texts or more, logistic function of margin",
    "mlp": "64 hidden units, Adam, TF-IDF of 5,000 words, best epoch on the validation part",
    **NET_TOLD,
}
_NARROW = 5000  # Words that the net sees.
_ENOUGH = 100  # Training texts from which on a word of one text alone is left out.
_HIDDEN = 64
_BLIND_EPOCHS = 30  # Without a validation part.
_MOST_EPOCHS = 100
_PATIENCE = 10  # Epochs without a better accuracy on the validation part.
_STEPS = 12  # Of an epoch, at least, as far as batches of 16 texts allow: few texts need steps too.
_TOKEN = r"(?u)\b\w+\b"  # noqa: S105  scikit-learn's own leaves out words of one letter.


class Features:
    """TF-IDF of texts by the words of the training texts; sublinear in the count of a word.

    `wide` counts words and pairs of words that two training texts have (of fewer than 100 texts,
    all); else the 5,000 most frequent words alone.
    """

    def __init__(self, training: Sequence[str], *, wide: bool) -> None:
        from sklearn.feature_extraction.text import TfidfTransformer

        self._words = _counted(training, wide)
        self._weights = TfidfTransformer(sublinear_tf=True)
        self.training: Any = self._weights.fit_transform(self._words.training)

    def of(self, texts: Sequence[str]) -> Any:
        """A sparse matrix with a row for each text."""
        return self._weights.transform(self._words.of(texts))


class _Narrow:
    """Counts of the most frequent words, by scikit-learn."""

    def __init__(self, training: Sequence[str]) -> None:
        from sklearn.feature_extraction.text import CountVectorizer

        self._words = CountVectorizer(max_features=_NARROW, token_pattern=_TOKEN)
        self.training: Any = self._words.fit_transform(training)

    def of(self, texts: Sequence[str]) -> Any:
        return self._words.transform(texts)


def _counted(training: Sequence[str], wide: bool) -> _Narrow | WordPairs:
    if not wide:
        return _Narrow(training)
    try:
        return WordPairs(training, min_df=2 if len(training) >= _ENOUGH else 1)
    except ValueError:  # No two texts share a word.
        return WordPairs(training, min_df=1)


def view_of(classifier: str) -> str:
    """What a classifier sees of texts: `wide` or `narrow` features, or `words` in their order."""
    if classifier in NETS:
        return "words"
    return "narrow" if classifier == "mlp" else "wide"


def seen(training: Sequence[str], view: str, sizes: NetSizes) -> Features | Sequences:
    """The training texts in that view, by which others are looked at."""
    if view == "words":
        return Sequences(training, sizes)
    return Features(training, wide=view == "wide")


class TrainedClassifier(Protocol):
    """A trained classifier."""

    def probabilities(self, rows: Any) -> Floats:
        """(texts, classes), in the order of the class numbers; each row sums to 1."""


def train(
    classifier: str, features: Any, classes: NDArray[np.int64], *,
    validation: tuple[Any, NDArray[np.int64]] | None, seed: int, sizes: NetSizes = SMALL,
    progress: Callable[[float], None] = lambda share: None,
) -> TrainedClassifier:  # fmt: skip
    """Train a classifier on rows with class numbers, all of which occur.

    `validation`, rows and classes, is used by nets alone: they keep their best epoch; without it,
    `mlp` trains for 30 epochs, and others for those of `sizes`. ValueError for an unknown one.
    """
    if classifier in NETS:
        return train_net(
            classifier, features, classes, validation=validation, seed=seed, sizes=sizes,
            progress=progress,
        )  # fmt: skip
    if classifier == "logreg":
        from sklearn.linear_model import LogisticRegression

        return _Probable(LogisticRegression(C=10, max_iter=1000).fit(features, classes))
    if classifier == "nb":
        from sklearn.naive_bayes import MultinomialNB

        return _Probable(MultinomialNB(alpha=0.3).fit(features, classes))
    if classifier == "svm":
        from sklearn.svm import LinearSVC

        return _Margin(LinearSVC(random_state=seed).fit(features, classes))
    if classifier == "mlp":
        return _net(features, classes, validation, seed)
    raise ValueError(f"There is no classifier {classifier}: use one of {', '.join(CLASSIFIERS)}.")


class _Probable:
    """A model of scikit-learn that knows probabilities."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def probabilities(self, rows: Any) -> Floats:
        return np.asarray(self._model.predict_proba(rows), dtype=np.float64)


class _Margin:
    """A model that knows distances alone. The logistic function of a distance is no estimate of a
    probability, but rises with it; of several classes they are made to sum to 1."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def probabilities(self, rows: Any) -> Floats:
        from scipy.special import expit

        far = np.asarray(self._model.decision_function(rows), dtype=np.float64)
        if far.ndim == 1:
            return np.stack([expit(-far), expit(far)], axis=1)
        each = expit(far)
        return np.asarray(each / each.sum(axis=1, keepdims=True), dtype=np.float64)


def _net(
    features: Any, classes: NDArray[np.int64], validation: tuple[Any, NDArray[np.int64]] | None,
    seed: int,
) -> TrainedClassifier:  # fmt: skip
    from sklearn.neural_network import MLPClassifier

    # An object, so that each epoch has an order of its own.
    drawing = np.random.RandomState(seed)
    n = len(classes)
    model = MLPClassifier(
        hidden_layer_sizes=(_HIDDEN,),
        batch_size=min(n, max(16, min(200, n // _STEPS))),
        random_state=drawing,
    )
    best, kept, waited = -1.0, None, 0
    for _ in range(_BLIND_EPOCHS if validation is None else _MOST_EPOCHS):
        model.partial_fit(features, classes, classes=np.unique(classes))
        if validation is None:
            continue
        accuracy = float((model.predict(validation[0]) == validation[1]).mean())
        waited += 1
        if accuracy > best:
            best, waited = accuracy, 0
            kept = [one.copy() for one in (*model.coefs_, *model.intercepts_)]
        elif waited == _PATIENCE:
            break
    if kept is not None:
        model.coefs_, model.intercepts_ = kept[: len(kept) // 2], kept[len(kept) // 2 :]
    return _Probable(model)
