"""Language models in the ARPA format: reading, checking, and making a store."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite, nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraanno.plain.sentence import Sentence, say
from scoring.metrics.files import FileOption, FileRefused, Problems, sha256, size_of, text_lines
from scoring.metrics.resources.kinds import check_beginning
from scoring.metrics.resources.language_model import (
    ABOUT,
    BEGIN,
    END,
    HIGHEST_ORDER,
    UNKNOWN,
    Keys,
    LanguageModel,
    Level,
    map_model,
    write_model,
)
from scoring.metrics.resources.text_index import index_of

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
                    wanted=wanted, order=order, n=len(section.lines),
                ),
            )  # fmt: skip
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
            path, heading[0],
            say(
                "is a model of order %(n)s; orders from 1 to %(most)s can be read.",
                n=len(counts), most=HIGHEST_ORDER,
            ),
        )  # fmt: skip
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
    section: _Section, line: int, cells: list[str], words: list[str], numbers: dict[str, int],
    problems: Problems,
) -> None:  # fmt: skip
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
                path, 0,
                say("has no 1-gram %(mark)s; train it on sentences with boundary marks.",
                    mark=mark),
            )  # fmt: skip
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


def _tell(section: _Section, which: NDArray[np.bool_], problems: Problems, said: Sentence) -> None:
    for at in np.flatnonzero(which).tolist():
        problems.add(section.lines[at], said)


def load_model(path: str) -> LanguageModel:
    """The model of a file or a store; cached until the file changes.

    Raises FileRefused if it is neither, or is damaged.
    """
    return _loaded(Path(path), model_sha256(path))


def model_sha256(path: str) -> str:
    """The SHA-256 of the source file, also for a store made from it."""
    return ABOUT.sha256(path)


@lru_cache(maxsize=2)
def _loaded(place: Path, content: str) -> LanguageModel:
    return map_model(place) if place.is_dir() else read_arpa(place).model


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
