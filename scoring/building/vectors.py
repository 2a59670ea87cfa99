"""The nearest words of many words at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraanno.common.cells import Columns
from paraanno.common.records import read_records
from paraanno.common.texts import Problem, ProblemLog, Sentence, joined, say, shown
from scoring.building.corpora import NumberedText, Progress, read_numbered
from scoring.metrics.files import FileRefused, byte_lines, sha256, size_of
from scoring.metrics.resources.stores import About
from scoring.metrics.resources.vectors import Vectors
from scoring.metrics.texts.content_words import FUNCTION_WORDS
from scoring.metrics.texts.tokenizers import tokenizer, word_spans

MOST_RANKS = 3
_BLOCK = 1000  # Words compared with the vocabulary at a time,
_CELLS = 2**25  # or fewer, so that their cosines take at most 128 MB.


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Row r belongs to word r of those asked for: `rows` (n, k) are rows of the vectors, the
    nearest first, and `cosines` (n, k) float32 are to these."""

    rows: NDArray[np.int64]
    cosines: NDArray[np.float32]


def nearest(
    vectors: Vectors,
    indices: Sequence[int],
    *,
    k: int = MOST_RANKS,
    progress: Callable[[float], None] = lambda share: None,
) -> Nearest:
    """The k words nearest to each row asked for, by cosine, without the word itself; a row may be
    that of a word made of subwords.

    Words at the same cosine stand in the order of the vectors, so that the result is one.
    O(asked x vocabulary x size). ValueError if the vocabulary has no k other words.
    """
    matrix = vectors.matrix
    if len(matrix) <= k:
        raise ValueError(f"{len(matrix)} words have no {k} others each")
    rows = np.empty((len(indices), k), dtype=np.int64)
    cosines = np.empty((len(indices), k), dtype=np.float32)
    step = max(1, min(_BLOCK, _CELLS // len(matrix)))
    for start in range(0, len(indices), step):
        batch = np.array(indices[start : start + step], dtype=np.intp)
        near = vectors.of(batch.tolist()) @ matrix.T
        inside = np.flatnonzero(batch < len(matrix))
        near[inside, batch[inside]] = -np.inf
        block = slice(start, start + len(batch))
        rows[block] = neighbours = _first(near, k)
        cosines[block] = np.take_along_axis(near, neighbours, axis=1)
        progress((start + len(batch)) / len(indices))
    return Nearest(rows, cosines)


def _first(near: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The columns of the k greatest values of each row; of equal values the first columns."""
    place = near.shape[1] - k
    least = np.partition(near, place, axis=1)[:, place]
    row, column = np.nonzero(near >= least[:, None])  # More than k where some are equal.
    order = np.lexsort((column, -near[row, column], row))
    row, column = row[order], column[order]
    starts = np.searchsorted(row, np.arange(len(near)))
    first: NDArray[np.int64] = column[starts[:, None] + np.arange(k)]
    return first


# Word vectors from a text: word2vec (Mikolov et al. 2013) and fastText (Bojanowski et al. 2017).
#
# gensim trains them with one worker, so that the same text and seed give the same bytes.


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
    source: Path,
    training: Training = Training(),
    *,
    tokenize: str = "none",
    lowercase: bool = False,
    progress: Progress = lambda share: None,
) -> TrainedVectors:
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
    model = _fitted(text, training, progress)
    words = [str(word) for word in model.index_to_key]
    matrix = np.asarray(model.vectors, dtype=np.float32)
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


# PG1, PG2 and PG3: texts whose words are replaced by their nearest, second or third nearest word.
#
# Source: Hailu, Yu and Fantaye (2020), section 3.2. Replacing every word is the literal reading; it
# gives poor English. Leaving out function words and far neighbours is ours.


VARIANTS = ("pg1", "pg2", "pg3")
REPLACE = ("all", "content")
SPLITS = ("none", "words")
FEWEST_WORDS = MOST_RANKS + 1
_PIECE = re.compile(r"\S+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The texts of each rank asked for. `words` have been found, of which `covered` have a vector;
    `replaced` counts those that were replaced, by rank."""

    texts: dict[int, list[str]]
    words: int
    covered: int
    replaced: dict[int, int]

    @property
    def coverage(self) -> float:
        """The share of words that have a vector; 0 for texts without words."""
        return self.covered / self.words if self.words else 0.0


def replace_words(
    texts: Sequence[str],
    vectors: Vectors,
    ranks: Sequence[int],
    *,
    replace: str = "all",
    tokenize: str = "none",
    min_cosine: float = -1.0,
    progress: Callable[[float], None] = lambda share: None,
) -> Replaced:
    """Replace each known word by its neighbour of each rank (1 is the nearest).

    A word is looked up as it stands, else in lower case, and then the neighbour gets its case.
    A name that joins words with _ (a unit of several words) is written with blanks. Marks, white
    space and unknown words stay as they are. `replace` content leaves English words
    of grammar; a neighbour at a lower cosine than `min_cosine` leaves the word. ValueError if the
    vectors have fewer than FEWEST_WORDS words.
    """
    cut = [spans(text, tokenize) for text in texts]
    every = [text[a:b] for text, places in zip(texts, cut, strict=True) for a, b in places]
    rows = {word: row for word in sorted(set(every)) if (row := _row(vectors, word)) is not None}
    open_ = [word for word in rows if replace == "all" or _has_content(word)]
    indices = sorted({rows[word] for word in open_})
    near = nearest(vectors, indices, k=max(ranks), progress=progress)
    place = {row: at for at, row in enumerate(indices)}
    names = list(vectors.rows)
    made: dict[int, list[str]] = {}
    replaced = {}
    for rank in ranks:
        others = {
            word: _cased(word, names[near.rows[at, rank - 1]], vectors).replace(JOINED, " ")
            for word in open_
            if near.cosines[at := place[rows[word]], rank - 1] >= min_cosine
        }
        made[rank] = [_put(text, places, others) for text, places in zip(texts, cut, strict=True)]
        replaced[rank] = sum(word in others for word in every)
    return Replaced(made, len(every), sum(word in rows for word in every), replaced)


def _put(text: str, places: Sequence[Span], others: Mapping[str, str]) -> str:
    """The text with other words in these places."""
    parts, done = [], 0
    for a, b in places:
        word = text[a:b]
        parts += [text[done:a], others.get(word, word)]
        done = b
    return "".join([*parts, text[done:]])


def spans(text: str, tokenize: str) -> list[Span]:
    """Where the words of a text begin and end: `none` splits at white space, and a piece without a
    letter or digit is no word; `words` are those of the tokenizer of that name."""
    if tokenize == "words":
        return word_spans(text)
    if tokenize == "none":
        pieces = (match.span() for match in _PIECE.finditer(text))
        return [(a, b) for a, b in pieces if any(map(str.isalnum, text[a:b]))]
    raise ValueError(f"tokenize={tokenize} is not allowed; use {', '.join(SPLITS)}.")


def _row(vectors: Vectors, word: str) -> int | None:
    straight = word.replace("’", "'")
    for form in (word, straight, straight.lower()):
        if (row := vectors.rows.get(form)) is not None:
            return row
    return vectors.row(straight.lower())


def _has_content(word: str) -> bool:
    plain = word.replace("’", "'").lower()
    return any(map(str.isalpha, word)) and plain not in FUNCTION_WORDS


def _cased(word: str, name: str, vectors: Vectors) -> str:
    """The name; with the case of the word where vectors know that in lower case only."""
    if word in vectors.rows or word.replace("’", "'") in vectors.rows:
        return name
    if len(word) > 1 and word.isupper():
        return name.upper()
    return name[:1].upper() + name[1:] if word[:1].isupper() else name


# The kind `texts`: a table as CSV, TSV or JSON Lines, kept with its columns as they are named.
#
# A store has `rows.jsonl` (an object for each row, empty cells left out) and `about.json`.


ROWS, ID = "rows.jsonl", "id"
Row = dict[str, str]
_ABOUT = About(
    frozenset({"rows", "columns"}), say("is not a store of a table of texts; add it again.")
)
_EVERY = Columns(words=(), knows=lambda name: True, strict=False)
_MOST_PROBLEMS = 20
_MOST_COLUMNS = 200
_TELL_ROWS = 1000
_CHECKED = 0.2  # The share of the work that looking for endless lines takes, about.


@dataclass(frozen=True, slots=True)
class TextTable:
    """The columns of a table, in the order of the file, and its rows one by one."""

    columns: tuple[str, ...]
    n: int
    path: Path

    def check_columns(self, *names: str) -> None:
        """Raises FileRefused for the first that the table does not have."""
        for name in names:
            if name not in self.columns:
                raise FileRefused.at(
                    "texts",
                    1,
                    say(
                        "has no column %(name)s; it has %(names)s.",
                        name=repr(name),
                        names=", ".join(self.columns),
                    ),
                )

    def rows(self) -> Iterator[Row]:
        """The rows; a cell that is empty is missing."""
        with self.path.open(encoding="utf-8") as stream:
            for line in stream:
                yield json.loads(line)


def convert(source: Path, folder: Path, *, progress: Callable[[float], None]) -> dict[str, int]:
    """Read a table into a store; the function of the kind `texts`.

    The first line decides what the file is: JSON Lines if it begins with {, TSV if it has a tab,
    else CSV. Ids (column `id`, if there is one) must be there and differ. Raises FileRefused.
    """
    size = size_of(source)
    with source.open("rb") as stream:
        for _line_of_text in byte_lines(stream, source):
            progress(_CHECKED * min(1.0, stream.tell() / size))
    log = ProblemLog(str(source), limit=_MOST_PROBLEMS)
    rows = _read(source, log)
    meta = write_texts(
        rows,
        folder,
        digest=sha256(source),
        progress=lambda share: progress(_CHECKED + (1 - _CHECKED) * share),
    )
    if log.errors:
        raise FileRefused(*map(_line, log.problems()))
    if not meta["rows"]:
        raise FileRefused.at(source, 0, say("has no row; write a line for each text."))
    return meta


def write_texts(
    rows: Iterable[Mapping[str, str]],
    folder: Path,
    *,
    digest: str,
    progress: Callable[[float], None] = lambda share: None,
    columns: Sequence[str] = (),
) -> dict[str, int]:
    """Write a store; the columns are those given, and others in the order that they are met in."""
    header = dict.fromkeys(columns)
    n = 0
    with (folder / ROWS).open("w", encoding="utf-8", newline="") as stream:
        for row in rows:
            header.update(dict.fromkeys(row))
            stream.write(json.dumps(dict(row), ensure_ascii=False) + "\n")
            n += 1
            if n % _TELL_ROWS == 0:
                progress(n / (n + 10 * _TELL_ROWS))  # How many follow is not known.
    if len(header) > _MOST_COLUMNS:
        raise FileRefused.at(
            "texts",
            1,
            say("has %(n)s columns; keep %(most)s.", n=len(header), most=_MOST_COLUMNS),
        )
    progress(1.0)
    _ABOUT.write(folder, {"sha256": digest, "rows": n, "columns": list(header)})
    return {"rows": n, "columns": len(header)}


def open_texts(path: Path) -> TextTable:
    """The table of a store. Raises FileRefused if it is none."""
    about = _ABOUT.read(path)
    return TextTable(tuple(about["columns"]), int(about["rows"]), path / ROWS)


def at_row(number: int, message: Sentence, column: str | None = None) -> Sentence:
    """What is wrong with a row of a store. By its number, from 1 and of rows that have something in
    them: the store does not know the lines of the file that it was made from."""
    where = ["texts", say("row %(line)s", line=number)]
    if column is not None:
        where.append(f"column {shown(column)}")
    return joined(": ", (*where, message))


def _read(source: Path, log: ProblemLog) -> Iterator[Row]:
    ids: dict[str, int] = {}
    for cells in read_records(source, log=log, columns=_EVERY, format=_format(source)):
        row: Row = {}
        for name, value in cells.values.items():
            if isinstance(value, str) and not value.strip():
                continue
            text: Any = cells.label(name) if isinstance(value, int | float) else cells.text(name)
            if text is not None:
                row[name] = text
        if (key := row.get(ID)) is not None:
            cells.once(ID, key, ids)
        elif ids:
            cells.fail(ID, say("is empty: fill it in or delete the line"))
        if not cells.failed and row:
            yield row


def _format(source: Path) -> str:
    """What the first line with something in it looks like."""
    with source.open("rb") as stream:
        first = stream.readline(2**20).removeprefix(b"\xef\xbb\xbf").strip(b"\r\n")
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in first else "csv"


def _line(problem: Problem) -> Sentence:
    where = [f"{problem.file}:{problem.line}"]
    if problem.column is not None:
        where.append(f"column {shown(problem.column)}")
    return joined(": ", (*where, problem.message))
