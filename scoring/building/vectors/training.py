"""Word vectors from a text: word2vec (Mikolov et al. 2013) and fastText (Bojanowski et al. 2017).

gensim trains them with one worker, so that the same text and seed give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import say
from scoring.building.corpora.reading import NumberedText, Progress, read_numbered
from scoring.metrics.files import FileRefused
from scoring.metrics.texts.tokenizers import tokenizer

MODELS = ("word2vec", "fasttext")
JOINED = "_"
# gensim ignores what comes after this word of a sentence.
_LONGEST_SENTENCE = 10_000
# Rows for the pieces of words. fastText's own two million take 800 MB for 100 values.
_BUCKETS = 200_000
_READING = 0.1  # The share of the work that reading takes, about.
_WRITTEN = "%.9g"  # Digits that give back each number of single precision.


@dataclass(frozen=True, slots=True)
class Training:
    """How vectors are trained. `window` is how many words to each side are looked at, `least` how
    often a word must occur, `skip_gram` predicts neighbours from a word (else a word from its
    neighbours), `seed` is that of the first numbers and of all drawing. With `phrases` two words
    that stand together much more often than by chance become one, joined by _ (Mikolov et al.
    2013)."""

    model: str = MODELS[0]
    size: int = 100
    window: int = 5
    least: int = 5
    epochs: int = 5
    skip_gram: bool = False
    seed: int = 1
    phrases: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TrainedVectors:
    """`words` from the most frequent on, `matrix` (words, size) float32, and the number of words
    and sentences that they were trained on."""

    words: list[str]
    matrix: NDArray[np.float32]
    tokens: int
    sentences: int


def train_vectors(
    source: Path, training: Training = Training(), *, tokenize: str = "none",
    lowercase: bool = False, progress: Progress = lambda share: None,
) -> TrainedVectors:  # fmt: skip
    """Train the vectors of a text of one sentence a line; `tokenize` none splits at white space.

    Raises FileRefused for what is wrong with the text (see `read_numbered`), and where no word
    occurs often enough.
    """
    split = tokenizer(tokenize, lowercase=lowercase)
    text = read_numbered(source, split, progress=lambda share: progress(share * _READING))
    often = np.bincount(text.tokens, minlength=len(text.words) + 1)[1:]
    if int(often.max()) < training.least:
        raise FileRefused.at(
            source,
            0,
            say(
                "has no word that occurs %(n)s times; give a larger text or a lower --min-count.",
                n=training.least,
            ),
        )
    found = _fitted(text, training, progress)
    words = [str(word) for word in found.index_to_key]
    matrix = np.asarray(found.vectors, dtype=np.float32)
    return TrainedVectors(words, matrix, int(often.sum()), text.sentences)


def _fitted(text: NumberedText, training: Training, progress: Progress) -> Any:
    """gensim's KeyedVectors."""
    from gensim.models import FastText, Phrases, Word2Vec

    sentences: Any = _Sentences(text)
    if training.phrases:
        sentences = Phrases(sentences, min_count=training.least, delimiter=JOINED).freeze()[
            sentences
        ]
    given: dict[str, Any] = {
        "sentences": sentences,
        "vector_size": training.size,
        "window": training.window,
        "min_count": training.least,
        "epochs": training.epochs,
        "sg": int(training.skip_gram),
        "seed": training.seed,
        "workers": 1,
        "callbacks": [_Epochs(training.epochs, progress)],
    }
    if training.model == "fasttext":
        return FastText(**given, bucket=_BUCKETS).wv
    if training.model == "word2vec":
        return Word2Vec(**given).wv
    raise ValueError(f"There is no model {training.model}: use one of {', '.join(MODELS)}.")


class _Sentences:
    """The sentences as lists of words, from the start at each pass; blank lines are left out."""

    def __init__(self, text: NumberedText) -> None:
        self._words = np.array(["", *text.words], dtype=object)
        self._tokens = text.tokens
        self._ends = np.flatnonzero(text.tokens == 0).tolist()

    def __iter__(self) -> Iterator[list[str]]:
        start = 0
        for end in self._ends:
            for first in range(start, end, _LONGEST_SENTENCE):
                part = self._tokens[first : min(end, first + _LONGEST_SENTENCE)]
                yield self._words[part].tolist()
            start = end + 1


class _Epochs:
    """Reports gensim's progress; gensim calls these four by name."""

    def __init__(self, epochs: int, progress: Progress) -> None:
        self._epochs = epochs
        self._progress = progress
        self._done = 0

    def on_train_begin(self, model: Any) -> None:
        self._progress(_READING)

    def on_train_end(self, model: Any) -> None:
        self._progress(1.0)

    def on_epoch_begin(self, model: Any) -> None:
        """Nothing to report."""

    def on_epoch_end(self, model: Any) -> None:
        self._done += 1
        self._progress(_READING + (1 - _READING) * self._done / self._epochs)


def write_text(vectors: TrainedVectors, stream: BinaryIO) -> None:
    """Write the text format of word2vec: the numbers of words and of values, then a word and its
    values on each line. Reading it gives the same numbers."""
    size = vectors.matrix.shape[1]
    line = " ".join([_WRITTEN] * size)
    stream.write(f"{len(vectors.words)} {size}\n".encode())
    for word, row in zip(vectors.words, vectors.matrix, strict=True):
        stream.write(f"{word} {line % tuple(row.tolist())}\n".encode())
