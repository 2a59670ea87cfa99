"""What the columns of a table contain, from its first rows."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from statistics import fmean, median, pstdev, stdev

from annotation.importers.tables.books import Cell, Coded, NoValue, is_empty
from annotation.importers.tables.names import concepts, lexicon_plain_name
from paraanno.common.cells import read_number
from paraanno.common.texts import Sentence, say

SAMPLE = 2000  # rows
MOST_COLUMNS = 500
MOST_COMPARED = 40  # columns of text
SHOWN = 3
LONG = 80
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")  # written without spaces


@dataclass(frozen=True, slots=True)
class Profile:
    """A column: its cells as texts ("" for empty ones), and shares from 0 to 1 of the filled ones.

    `filled` is the share of all rows; `length` the mean number of characters; `values` are the
    numbers, None for another cell.
    """

    texts: tuple[str, ...]
    filled: float
    numeric: float
    dates: float
    distinct: int
    length: float
    lowest: float | None
    highest: float | None
    values: tuple[float | None, ...] = ()

    @property
    def n(self) -> int:
        """The number of filled cells."""
        return sum(map(bool, self.texts))

    @property
    def is_text(self) -> bool:
        """Mostly texts that are no numbers."""
        return self.n > 0 and self.numeric + self.dates < 0.3

    @property
    def is_number(self) -> bool:
        """Mostly numbers (or what a spreadsheet made dates of)."""
        return self.n > 0 and self.numeric >= 0.5 and self.numeric + self.dates > 0.8

    @property
    def repeats(self) -> bool:
        """Few values that come again and again."""
        return 0 < self.distinct <= max(2, min(50, self.n // 3))

    @property
    def is_label(self) -> bool:
        """Short texts of which few come again and again: names, groups, words of a scale."""
        spaces = sum(text.count(" ") + len(_UNSPACED.findall(text)) / 2.5 for text in self.texts)
        return self.is_text and self.repeats and self.length <= 40 and spaces <= 4 * self.n

    @property
    def kind(self) -> str:
        """What a column mostly holds: number, label or text."""
        return "number" if self.is_number else "label" if self.is_label else "text"

    @property
    def words(self) -> list[str]:
        """The different texts, in the order in which they come."""
        return list(dict.fromkeys(text for text in self.texts if text))

    def examples(self) -> list[str]:
        """Return some different values, shortened."""
        texts = list(dict.fromkeys(text for text in self.texts if text))[:SHOWN]
        return [text if len(text) <= LONG else text[:LONG] + "…" for text in texts]


def profile(cells: Sequence[Cell], decimal: str) -> Profile:
    """Describe the cells of one column."""
    texts = tuple(_text(cell) for cell in cells)
    filled = [text for text in texts if text]
    values = tuple(
        _number(cell, text, decimal) if text else None
        for cell, text in zip(cells, texts, strict=True)
    )
    numbers = [number for number in values if number is not None]
    dates = sum(isinstance(cell, date | datetime) for cell in cells)
    n = max(1, len(filled))
    return Profile(
        texts,
        len(filled) / max(1, len(cells)),
        len(numbers) / n,
        dates / n,
        len(Counter(filled)),
        sum(map(len, filled)) / n,
        min(numbers, default=None),
        max(numbers, default=None),
        values,
    )


def _text(cell: Cell) -> str:
    if is_empty(cell):
        return ""
    if isinstance(cell, Coded):
        return cell.label
    return "?" if isinstance(cell, NoValue) else str(cell).strip()


def _number(cell: Cell, text: str, decimal: str) -> float | None:
    if isinstance(cell, bool | date | NoValue):
        return None
    if isinstance(cell, int | float):
        return float(cell)
    return read_number(text, decimal)


def contained(inner: Profile, outer: Profile) -> float:
    """Return in which share of the rows with both the inner text occurs in the outer, longer one.

    Case is ignored.
    """
    both = inside = 0
    for small, large in zip(inner.texts, outer.texts, strict=True):
        if small and large:
            both += 1
            inside += len(small) < len(large) and small.casefold() in large.casefold()
    return inside / both if both >= 2 or (both == 1 and len(inner.texts) == 1) else 0.0


def same_texts(key: Profile, value: Profile) -> bool:
    """Whether equal keys are beside equal values."""
    seen: dict[str, str] = {}
    return all(
        seen.setdefault(one, two) == two
        for one, two in zip(key.texts, value.texts, strict=True)
        if one and two
    )


def shared_words(new: Profile, original: Profile) -> float:
    """Return the mean share of the words of texts that stand in their originals."""
    shares = []
    for text, whole in zip(new.texts, original.texts, strict=True):
        words, beside = words_of(text), words_of(whole)
        if words and beside:
            shares.append(len(words & beside) / len(words))
    return sum(shares) / len(shares) if shares else 0.0


def words_of(text: str) -> set[str]:
    """Return the words of a text, or pairs of signs where it has no spaces between words."""
    words = text.casefold().split()
    if len(words) > 3:
        return {word.strip(".,;:!?\"'()") for word in words}
    return {text[at : at + 2] for at in range(len(text) - 1)}


def share_context(new: Profile, sentence: Profile, phrase: Profile) -> bool:
    """Whether new texts mostly hold what stands before or after the phrase."""
    rows = [
        (text, whole.partition(part))
        for text, whole, part in zip(new.texts, sentence.texts, phrase.texts, strict=True)
        if text and part and part in whole
    ]
    shared = sum(
        (len(before.strip()) > 2 and before.strip() in text)
        or (len(after.strip()) > 2 and after.strip() in text)
        for text, (before, _, after) in rows
    )
    return shared * 2 > len(rows)


# Columns that are computed from others: means, deviations, sums, counts, lengths, copies.


_SAY_SO = frozenset({"mean", "median", "sd", "sum", "count", "majority"})
MOST_SOURCES = 12  # columns from which one is computed
MOST_NUMBERS = 60  # columns that are compared
LEAST_ROWS = 3
MOST_ROWS = 300
LEAST_LETTERS = 6  # of texts whose length is counted, on average
LEAST_OF_WHOLE = 6  # rows from which on whole numbers prove anything
LEAST_OF_ROUNDED = 5  # rows
_NUMBER_BEHIND = re.compile(r"[\s_.\-]*([0-9]{1,3}|[A-Za-z])$")
_AGREES = re.compile("一致|일치")
Values = Sequence[float | None]
# Name, and whether a value is the result, of columns that are known to be named otherwise.
_ROUNDED: tuple[tuple[str, Callable[[float, Sequence[float]], bool]], ...] = (
    ("mean", lambda value, parts: abs(value - fmean(parts)) <= 0.5),
    ("median", lambda value, parts: value == median(parts)),
    ("highest", lambda value, parts: value == max(parts)),
    ("lowest", lambda value, parts: value == min(parts)),
    ("range", lambda value, parts: value == max(parts) - min(parts)),
)
# Name, function, and whether the result may be a whole number by chance.
_RULES: tuple[tuple[str, Callable[[Sequence[float]], float], bool], ...] = (
    ("mean", fmean, False),
    ("sum", math.fsum, False),
    ("sd", stdev, False),
    ("sd", pstdev, False),
    ("median", median, True),
)


def computed(
    names: Sequence[str], profiles: Sequence[Profile], numbers: Sequence[int]
) -> dict[int, tuple[str, tuple[int, ...]]]:
    """Return how columns of numbers are computed from others: "mean" and the places of these.

    Several rows have to agree, up to the rounding of what is printed; where the result is a whole
    number, the name has to say it too.
    """
    rules: dict[int, tuple[str, tuple[int, ...]]] = {}
    numbers = numbers[:MOST_NUMBERS]
    is_derived = {at: bool(concepts(names[at]) & _SAY_SO) for at in numbers}
    odd = _odd_one(names, numbers)
    for at in numbers:
        for places in _sources(at, numbers, profiles, is_derived):
            if any(place in rules for place in places):
                continue
            parts = [profiles[place] for place in places]
            kind = _rule(profiles[at], parts, is_derived[at])
            if kind is None and at == odd and len(places) == len(numbers) - 1:
                kind = _rounded(profiles[at], parts)
            if kind is not None:
                rules[at] = (kind, places)
                break
    for at in numbers:
        if at not in rules and (source := _rescaled_from(at, numbers, profiles, rules)) is not None:
            rules[at] = ("rescaled", (source,))
    return rules


def _rescaled_from(
    at: int, numbers: Sequence[int], profiles: Sequence[Profile], rules: Mapping[int, object]
) -> int | None:
    """Return the column of which one with decimals is made by a factor and a sum:
    z-scores, or points that were brought to the range from 0 to 1."""
    result = profiles[at]
    if all(value is None or value.is_integer() for value in result.values):
        return None
    for other in numbers:
        source = profiles[other]
        if other == at or (other in rules and rules[other] == ("rescaled", (at,))):
            continue
        rows = [
            (a, b, text, own)
            for a, b, text, own in zip(
                source.values, result.values, result.texts, source.texts, strict=True
            )
            if a is not None and b is not None
        ]
        points = {a: b for a, b, *_ in rows}
        if len(rows) < LEAST_OF_WHOLE or len(points) < 3:
            continue
        low, high = min(points), max(points)
        factor = (points[high] - points[low]) / (high - low)
        if factor and all(
            _near(b, points[low] + factor * (a - low), text, abs(factor) * _rounding(own))
            for a, b, text, own in rows
        ):
            return other
    return None


def _near(value: float, result: float, text: str, beside: float) -> bool:
    """Whether a printed value is a result whose parts were rounded too, by `beside`."""
    return abs(value - result) <= 1.5 * (_rounding(text) or 1.0) + 1.5 * beside


def _rounding(text: str) -> float:
    """Return the least step of a printed number; 0 for a whole one."""
    _, point, decimals = text.replace(",", ".").rpartition(".")
    return 10.0 ** -len(decimals) if point and decimals.isdigit() else 0.0


def _odd_one(names: Sequence[str], numbers: Sequence[int]) -> int | None:
    """Return the only column behind others whose names differ in a number, if its own is another
    one: R1, R2, R3, combined."""
    if len(numbers) < 3:
        return None
    *others, last = numbers
    stems = {_NUMBER_BEHIND.sub("", names[at].strip()).casefold() for at in numbers}
    same = {_NUMBER_BEHIND.sub("", names[at].strip()).casefold() for at in others}
    return last if len(same) == 1 and len(stems) == 2 else None


def _rounded(result: Profile, sources: Sequence[Profile]) -> str | None:
    """Return how whole numbers are computed of others that are named alike, if many rows agree:
    a rounded mean, a median, the highest, the lowest or the distance of both."""
    rows = [
        (value, [one for one in parts if one is not None])
        for value, *parts in zip(result.values, *(one.values for one in sources), strict=True)
        if value is not None
    ]
    rows = [row for row in rows if len(row[1]) >= 2][:MOST_ROWS]
    if len(rows) < LEAST_OF_ROUNDED or len({tuple(parts) for _, parts in rows}) < 4:
        return None
    for kind, function in _ROUNDED:
        if all(function(value, parts) for value, parts in rows):
            return kind
    return None


def _sources(
    at: int, numbers: Sequence[int], profiles: Sequence[Profile], is_derived: Mapping[int, bool]
) -> Iterator[tuple[int, ...]]:
    """Yield neighbouring columns, the larger groups first, and those at equal distances."""
    others = [
        one
        for one in numbers
        if one != at and profiles[one].n >= profiles[at].n / 2 and not is_derived[one]
    ]
    runs = [others[:MOST_SOURCES], *_runs(others)]
    seen: set[tuple[int, ...]] = set()
    for run in runs:
        for size in range(len(run), 1, -1):
            for start in range(len(run) - size + 1):
                part = tuple(run[start : start + size])
                if part not in seen:
                    seen.add(part)
                    yield part
    for step in (2, 3, 4):
        for first in range(step):
            apart = others[first::step][:MOST_SOURCES]
            for size in range(len(apart), 1, -1):
                for start in range(len(apart) - size + 1):
                    part = tuple(apart[start : start + size])
                    if part not in seen:
                        seen.add(part)
                        yield part


def _runs(others: Sequence[int]) -> list[list[int]]:
    """Return the runs of columns that stand beside each other, a gap of one within."""
    runs: list[list[int]] = []
    for one in others:
        if runs and one - runs[-1][-1] <= 2 and len(runs[-1]) < MOST_SOURCES:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _rule(result: Profile, sources: Sequence[Profile], named: bool) -> str | None:
    if result.distinct < 2 and not named and not _rounding(next(filter(None, result.texts), "")):
        return None  # What is equal to one whole number everywhere does not vary.
    filled = (
        (value, [one for one in parts if one is not None], text)
        for value, *parts, text in zip(
            result.values, *(one.values for one in sources), result.texts, strict=True
        )
        if value is not None
    )
    usable = (row for row in filled if len(row[1]) >= 2)
    rows = list(islice(usable, LEAST_OF_WHOLE))
    rules = [
        (kind, function)
        for kind, function, by_chance in _RULES
        if (named or not by_chance)
        and all(fits(value, function(parts), text) for value, parts, text in rows)
    ]
    if not rules:
        return None  # So end nearly all of the thousands of groups in a wide table.
    rows += islice(usable, MOST_ROWS - LEAST_OF_WHOLE)
    if len(rows) < LEAST_ROWS:
        return None
    whole = all(value == int(value) for value, _, _ in rows)
    for kind, function in rules:
        if whole and not named and (kind != "sum" or len(rows) < LEAST_OF_WHOLE - 2):
            continue
        if all(fits(value, function(parts), text) for value, parts, text in rows):
            varied = len({round(function(parts), 6) for _, parts, _ in rows}) > 1
            if varied or named:
                return kind
    return None


def fits(value: float, result: float, text: str) -> bool:
    """Whether a printed value is a result, rounded to as many decimals as it has."""
    _, point, decimals = text.replace(",", ".").rpartition(".")
    places = len(decimals) if point and decimals.isdigit() else 0
    return abs(value - result) <= 0.5 * 10.0**-places + 1e-9 if places else value == result


def length_of(profile: Profile, texts: Sequence[Profile]) -> int | None:
    """Return the place among `texts` of the column whose characters or words a column counts."""
    rows = [at for at, value in enumerate(profile.values) if value is not None]
    if len(rows) < LEAST_ROWS or profile.distinct < 2:
        return None
    for place, text in enumerate(texts):
        cells = [(profile.values[at], text.texts[at]) for at in rows if text.texts[at]]
        if len(cells) < LEAST_ROWS or text.is_label or text.length < LEAST_LETTERS:
            continue
        if all(value == len(cell) for value, cell in cells) or all(
            value == len(cell.split()) for value, cell in cells
        ):
            return place
    return None


def reason_of(kind: str, n: int) -> Sentence:
    """Return what a computed column is."""
    whole = {
        "mean": say("mean of %(n)s columns", n=n),
        "median": say("median of %(n)s columns", n=n),
        "sd": say("standard deviation of %(n)s columns", n=n),
        "sum": say("sum of %(n)s columns", n=n),
        "rescaled": say("made of another column by a factor"),
        "highest": say("the highest of %(n)s columns", n=n),
        "lowest": say("the lowest of %(n)s columns", n=n),
        "range": say("highest minus lowest of %(n)s columns", n=n),
    }
    return whole[kind]


def computed_by_name(name: str) -> Sentence | None:
    """Return what a column of numbers is computed of, by its name alone; None for another name."""
    about = concepts(name)
    if "criterion" in about and _AGREES.search(name):
        about -= {"majority"}  # 语义一致: of the meanings, not of people
    if {*lexicon_plain_name(name).split()} & {"kappa", "agreement"}:
        return say("how far people agree")
    reasons = {
        "mean": say("a mean"),
        "median": say("a median"),
        "sd": say("a deviation"),
        "sum": say("a sum"),
        "count": say("a count"),
        "majority": say("computed of the judgments"),
        "metric": say("the score of a metric"),
        "length": say("a length"),
        "rank": say("a rank"),
        "duration": say("how long it took"),
    }
    return next((reason for kind, reason in reasons.items() if kind in about), None)
