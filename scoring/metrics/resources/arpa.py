"""Language models in the ARPA format: reading, checking, and making a store."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite, nan
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paraanno.common.texts import Sentence, say
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, size_of, text_lines
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.resources.stores import About, TextIndex, index_of, mapped, mapped_index

# N-gram language models with back-off weights: scoring of sentences, and stores.


BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = frozenset((BEGIN, END, UNKNOWN))  # Words of a model that no text may have.
HIGHEST_ORDER = 7

Value = TypeVar("Value", np.float64, np.int64)
Keys = NDArray[np.int64]
Logs = NDArray[np.float32]
ABOUT = About(
    frozenset({"order", "words", "ngrams"}),
    say("is not a store of a language model; create it again."),
    say("is not that of a language model, or incomplete; create the store again."),
)


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The n-grams of one order.

    `keys` are sorted and distinct: the index of the n-gram without its last word, one order below,
    times the number of words, plus the number of the last word. `probability` and `backoff` are
    logarithms to base 10; the highest order has no back-off weights.
    """

    keys: Keys
    probability: Logs
    backoff: Logs

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceScores:
    """Aligned with the sentences: the log10 probability with the sentence's end, the number of
    words without it, how many of these the model does not know, and the sum of the words' log10
    probabilities without context (without the end)."""

    logprob: NDArray[np.float64]
    words: NDArray[np.int64]
    unknown: NDArray[np.int64]
    alone: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """A model of `order` words: `words` has its vocabulary with `<s>`, `</s>` and `<unk>`, and
    `levels` the n-grams of each order from 1; at order 1 the key is the number of the word."""

    words: TextIndex
    levels: tuple[Level, ...]

    @property
    def order(self) -> int:
        return len(self.levels)

    def marks(self) -> tuple[int, int, int]:
        """The numbers of `<s>`, `</s>` and `<unk>`."""
        begin, end, unknown = self.words.find((BEGIN, END, UNKNOWN))
        return begin, end, unknown

    def score(self, sentences: Sequence[Sequence[str]]) -> SentenceScores:
        """The sentences' scores. A word that the model does not know counts as `<unk>`, and so do
        the words `<s>` and `</s>` where a text has them."""
        begin, end, unknown = self.marks()
        numbers = self._numbers(sentences, unknown)
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        # Each sentence between its marks, one after another.
        starts = np.concatenate(([0], np.cumsum(lengths + 2)))[:-1]
        stream = np.full(len(numbers) + 2 * len(lengths), begin, dtype=np.int64)
        is_word = np.ones(len(stream), dtype=bool)
        is_word[starts] = is_word[starts + lengths + 1] = False
        stream[is_word] = numbers
        stream[starts + lengths + 1] = end
        logs = self._logs(stream)
        logs[starts] = 0.0
        alone = np.where(is_word, self.levels[0].probability[stream].astype(np.float64), 0.0)
        missing = is_word & (stream == unknown)
        return SentenceScores(
            logprob=_sums(logs, starts),
            words=lengths,
            unknown=_sums(missing.astype(np.int64), starts),
            alone=_sums(alone, starts),
        )

    def _numbers(self, sentences: Iterable[Sequence[str]], unknown: int) -> NDArray[np.int64]:
        distinct = list(dict.fromkeys(chain.from_iterable(sentences)))
        numbers = {
            word: unknown if at < 0 or word in MARKS else at
            for word, at in zip(distinct, self.words.find(distinct), strict=True)
        }
        return np.fromiter(map(numbers.__getitem__, chain.from_iterable(sentences)), dtype=np.int64)

    def _logs(self, stream: NDArray[np.int64]) -> NDArray[np.float64]:
        """The log10 probability of each word given those before it; that of `<s>` says nothing.

        The longest n-gram of the model counts, with the back-off weights of the longer contexts.
        """
        longest = np.zeros(len(stream), dtype=np.float64)
        weights = np.zeros(len(stream), dtype=np.float64)
        before = stream
        for at, level in enumerate(self.levels):
            ids = stream if at == 0 else self._find(level, before, stream)
            matched = np.flatnonzero(ids >= 0)
            longest[matched] = level.probability[ids[matched]]
            weights[matched] = 0.0  # Those of contexts as long as the n-gram or shorter.
            if at + 1 < self.order:
                before = np.concatenate(([-1], ids[:-1]))
                context = np.flatnonzero(before >= 0)
                weights[context] += level.backoff[before[context]]
        return longest + weights

    def _find(
        self, level: Level, before: NDArray[np.int64], stream: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The index of the n-gram that ends at each word, -1 if the model has none."""
        ids = np.full(len(stream), -1, dtype=np.int64)
        if not len(level):
            return ids
        places = np.flatnonzero(before >= 0)
        keys = before[places] * len(self.words) + stream[places]
        # In ascending order, neighbouring searches read the same memory.
        order = np.argsort(keys)
        keys, places = keys[order], places[order]
        at = np.minimum(np.searchsorted(level.keys, keys), len(level) - 1)
        ids[places] = np.where(level.keys[at] == keys, at, -1)
        return ids


def _sums(values: NDArray[Value], starts: NDArray[np.int64]) -> NDArray[Value]:
    return np.add.reduceat(values, starts) if len(starts) else values[:0]


def write_model(model: LanguageModel, folder: Path, *, source_sha256: str) -> None:
    """Write a store into an empty or new folder; `about.json` is written last and marks it
    complete."""
    folder.mkdir(parents=True, exist_ok=True)
    model.words.save(folder, "words")
    for order, level in enumerate(model.levels, 1):
        for part in ("keys", "probability", "backoff"):
            np.save(folder / f"{order}-{part}.npy", getattr(level, part), allow_pickle=False)
    about = {
        "sha256": source_sha256,
        "order": model.order,
        "words": len(model.words),
        "ngrams": [len(level) for level in model.levels],
    }
    ABOUT.write(folder, about)


def map_model(folder: Path) -> LanguageModel:
    """The memory-mapped model of a store; FileRefused if its files are damaged or mixed up."""
    about = ABOUT.read(folder)
    words = mapped_index(folder, "words")
    levels = tuple(
        Level(
            mapped(folder / f"{order}-keys.npy", np.int64),
            mapped(folder / f"{order}-probability.npy", np.float32),
            mapped(folder / f"{order}-backoff.npy", np.float32),
        )
        for order in range(1, about["order"] + 1)
    )
    whole = (
        len(words) == about["words"] == len(levels[0])
        and [len(level) for level in levels] == about["ngrams"]
        and all(len(level) == len(level.probability) for level in levels)
        and all(len(level) == len(level.backoff) for level in levels[:-1])
        and -1 not in words.find(sorted(MARKS))
    )
    if not whole:
        raise FileRefused.at(
            folder, 0, say("its files do not belong together; create the store again.")
        )
    return LanguageModel(words, levels)


Progress = Callable[[float], None]
FLOOR = -100.0  # Log10 probability of unknown words where a model has no `<unk>`; as in KenLM.
LM = FileOption(
    "lm",
    "",
    say("It names an n-gram language model: a file in the ARPA format, or a store made from one."),
    kind="lm",
)
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)$")
_BLANKS = re.compile(r"[ \t]+")
_ALSO_UNKNOWN = {"<UNK>": UNKNOWN}
_LINES_PER_TELLING = 65_536
_Lines = Iterator[tuple[int, str]]


@dataclass(slots=True)
class _Section:
    """The n-grams of one order as read: their lines, the numbers of their words one after another,
    and their logarithms."""

    order: int
    lines: array[int] = field(default_factory=lambda: array("q"))
    words: array[int] = field(default_factory=lambda: array("i"))
    probability: array[float] = field(default_factory=lambda: array("f"))
    backoff: array[float] = field(default_factory=lambda: array("f"))


@dataclass(frozen=True, slots=True, eq=False)
class ReadModel:
    """A model; `floored` if it had no `<unk>`, which then has FLOOR."""

    model: LanguageModel
    floored: bool


def read_arpa(path: Path, progress: Progress = lambda share: None) -> ReadModel:
    """Read a model of orders 1 to 7.

    Words are compared in NFC. A missing back-off weight is 0. Raises FileRefused with a line for
    each problem: a count that is not that of the n-grams, a number that is none, a word that is
    not among the 1-grams, an n-gram without its beginning, one that is there twice.
    """
    check_beginning(path)
    problems = Problems(path)
    lines = _watched(path, problems, progress)
    counts, heading = _counts(lines, path)
    numbers: dict[str, int] = {}
    sections: list[_Section] = []
    for order, (wanted, line) in enumerate(counts, 1):
        if heading[1] != f"\\{order}-grams:":
            raise FileRefused.at(path, heading[0], _no_section(order))
        section = _Section(order)
        heading = _read_section(lines, section, numbers, problems)
        sections.append(section)
        if len(section.lines) != wanted:
            problems.add(
                line,
                say(
                    "announces %(wanted)s %(order)s-grams, but there are %(n)s; is the file "
                    "complete?",
                    wanted=wanted,
                    order=order,
                    n=len(section.lines),
                ),
            )
    if heading[1] != "\\end\\":
        problems.add(heading[0], say("the line \\end\\ is missing; is the file complete?"))
    for number, _ in lines:
        problems.add(number, say("comes after the line \\end\\; take it out."))
    problems.check()
    floored = _complete(sections[0], numbers, path)
    words, ids = index_of(list(numbers))
    levels = _levels(sections, ids, problems)
    problems.check()
    return ReadModel(LanguageModel(words, levels), floored)


def _watched(path: Path, problems: Problems, progress: Progress) -> _Lines:
    size, done = size_of(path), 0
    for number, text in text_lines(path, problems):
        done += len(text) + 1
        if number % _LINES_PER_TELLING == 0:
            progress(min(1.0, done / size))
        yield number, text.strip(" \t")


def _counts(lines: _Lines, path: Path) -> tuple[list[tuple[int, int]], tuple[int, str]]:
    """The numbers of n-grams by order, each with its line, and the line after them."""
    if not any(text == "\\data\\" for _, text in lines):
        raise FileRefused.at(path, 0, say("has no line \\data\\; use a model in the ARPA format."))
    counts: list[tuple[int, int]] = []
    heading = (0, "")
    for number, text in lines:
        if not (match := _COUNT.match(text)):
            heading = (number, text)
            break
        if int(match[1]) != len(counts) + 1:
            raise FileRefused.at(
                path, number, say("has no count of %(order)s-grams.", order=len(counts) + 1)
            )
        counts.append((int(match[2]), number))
    if not 1 <= len(counts) <= HIGHEST_ORDER:
        raise FileRefused.at(
            path,
            heading[0],
            say(
                "is a model of order %(n)s; orders from 1 to %(most)s can be read.",
                n=len(counts),
                most=HIGHEST_ORDER,
            ),
        )
    return counts, heading


def _no_section(order: int) -> Sentence:
    return say("should be the heading \\%(order)s-grams: of the next part.", order=order)


def _read_section(
    lines: _Lines, section: _Section, numbers: dict[str, int], problems: Problems
) -> tuple[int, str]:
    """Read the n-grams up to the next heading, which is returned: (0, "") if the file ends."""
    for number, text in lines:
        if text.startswith("\\"):
            return number, text
        cells = text.split("\t")
        words = cells[1].split(" ") if 2 <= len(cells) <= 3 else []
        if len(cells) == 1:
            cells, words = _by_blanks(text, section.order)
        if len(words) != section.order:
            problems.add(
                number,
                say(
                    "is no %(order)s-gram; write log10 probability, words, and back-off weight, "
                    "with tabs between them.",
                    order=section.order,
                ),
            )
            continue
        section.lines.append(number)
        _add(section, number, cells, words, numbers, problems)
    return 0, ""


def _by_blanks(text: str, order: int) -> tuple[list[str], list[str]]:
    """The cells and the words of a line whose cells are separated by blanks like its words."""
    parts = _BLANKS.split(text)
    if len(parts) not in (order + 1, order + 2):
        return [], []
    return [parts[0], "", *parts[order + 1 :]], parts[1 : order + 1]


def _add(
    section: _Section,
    line: int,
    cells: list[str],
    words: list[str],
    numbers: dict[str, int],
    problems: Problems,
) -> None:
    try:
        probability = float(cells[0])
        backoff = float(cells[2]) if len(cells) == 3 else 0.0
    except ValueError:
        probability = backoff = nan
    if not (isfinite(probability) and isfinite(backoff)) or probability > 0:
        problems.add(
            line,
            say("has no valid logarithms; a probability is a number up to 0, a weight any number."),
        )
        return
    section.probability.append(probability)
    section.backoff.append(backoff)
    if section.order == 1:
        word = _ALSO_UNKNOWN.get(words[0], words[0])
        if word in numbers:
            problems.add(line, say("has the word %(word)s a second time.", word=word))
        section.words.append(numbers.setdefault(word, len(numbers)))
        return
    for word in words:
        at = numbers.get(_ALSO_UNKNOWN.get(word, word), -1)
        if at < 0:
            problems.add(line, say("has the word %(word)s, which is no 1-gram.", word=word))
        section.words.append(at)


def _complete(first: _Section, numbers: dict[str, int], path: Path) -> bool:
    """Whether `<unk>` had to be added; FileRefused for a model without the other marks."""
    for mark in (BEGIN, END):
        if mark not in numbers:
            raise FileRefused.at(
                path,
                0,
                say(
                    "has no 1-gram %(mark)s; train it on sentences with boundary marks.", mark=mark
                ),
            )
    if UNKNOWN in numbers:
        return False
    first.words.append(numbers.setdefault(UNKNOWN, len(numbers)))
    first.probability.append(FLOOR)
    first.backoff.append(0.0)
    return True


def _levels(
    sections: Sequence[_Section], ids: NDArray[np.int32], problems: Problems
) -> tuple[Level, ...]:
    """The n-grams of each order, sorted by their keys."""
    size = len(ids)
    levels: list[Level] = []
    for section in sections:
        words = ids[np.frombuffer(section.words, dtype=np.int32)].reshape(-1, section.order)
        keys = words[:, 0].astype(np.int64)
        for at in range(1, section.order):
            if at > 1:
                keys = _places(levels[at - 1].keys, keys)
                _tell(section, keys < 0, problems, _no_beginning(section.order))
            keys = keys * size + words[:, at]
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        again = np.zeros(len(keys), dtype=bool)
        again[order[1:]] = (keys[1:] == keys[:-1]) & (keys[1:] >= 0)
        _tell(section, again, problems, say("is there a second time."))
        levels.append(
            Level(
                keys,
                np.frombuffer(section.probability, dtype=np.float32)[order],
                np.frombuffer(section.backoff, dtype=np.float32)[order],
            )
        )
    return tuple(levels)


def _places(sorted_keys: Keys, keys: Keys) -> Keys:
    """The index of each key, -1 if it is not there."""
    if not len(sorted_keys):
        return np.full(len(keys), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
    return np.where(sorted_keys[at] == keys, at, -1)


def _no_beginning(order: int) -> Sentence:
    return say(
        "its words but the last are not among the %(order)s-grams; a model has the beginnings of "
        "its n-grams.",
        order=order - 1,
    )


def _tell(
    section: _Section, which: NDArray[np.bool_], problems: Problems, message: Sentence
) -> None:
    for at in np.flatnonzero(which).tolist():
        problems.add(section.lines[at], message)


def _loaded(place: Path, content: str) -> LanguageModel:
    return map_model(place) if place.is_dir() else read_arpa(place).model


load_model = ABOUT.cached(_loaded)
model_sha256 = ABOUT.sha256


def convert(source: Path, folder: Path, *, progress: Progress) -> dict[str, int]:
    """Make a store from a file, in a new or empty folder; `progress` gets the share done.

    Returns the order, the number of words, of n-grams, and 1 in `floored` if `<unk>` was added
    with FLOOR. Raises FileRefused with a line for each problem.
    """
    read = read_arpa(source, lambda share: progress(share * 0.8))
    write_model(read.model, folder, source_sha256=sha256(source))
    progress(1.0)
    return {
        "order": read.model.order,
        "words": len(read.model.words),
        "ngrams": sum(map(len, read.model.levels)),
        "floored": int(read.floored),
    }
