"""From a text file to the store of a corpus."""

from __future__ import annotations

from pathlib import Path

from scoring.building.corpora.corpus import build_corpus, write_corpus
from scoring.building.corpora.reading import Progress, read_numbered
from scoring.metrics.files import sha256
from scoring.metrics.texts.tokenizers import tokenizer

TOKENIZERS = ("words", "13a", "ko", "none")
_READING = 0.5  # The share of the work that reading takes, about.


def index_corpus(
    source: Path, folder: Path, *, tokenize: str = "none", lowercase: bool = False,
    progress: Progress = lambda share: None,
) -> dict[str, int]:  # fmt: skip
    """Index a text of one sentence a line into a store, in a new or empty folder.

    `tokenize` is one of TOKENIZERS; none splits at white space. Returns how many sentences, words
    and distinct words there are. Raises FileRefused with a line for each problem of the text, and
    OSError if the store cannot be written.
    """
    split = tokenizer(tokenize, lowercase=lowercase)
    text = read_numbered(source, split, progress=lambda share: progress(share * _READING))
    corpus = build_corpus(text, tokenize=tokenize, lowercase=lowercase)
    progress(0.9)
    write_corpus(corpus, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "sentences": corpus.sentences,
        "words": corpus.n_words,
        "distinct": len(corpus.vocabulary),
    }


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a text that is tokenized already; the function of the kind `corpus`."""
    return index_corpus(source, folder, progress=progress)
