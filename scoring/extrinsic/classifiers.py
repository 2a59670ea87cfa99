"""Classifiers of texts: what an extrinsic evaluation trains. Those on TF-IDF are scikit-learn's.

Those of Hailu, Yu and Fantaye (2020) are neural nets, with torch, in the second half of this file;
these four are ours, small and quick.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

# Counts of words and of pairs of words: those of scikit-learn's CountVectorizer, in a third of the
# time, for it makes a string of every pair in every text.


Ints = NDArray[np.int64]
_TOKEN = r"(?u)\b\w+\b"  # noqa: S105  scikit-learn's own leaves out words of one letter.
_TOKENS = re.compile(_TOKEN)


class WordPairs:
    """The words and pairs of neighbouring words that `min_df` of the training texts have, in the
    order of the alphabet; ValueError if there are none."""

    def __init__(self, training: Sequence[str], *, min_df: int) -> None:
        numbers: dict[str, int] = {}
        words, text = _numbered(training, numbers, grow=True)
        self._numbers, self._n = numbers, len(numbers)
        codes, rows = self._grams(words, text)
        terms, column = np.unique(codes, return_inverse=True)
        each = np.unique(column * len(training) + rows)
        often = np.bincount(each // max(1, len(training)), minlength=len(terms)) >= min_df
        if not often.any():
            raise ValueError("no words are left")
        terms = terms[often]
        names = list(numbers)
        spelt = [
            names[code] if code < self._n else f"{names[first]} {names[second]}"
            for code, first, second in zip(
                terms.tolist(),
                (terms // self._n - 1).tolist(),
                (terms % self._n).tolist(),
                strict=True,
            )
        ]
        order = sorted(range(len(terms)), key=spelt.__getitem__)
        place = np.empty(len(terms), dtype=np.int64)
        place[order] = np.arange(len(terms))
        self._codes, self._place = terms, place
        self.training: Any = self._matrix(codes, rows, len(training))

    def of(self, texts: Sequence[str]) -> Any:
        """A sparse matrix of counts with a row for each text."""
        words, text = _numbered(texts, self._numbers, grow=False)
        return self._matrix(*self._grams(words, text), len(texts))

    def _grams(self, words: Ints, text: Ints) -> tuple[Ints, Ints]:
        """Codes of words and pairs, and the text of each: a word is its number, from 0; a pair is
        (first + 1) * words + second. Unknown words, of number -1, are left out."""
        pair = (text[1:] == text[:-1]) & (words[1:] >= 0) & (words[:-1] >= 0)
        in_vocabulary = words >= 0
        codes = ((words[:-1] + 1) * self._n + words[1:])[pair]
        return (
            np.concatenate([words[in_vocabulary], codes]),
            np.concatenate([text[in_vocabulary], text[1:][pair]]),
        )

    def _matrix(self, codes: Ints, rows: Ints, n: int) -> Any:
        from scipy.sparse import csr_matrix

        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        here = self._codes[at] == codes
        ones = np.ones(int(here.sum()))
        shape = (n, len(self._codes))
        # Equal places are summed.
        return csr_matrix((ones, (rows[here], self._place[at[here]])), shape=shape)


def _numbered(texts: Sequence[str], numbers: dict[str, int], *, grow: bool) -> tuple[Ints, Ints]:
    """The numbers of all words (-1: unknown) and the text that each is of."""
    cut = [_TOKENS.findall(text.lower()) for text in texts]
    every = chain.from_iterable(cut)
    if grow:
        word_numbers = [numbers.setdefault(word, len(numbers)) for word in every]
    else:
        word_numbers = [numbers.get(word, -1) for word in every]
    lengths = [len(words) for words in cut]
    return np.array(word_numbers, dtype=np.int64), np.repeat(np.arange(len(texts)), lengths)


# The four nets of Hailu, Yu and Fantaye (2020), table 2, with torch (extra `neural`).
#
# A simple net (SMPNN: embedding, flatten, dense), a multichannel CNN (kernels of 4, 6 and 8 words,
# 32 filters each), and recurrent nets of GRU and LSTM units. The paper leaves out some sizes; those
# are ours. torch is imported when a net is trained.


Floats = NDArray[np.float64]
NETS = ("smpnn", "mcnn", "gru", "lstm")
NET_TOLD = {
    "smpnn": "embedding, flatten, dense",
    "mcnn": "three channels of 32 filters over 4, 6 and 8 words, maximum of two, dense 10",
    "gru": "100 gated recurrent units",
    "lstm": "100 LSTM units",
}
_KERNELS, _FILTERS, _DENSE, _UNITS = (4, 6, 8), 32, 10, 100
_WORD = re.compile(r"\w+")
_UNKNOWN, _FIRST = 1, 2  # 0 is padding.


@dataclass(frozen=True, slots=True)
class NetSizes:
    """`words` of the vocabulary, `length` words of a text (its last ones), `size` values of a word,
    `epochs` at most, of which the best by the validation part is kept; training stops after
    `patience` epochs without a better one (0: never)."""

    words: int = 5000
    length: int = 200
    size: int = 100
    epochs: int = 10
    patience: int = 3


SMALL = NetSizes()
SIZES = {"small": SMALL, "paper": NetSizes(length=500, size=300, epochs=30, patience=0)}


def has_torch() -> bool:
    """Whether the extra `neural` is installed."""
    return find_spec("torch") is not None


# Seconds of one core for an epoch over 1,000 training texts and 800 of validation, measured
# (docs/extrinsic.md says how). Longer texts and more values cost less than their product: a part of
# each step depends on the vocabulary and the units alone.
_SECONDS = {
    "small": {"smpnn": 0.12, "mcnn": 2.7, "gru": 2.0, "lstm": 1.7},
    "paper": {"smpnn": 1.4, "mcnn": 20.0, "gru": 11.0, "lstm": 9.0},
}


def seconds(net: str, size: str, training: int) -> float:
    """About how long the training of a net of a size on so many texts takes one core, at most."""
    return _SECONDS[size][net] * training / 1000 * SIZES[size].epochs


class Sequences:
    """Texts as rows of word numbers of one length: padded and cut in front, as Keras does."""

    def __init__(self, training: Sequence[str], sizes: NetSizes) -> None:
        counts = Counter(word for text in training for word in _words(text))
        often = sorted(counts, key=lambda word: (-counts[word], word))[: sizes.words - _FIRST]
        self._numbers = {word: number for number, word in enumerate(often, _FIRST)}
        self._sizes = sizes
        self.training = self.of(training)

    def of(self, texts: Sequence[str]) -> Ints:
        """(texts, length) int64."""
        rows = np.zeros((len(texts), self._sizes.length), dtype=np.int64)
        get = self._numbers.get
        for row, text in zip(rows, texts, strict=True):
            word_numbers = [get(word, _UNKNOWN) for word in _words(text)][-self._sizes.length :]
            if word_numbers:
                row[-len(word_numbers) :] = word_numbers
        return rows


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def train_net(
    net: str,
    rows: Ints,
    classes: Ints,
    *,
    validation: tuple[Ints, Ints] | None,
    seed: int,
    sizes: NetSizes,
    progress: Callable[[float], None] = lambda share: None,
) -> TrainedNet:
    """Train a net with Adam on cross entropy; without a validation part for all epochs. The same
    seed gives the same net on one machine. ValueError for an unknown net."""
    import torch

    if net not in NETS:
        raise ValueError(f"There is no net {net}: use one of {', '.join(NETS)}.")
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    model = _model(net, sizes, int(classes.max()) + 1)
    adam = torch.optim.Adam(model.parameters())
    loss = torch.nn.CrossEntropyLoss()
    batch = 16 if net == "mcnn" else 128
    x, y = torch.from_numpy(rows), torch.from_numpy(classes)
    order = torch.Generator().manual_seed(seed)
    best, best_state, waited = -1.0, None, 0
    for epoch in range(sizes.epochs):
        model.train()
        for part in torch.randperm(len(x), generator=order).split(batch):
            adam.zero_grad()
            loss(model(x[part]), y[part]).backward()
            adam.step()
        progress((epoch + 1) / sizes.epochs)
        if validation is None:
            continue
        right = TrainedNet(model).probabilities(validation[0]).argmax(axis=1) == validation[1]
        accuracy = float(right.mean())
        waited += 1
        if accuracy > best:
            best, waited = accuracy, 0
            best_state = {name: value.clone() for name, value in model.state_dict().items()}
        elif waited == sizes.patience:
            break
    if best_state is not None:
        model.load_state_dict(best_state)
    return TrainedNet(model)


class TrainedNet:
    """A net that was trained."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def probabilities(self, rows: Ints) -> Floats:
        """(texts, classes); each row sums to 1."""
        import torch

        self._model.eval()
        with torch.no_grad():
            parts = [
                torch.softmax(self._model(part), dim=1)
                for part in torch.from_numpy(rows).split(256)
            ]
        return np.asarray(torch.cat(parts).numpy(), dtype=np.float64)


def _model(net: str, sizes: NetSizes, classes: int) -> Any:
    import torch
    from torch import nn

    def embedding() -> Any:
        return nn.Embedding(sizes.words, sizes.size)

    if net == "smpnn":
        return nn.Sequential(
            embedding(), nn.Flatten(), nn.Linear(sizes.length * sizes.size, classes)
        )

    class Channels(nn.Module):  # type: ignore[misc, unused-ignore]
        """A convolution for each kernel, over an embedding of its own."""

        def __init__(self) -> None:
            super().__init__()
            self.embeddings = nn.ModuleList(embedding() for _ in _KERNELS)
            self.filters = nn.ModuleList(nn.Conv1d(sizes.size, _FILTERS, k) for k in _KERNELS)
            wide = sum((sizes.length - k + 1) // 2 for k in _KERNELS) * _FILTERS
            self.dense, self.out = nn.Linear(wide, _DENSE), nn.Linear(_DENSE, classes)
            self.drop = nn.Dropout(0.5)

        def forward(self, x: Any) -> Any:
            pooled = []
            for vectors, filters in zip(self.embeddings, self.filters, strict=True):
                seen = filters(self.drop(vectors(x)).transpose(1, 2)).relu()
                pooled.append(nn.functional.max_pool1d(seen, 2).flatten(1))
            return self.out(self.dense(torch.cat(pooled, dim=1)).relu())

    class Recurrent(nn.Module):  # type: ignore[misc, unused-ignore]
        """Recurrent units, of which the last state counts."""

        def __init__(self) -> None:
            super().__init__()
            self.embedding = embedding()
            kind = nn.GRU if net == "gru" else nn.LSTM
            self.units = kind(sizes.size, _UNITS, batch_first=True)
            self.out = nn.Linear(_UNITS, classes)

        def forward(self, x: Any) -> Any:
            states, _last = self.units(self.embedding(x))
            return self.out(states[:, -1])

    return Channels() if net == "mcnn" else Recurrent()


CLASSIFIERS = ("logreg", "nb", "svm", "mlp")
EVERY = (*CLASSIFIERS, *NETS)
DESCRIPTIONS = {
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
    classifier: str,
    features: Any,
    classes: NDArray[np.int64],
    *,
    validation: tuple[Any, NDArray[np.int64]] | None,
    seed: int,
    sizes: NetSizes = SMALL,
    progress: Callable[[float], None] = lambda share: None,
) -> TrainedClassifier:
    """Train a classifier on rows with class numbers, all of which occur.

    `validation`, rows and classes, is used by nets alone: they keep their best epoch; without it,
    `mlp` trains for 30 epochs, and others for those of `sizes`. ValueError for an unknown one.
    """
    if classifier in NETS:
        return train_net(
            classifier,
            features,
            classes,
            validation=validation,
            seed=seed,
            sizes=sizes,
            progress=progress,
        )
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
    features: Any,
    classes: NDArray[np.int64],
    validation: tuple[Any, NDArray[np.int64]] | None,
    seed: int,
) -> TrainedClassifier:
    from sklearn.neural_network import MLPClassifier

    # An object, so that each epoch has an order of its own.
    drawing = np.random.RandomState(seed)
    n = len(classes)
    model = MLPClassifier(
        hidden_layer_sizes=(_HIDDEN,),
        batch_size=min(n, max(16, min(200, n // _STEPS))),
        random_state=drawing,
    )
    best, best_weights, waited = -1.0, None, 0
    for _ in range(_BLIND_EPOCHS if validation is None else _MOST_EPOCHS):
        model.partial_fit(features, classes, classes=np.unique(classes))
        if validation is None:
            continue
        accuracy = float((model.predict(validation[0]) == validation[1]).mean())
        waited += 1
        if accuracy > best:
            best, waited = accuracy, 0
            best_weights = [one.copy() for one in (*model.coefs_, *model.intercepts_)]
        elif waited == _PATIENCE:
            break
    if best_weights is not None:
        model.coefs_, model.intercepts_ = (
            best_weights[: len(best_weights) // 2],
            best_weights[len(best_weights) // 2 :],
        )
    return _Probable(model)
