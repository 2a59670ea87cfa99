"""Test sentences, and how they compare with the training text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraanno.plain.sentence import Sentence, say
from scoring.building.alignment.parallel import Words, read_words
from scoring.building.corpora.corpus import Corpus
from scoring.metrics.files import FileRefused

_MOST_UNKNOWN = 0.05
_ENOUGH = 8  # Words of a sentence that is not found in a training text by chance.


@dataclass(frozen=True, slots=True)
class SentenceFile:
    """All sentences of a file, its words as they are, and which of them are in use: those with
    words, each text once. `repeated` are the lines of texts that were there before."""

    every: list[Words]
    used: list[int]
    repeated: int

    @property
    def sentences(self) -> list[Words]:
        """Those in use."""
        return [self.every[line] for line in self.used]


def read_sentences(path: Path) -> SentenceFile:
    """Read one sentence a line, its words separated by white space. Raises FileRefused."""
    every = read_words(path)
    seen: set[str] = set()
    used = []
    repeated = 0
    for line, words in enumerate(every):
        text = " ".join(words)
        if words and text in seen:
            repeated += 1
        elif words:
            used.append(line)
        seen.add(text)
    if not used:
        raise FileRefused.at(path, 0, say("has no sentence; write one on each line."))
    return SentenceFile(every, used, repeated)


def train_counts(corpus: Corpus, phrases: Iterable[str]) -> dict[str, int]:
    """How often each phrase occurs in the training text."""
    asked = list(phrases)
    counts = corpus.counts([_as_in(corpus, phrase.split(" ")) for phrase in asked])
    return dict(zip(asked, counts.tolist(), strict=True))


def train_warnings(corpus: Corpus, sentences: Sequence[Words]) -> list[Sentence]:
    """What should make one doubt that training text and test sentences fit together."""
    found = []
    long = [words for words in sentences if len(words) >= _ENOUGH]
    same = int((corpus.counts([_as_in(corpus, words) for words in long]) > 0).sum())
    if same:
        found.append(
            say(
                "%(n)s of %(all)s test sentences of %(words)s words or more are in the training "
                "text; their paraphrases look better than they are.",
                n=same, all=len(long), words=_ENOUGH,
            )
        )  # fmt: skip
    words = [word for sentence in sentences for word in sentence]
    unknown = int((corpus.counts([_as_in(corpus, [word]) for word in words]) == 0).sum())
    if unknown > _MOST_UNKNOWN * len(words):
        found.append(
            say(
                "%(n)s of %(all)s words of the test sentences are not in the training text; are "
                "both tokenized and cased in the same way?",
                n=unknown, all=len(words),
            )
        )  # fmt: skip
    return found


def _as_in(corpus: Corpus, words: Words) -> Words:
    return [word.lower() for word in words] if corpus.lowercase else words
