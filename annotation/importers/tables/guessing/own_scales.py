"""The scales that the judgments of a table name themselves, with the range that their values use.

For a campaign that begins with its file. A scale is only taken whose name says what is judged, and
that more of it is better, and whose values use both ends of a range that people have for scales, or
nearly; all others are left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from annotation.importers.tables.books import Book, place_of
from annotation.importers.tables.guessing.point_words import (
    codes_said,
    highest_in,
    label_in,
    levels,
    levels_of_classes,
    number_in,
    says_nothing,
)
from annotation.importers.tables.guessing.value_names import differ_in_a_number, is_cut_criterion
from annotation.importers.tables.guessing.values import NO_ANSWER
from annotation.importers.tables.inspecting import inspect_book, texts_beside, texts_of
from annotation.importers.tables.looking import Looked, Seen, of_tool
from annotation.importers.tables.mapped import VALUES
from annotation.importers.tables.mapping import IGNORE
from annotation.importers.tables.names import KNOWN_SCALES, concepts, lexicon_plain_name
from annotation.importers.tables.profiles import Profile
from annotation.importers.tables.proving.legends import (
    are_people,
    extremes,
    ranges_in,
    says_what_is_worse,
    unexplained,
)
from annotation.importers.tables.tools import ToolTable, recognised
from annotation.importers.tables.word_values import NO_VALUE, are_values, codes_of_none

LONGEST = 40  # characters of a name
FEWEST = 10  # values that say anything of their range
MANY = 20  # values, from which on an end may be missing, or a rare range is taken
WELL = 0.1  # share of the values that an end of a rare range needs
CHANCE = 0.02
NEAR = 0.15  # of a range of a hundred, in which its ends are not used
# Lowest and highest point: what people mostly use, and what they use rarely.
USUAL = ((1, 5), (1, 7), (1, 10), (0, 100), (1, 100), (0, 1), (-2, 2), (-3, 3))
RARE = (
    *((0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 10)),  # A few 0 may say that there is no answer.
    *((1, 3), (1, 4), (1, 6), (1, 9), (-1, 1)),
)
STEPS = (1.0, 0.5, 0.25, 0.1, 0.05, 0.01)
RATING = "rating"  # of columns that are called after those who rated alone
# What scales of points are called that name no criterion.
_DIRECT = frozenset({"da", "direct assessment"})
_OF_NOTHING = frozenset(
    {"otherwise", "rank", "confidence", "count", "metric", "length", "duration", "apart", "group"}
)
_POINTS = re.compile(r"[(\[（].*?[)\]）]|[0-9]+\s*(?:[-–—~/]|to|bis|à)\s*[0-9]+")
_NUMBERED = re.compile(r"[(\[（][^)\]）]*[0-9]\s*[^\w)\]）][^)\]）]*[)\]）]")  # (1-5), not (R1)
_RANGE = re.compile(r"(?<![A-Za-z0-9])[0-9]{1,3}[-–—~][0-9]{1,3}(?![A-Za-z0-9])")
_PARTS = re.compile(r"[\s_:|/.\-–—()（）]+")


@dataclass(frozen=True, slots=True)
class OwnScale:
    """A scale of a table: its name there, lowest and highest point, the step between points, and
    what points are called."""

    name: str
    low: float
    high: float
    step: float
    labels: tuple[tuple[float, str], ...] = ()


@dataclass(slots=True)
class ScaleAnswers:
    """What people gave on a scale: numbers, and words. `written` are ranges that names say, and
    `explained` those of texts beside the table; `classes` are the numbers of words in the file."""

    numbers: list[float] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    written: set[tuple[int, int]] = field(default_factory=set)
    explained: set[tuple[int, int]] = field(default_factory=set)
    classes: Mapping[str, float | None] = field(default_factory=dict)

    def add(self, number: float | None, text: str) -> None:
        """Add a cell."""
        if number is not None:
            self.numbers.append(number)
        elif text and not says_nothing(text) and text.casefold() not in NO_VALUE:
            self.words.append(text)

    def leave_codes_out(self) -> None:
        """Leave out numbers that say that there is no answer."""
        codes = codes_of_none(self.numbers)
        self.numbers = [one for one in self.numbers if one not in codes]


def own_scales(book: Book) -> tuple[OwnScale, ...]:
    """Return the scales that the judgments of a table name; none where one of them is uncertain."""
    tool = recognised(book, "judgments", ())
    if tool is None:
        looked = inspect_book(book, what="judgments", scales=()).looked
        given = {} if looked is None else _of_table(book, looked)
    else:
        given = {} if tool[1].refused is not None else _of_tool(book, tool[1])
    if not given or not all(map(_is_good, given)):
        return ()
    proposals = [_proposed(name, one) for name, one in given.items()]
    whole = {(one.low, one.high) for one in proposals if one is not None and not one.labels}
    scales = []
    for one, (name, values) in zip(proposals, given.items(), strict=True):
        scale = one or _like_the_others(name, values, whole)
        if scale is None:
            return ()
        scales.append(scale)
    return () if _doubtful(scales) else tuple(scales)


def _of_table(book: Book, looked: Looked) -> dict[str, ScaleAnswers]:
    beside = texts_beside(book, looked)
    given = _named(looked, (*beside.above, *beside.below))
    explained = _explained(book, looked)
    codes = codes_said(texts_of(looked, beside))
    for one in given.values():
        one.explained |= explained
        if any(column.guess.reason == NO_ANSWER for column in looked.columns):
            one.leave_codes_out()
        one.numbers = [number for number in one.numbers if number not in codes]
    return given


def _of_tool(book: Book, table: ToolTable) -> dict[str, ScaleAnswers]:
    given = _named(of_tool(book, table))
    for name, wording in table.legends.items():
        for at in {name, _bare(name)} & given.keys():
            ends = extremes(wording)
            given[at].written.update(ranges_in(wording), [ends] if ends else [])
    for name, one in given.items():
        one.classes = table.words.get(name, {})
        one.leave_codes_out()
    return given


def _proposed(name: str, given: ScaleAnswers) -> OwnScale | None:
    """Return the scale of numbers, or that of words; None where they do not show its ends."""
    explained = given.explained
    if not given.words:
        return _scale(name, given.numbers, given.written, explained)
    words = list(dict.fromkeys(given.words))
    placed = levels(words) or levels_of_classes(given.classes)
    if placed is not None and not given.numbers:
        by_word, n = placed
        low = 0 if n == 2 else 1
        labels = {low + level: word for word, level in reversed([*by_word.items()])}
        return OwnScale(name, low, low + n - 1, 1, tuple(sorted(labels.items())))
    numbers = {word: number_in(word) for word in words}
    if any(number is None for number in numbers.values()):
        return None
    of = {highest_in(word) for word in words} - {None}
    values = [*given.numbers, *(numbers[word] or 0.0 for word in given.words)]
    written = {
        *given.written,
        *((0 if 0.0 in values or high == 100 else 1, int(high or 0)) for high in of),
    }
    scale = _scale(name, values, written, explained)
    names = {number: label_in(word) for word, number in numbers.items() if label_in(word)}
    if scale is None or len(names) < len(numbers):
        return scale
    return replace(scale, labels=tuple(sorted((n or 0.0, word) for n, word in names.items())))


def _explained(book: Book, looked: Looked) -> set[tuple[int, int]]:
    """Return the ranges of points that the texts beside the table name."""
    beside = texts_beside(book, looked)
    ranges: set[tuple[int, int]] = set()
    for text in (*beside.above, *beside.below, *beside.sheets, *beside.remarks):
        legend = extremes(text)
        ranges.update(ranges_in(text), [legend] if legend else [])
    return ranges & {*USUAL, *RARE}


def _named(looked: Looked, titles: Sequence[str] = ()) -> dict[str, ScaleAnswers]:
    """Return what was given by the names of scales, in the order of the rows; `titles` may name the
    scale of columns of people."""
    given: dict[str, ScaleAnswers] = {}
    columns = [one for one in looked.columns if _may_hold(looked, one)]
    read = [_profile(looked, one) for one in columns]
    cells = [list(zip(one.values, one.texts, strict=True)) for one in read]
    labels = [one for one in looked.columns if one.guess.role == "scale"]
    if labels:
        for at, label in enumerate(_profile(looked, labels[0]).texts):
            one = (
                given.setdefault(label, ScaleAnswers(written={*ranges_in(label)}))
                if label
                else ScaleAnswers()
            )
            for column in cells:
                one.add(*column[at])
        return given
    if not columns:
        return given
    by_row = any(one.guess.role in ("annotator", "value_of") for one in looked.columns)
    names = _of_rows(looked, columns) if by_row else _of_columns(looked, columns)
    if {*names} == {RATING} and (title := _titled(titles)):
        names = [title] * len(names)
    for seen, name in zip(columns, names, strict=False):
        whole = f"{looked.group_of(seen.column)} {seen.name}"
        legend = extremes(whole)
        written = given.setdefault(name, ScaleAnswers()).written
        written.update(ranges_in(whole), [legend] if legend else [])
    for row in zip(*cells, strict=True):
        for (number, text), name in zip(row, names, strict=False):
            given[name].add(number, text)
    return given


def _profile(looked: Looked, one: Seen) -> Profile:
    return looked.profiles[place_of(one.column) or 0]


def _may_hold(looked: Looked, one: Seen) -> bool:
    """Whether a column holds judgments, whatever they are called."""
    profile = _profile(looked, one)
    held = profile.is_number or are_values(profile.words)
    if one.guess.role == "value_of":  # of a tool, which says that it is an answer
        return True
    return held and (one.guess.role in VALUES or (one.guess.role == IGNORE and one.guess.ask))


def _of_rows(looked: Looked, columns: Sequence[Seen]) -> list[str]:
    """Return the scale of each column where each row is of one annotator: its name, or what stands
    over it."""
    names = []
    for one in columns:
        group = looked.group_of(one.column)
        own = "criterion" in concepts(one.name) or "criterion" not in concepts(group)
        name = one.name if own else group
        above, _, last = name.rpartition(".")
        names.append(_bare(last if last and concepts(above) == {"value"} else name))
    return names


def _of_columns(looked: Looked, columns: Sequence[Seen]) -> list[str]:
    """Return the scale of each column where these are of one annotator each, maybe beside one for
    each scale: what stands over the annotators, or is a part of the names."""
    groups = [looked.group_of(one.column) for one in columns]
    names = [one.name for one in columns]
    if not any(groups) and _numbers_points(names):
        return []
    for scales, people in ((groups, names), (names, groups)):
        if all(scales) and all(people) and _all_judged_all(scales, people):
            return [_bare(one) for one in scales]
    nested = all(name.count(".") > 1 for name in names)
    split = [
        name.split(".")
        if nested
        else [*filter(None, _PARTS.split(_RANGE.sub(" ", _NUMBERED.sub("", name))))]
        for name in names
    ]
    while nested and len({one[0] for one in split}) == 1 and min(map(len, split)) > 2:
        split = [one[1:] for one in split]  # outputs.ratings.R1.simplicity
    for size in range(1, max(map(len, split), default=1)):
        for ends in (slice(None, size), slice(-size, None)):
            rest = slice(size, None) if ends.start is None else slice(None, -size)
            scales = [" ".join(one[ends]) for one in split]
            people = [" ".join(one[rest]) for one in split]
            if all(scales) and all(people) and _all_judged_all(scales, people):
                return scales
    return _of_one_scale(looked, names, groups)


def _numbers_points(names: Sequence[str]) -> bool:
    """Whether names are a word for points with a number each: Note 1, of people or criteria."""
    about = [concepts(name) for name in names]
    numbered = len(names) > 1 and all(name.strip()[-1:].isdigit() for name in names)
    bare = all("value" in one and not one & {"annotator", "criterion"} for one in about)
    return numbered and bare and differ_in_a_number(names)


def _of_one_scale(looked: Looked, names: Sequence[str], groups: Sequence[str]) -> list[str]:
    """Return the scale of columns of annotators that no part of the names says: the title of the
    sheet, or a bare rating; or the names themselves, where these are no people's."""
    if len(set(names)) < len(names):
        return []
    if all(concepts(name) & {"annotator"} for name in names) and differ_in_a_number(names):
        return [RATING] * len(names)
    titles = [one.name for one in looked.parts or (looked,) if not one.has_texts or not looked.join]
    if len(titles) == 1 and "criterion" in concepts(titles[0]) and are_people(names, groups):
        return [_bare(titles[0])] * len(names)
    words = [{*filter(_is_long, lexicon_plain_name(name).split())} for name in names]
    if any(one & two for one, two in combinations(words, 2)):
        return []  # Something else than people too, that nobody knows.
    return [RATING] * len(names) if are_people(names, groups) else [_bare(name) for name in names]


def _is_long(word: str) -> bool:
    return len(word) > 1 and not word.isdigit()  # R of R1 is no word


def _titled(texts: Sequence[str]) -> str:
    """Return the scale that the only text about a criterion names in front of its legend; "" if
    there is none, or several."""
    about = [text for text in texts if "criterion" in concepts(text)]
    if len(about) != 1:
        return ""
    name = re.split(r"[:：(（=,;]", about[0])[0].strip()
    for piece in re.split(r"\s[-–—|]\s", name):
        if "criterion" in concepts(piece) and _is_good(piece.strip()):
            return piece.strip()
    words = [word for word in re.findall(r"[^\W\d_]+", name) if "criterion" in concepts(word)]
    if not words:  # Scale: 1 = another meaning ...
        whole = re.findall(r"[^\W\d_]+", about[0])
        words = [word for word in whole if "criterion" in concepts(word)]
    return words[0] if {*words} and len({*words}) == 1 and _is_good(words[0]) else ""


def _all_judged_all(scales: Sequence[str], people: Sequence[str]) -> bool:
    """Whether scales that are known are crossed with the same others, people it may be."""
    each: dict[str, list[str]] = {}
    for scale, person in zip(scales, people, strict=True):
        each.setdefault(scale, []).append(person)
    sets = list(each.values())
    crossed = all(set(one) == set(sets[0]) and len(set(one)) == len(one) for one in sets)
    several = len(sets[0]) > 1 or len(sets) == len(scales) > 1
    good = all(_is_good(_bare(scale)) for scale in each) and not any(map(_is_good, sets[0]))
    return crossed and several and good


def _bare(name: str) -> str:
    """Return a name without its range, and without words for points where others are left."""
    whole = " ".join(_POINTS.sub(" ", name).replace("_", " ").split())
    words = [word for word in whole.split() if concepts(word) != {"value"}]
    return " ".join(words) or whole


def _is_good(name: str) -> bool:
    """Whether a name says what is judged, with words that are known, and none by which less of it
    would be better."""
    about = concepts(name)
    if not 0 < len(name) <= LONGEST or about & _OF_NOTHING or says_what_is_worse(name):
        return False
    if "annotator" in about:
        return False
    if lexicon_plain_name(name) in _DIRECT:
        return True
    if is_cut_criterion(name):
        return True
    named = bool(about & {"criterion", "value"})
    return named and not all(unexplained(name, scale) for scale in ("", *KNOWN_SCALES))


def _scale(
    name: str,
    values: Sequence[float],
    written: set[tuple[int, int]],
    explained: set[tuple[int, int]],
) -> OwnScale | None:
    """Return the scale of some values; None where neither they nor the name show its ends."""
    if len(values) < FEWEST or len(set(values)) < 2:
        return None
    least, most = min(values), max(values)
    if written:
        [(low, high), *others] = written
        within = not others and low <= least and most <= high
        return _with_step(name, low, high, values) if within else None
    ends = (least, most)
    around = [one for one in explained if one[0] <= least and most <= one[1]]
    if len(around) == 1:
        return _with_step(name, *around[0], values)
    if _changes(values):
        return None
    if ends in RARE:
        used = min(values.count(least), values.count(most))
        return _with_step(name, *ends, values) if used >= max(2, WELL * len(values)) else None
    if ends in USUAL:
        return _with_step(name, *ends, values)
    if len(values) < MANY:
        return None
    if most in (5, 7) and 1 < least <= (most + 1) / 2:
        return _with_step(name, 1, most, values)
    slider = least <= 100 * NEAR or len({*values}) >= MANY  # of many points, few are near 0
    if least >= 0 and slider and 100 * (1 - NEAR) <= most <= 100:
        return _with_step(name, 0, 100, values)
    return None


def _changes(values: Sequence[float]) -> bool:
    """Whether one half of the values has an end that the other half would not lack by chance: two
    tables of different scales below each other."""
    half = len(values) // 2
    parts = (values[:half], values[half:])
    return half >= FEWEST and any(
        end not in other and (1 - part.count(end) / half) ** half < CHANCE
        for end in (min(values), max(values))
        for part, other in (parts, parts[::-1])
    )


def _with_step(name: str, low: float, high: float, values: Sequence[float]) -> OwnScale | None:
    """Return the scale with the largest step that has all values as points. Of a scale of few
    points only halves are taken that are no exception: others are means."""
    halves = sum(one % 1 == 0.5 for one in values) >= WELL * len(values)
    steps = STEPS if high - low > 20 else STEPS[: 1 + halves]
    for step in steps:
        if all(abs((one - low) / step - round((one - low) / step)) < 1e-6 for one in values):
            return OwnScale(name, low, high, step)
    return None


def _like_the_others(
    name: str, given: ScaleAnswers, ranges: set[tuple[float, float]]
) -> OwnScale | None:
    """Return a scale with the range of all others, where its values use one end of that."""
    values = given.numbers
    if len(ranges) != 1 or len(values) < FEWEST or given.words:
        return None
    [(low, high)] = ranges
    least, most = min(values), max(values)
    used = low <= least and most <= high and (least == low or most == high)
    return _with_step(name, low, high, values) if used else None


def _doubtful(scales: Sequence[OwnScale]) -> bool:
    """Whether two scales differ in a single point: one of them may just not use its end."""
    return any(
        (one.low, one.high) != (two.low, two.high)
        and abs(one.low - two.low) + abs(one.high - two.high) <= 1
        for one in scales
        for two in scales
        if not one.labels and not two.labels
    )
