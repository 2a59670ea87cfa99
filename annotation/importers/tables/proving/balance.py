"""The balance of a table: what a mapping reads of it, counted against its cells.

One place that asks whatever the rules that guess have concluded: names of values are understood
wholly, columns of points that are not read are proven to be something else, nobody judges a text
twice or against all others, a system has one text of an original, and no text beside the table says
that its numbers go the other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from annotation.importers.tables.books import place_of
from annotation.importers.tables.looking import Looked, Seen
from annotation.importers.tables.mapping import IGNORE, ColumnMap
from annotation.importers.tables.names import concepts, lexicon_plain_name, scale_named
from annotation.importers.tables.profiles import Profile, computed_by_name, same_texts
from annotation.importers.tables.proving.explained import are_people, unexplained
from annotation.importers.tables.proving.legends import extremes, ranges_in, turned
from annotation.importers.tables.proving.texts import of_texts, records_of
from annotation.importers.tables.word_values import word_set
from paraanno.common.texts import Sentence, say, shown

VALUES = ("value", "value_of", "voice_of")
TEXT = ("sentence", "phrase", "paraphrase", "start", "item", "displayed")
LEAST = 12  # texts that two people judged, from which on they are compared
AGAINST = -3.5  # t of a correlation: chance hardly goes below
SHORT = 200  # characters of a text that may explain numbers
MOST_BESIDE = 20_000  # characters beside the table
FEW = 12  # different texts of a column that may explain them
# "Note" is a remark in English, points in French, and in German a mark of which 1 is the best.
_MARKS = word_set("note; noten; schulnote; schulnoten; zensur; zensuren; benotung; gesamtnote")
_QUALITY = re.compile(r"qualit\w*|calidad|품질|质量", re.IGNORECASE)
_FRENCH = word_set("le; la; les; des; une; du; est; et; dans; pour; sur; au; il; elle")


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """One value of the table."""

    text: tuple[object, ...]
    scale: str
    annotator: str
    occasion: str
    value: float


@dataclass(frozen=True, slots=True)
class Beside:
    """The texts of a file that are no part of its table: rows above and below, other sheets,
    remarks on cells; `again` are rows of totals and heads that come again."""

    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    again: tuple[int, ...] = ()


def unproven(mapping: ColumnMap, looked: Looked, beside: Beside) -> Iterator[Sentence]:
    """Yield what the balance leaves open."""
    yield from _alike(mapping, looked)
    if mapping.what == "items":
        yield from of_texts(mapping, looked)
        return
    if mapping.what != "judgments":
        return
    values = [one for one in looked.columns if one.guess.role in VALUES and not one.guess.ask]
    if not values:
        return
    profiles = {one.column: looked.profiles[place_of(one.column) or 0] for one in looked.columns}
    # What somebody read to another range, or turned round, was looked at.
    turned_round = looked.table.rescaled if looked.table is not None else frozenset()
    plain = [one for one in values if place_of(one.column) not in turned_round]
    if plain:
        yield from _names(looked, plain)
        yield from _marks(looked, plain, profiles)
        yield from _legends(looked, plain, profiles, beside)
    yield from _notes(looked, beside)
    yield from _another_criterion(looked, values, beside)
    yield from _judges_of_themselves(looked, profiles)
    yield from _labels_of_scales(mapping, looked, profiles)
    yield from _points_left(looked, values, profiles)
    yield from _nobodys(looked)
    judged = list(_judged(mapping, looked))
    yield from _ranks(judged)
    yield from _twice(judged)
    yield from _against(judged)


def of_records(mapping: ColumnMap, looked: Looked) -> Iterator[Sentence]:
    """Yield what the records of a tool's file leave open, whose columns are known."""
    yield from _alike(mapping, looked)
    if mapping.what == "judgments":
        judged = list(_judged(mapping, looked))
        yield from _twice(judged)
        yield from _against(judged)
    elif mapping.what == "items" and not mapping.has("paraphrase", "output_of"):
        yield say("the file has originals alone, and no texts of systems: is that right?")


def _alike(mapping: ColumnMap, looked: Looked) -> Iterator[Sentence]:
    """Ask about systems, or annotators, whose names differ in nothing but capitals and signs."""
    names: dict[str, dict[str, str]] = {"system": {}, "annotator": {}}
    for one in records_of(mapping, looked):
        for role, seen in names.items():
            name = str(one.get(role) or "")
            other = seen.setdefault("".join(filter(str.isalnum, name.casefold())), name)
            if other != name:
                yield say(
                    "%(one)s and %(two)s differ in capitals or signs alone: are they two?",
                    one=shown(other),
                    two=shown(name),
                )
                return


def _labels_of_scales(
    mapping: ColumnMap, looked: Looked, profiles: Mapping[str, Profile]
) -> Iterator[Sentence]:
    """Ask about labels of scales that say more than the scale."""
    for one in looked.columns:
        for word in profiles[one.column].words if one.guess.role == "scale" else ():
            left = unexplained(word, mapping.scales.get(word, word))
            if left:
                yield say(
                    "%(name)s says more than the name of a scale (%(words)s): is it one?",
                    name=shown(word),
                    words=left,
                )


def _another_criterion(
    looked: Looked, values: Sequence[Seen], beside: Beside
) -> Iterator[Sentence]:
    """Ask where a title names another criterion than the scale, which no column names."""
    scales = {_scale_of(one, looked) for one in values}
    if any(one.guess.role == "value_of" or one.guess.scale for one in values) or not all(scales):
        return
    for text in (*beside.above, *beside.below, looked.name):
        about = concepts(_QUALITY.sub(" ", text))
        if "criterion" in about and scale_named(text, scales) is None:
            yield say(
                "%(text)s stands beside the values: are they points of %(scale)s?",
                text=shown(text[:SHORT]),
                scale=", ".join(sorted(scales)),
            )


def _notes(looked: Looked, beside: Beside) -> Iterator[Sentence]:
    """Ask about notes below the table and on cells that speak of annotators, values, scales, or
    columns, and do not just say what the points mean."""
    names = {lexicon_plain_name(one.name) for one in looked.columns} - {""}
    for text in (*beside.below, *beside.remarks):
        plain = f" {lexicon_plain_name(text)} "
        about = concepts(text) & {"annotator", "value", "scale", "apart", "otherwise"}
        if (about or any(f" {name} " in plain for name in names)) and extremes(text) is None:
            yield say(
                "a note says %(text)s: does it change what is read?", text=shown(text[:SHORT])
            )


def _scale_of(one: Seen, looked: Looked) -> str:
    guess = one.guess
    return guess.of if guess.role == "value_of" else guess.scale or looked.scale


def _names(looked: Looked, values: Sequence[Seen]) -> Iterator[Sentence]:
    """Ask about words in names of values that nobody knows."""
    columns = [one for one in values if one.guess.role == "voice_of"]
    groups = [looked.group_of(one.column) for one in columns]
    people = are_people([one.guess.of for one in columns], groups)
    for one in values:
        guess = one.guess
        scale = _scale_of(one, looked)
        person = guess.of if guess.role == "voice_of" and people else ""
        left = unexplained(one.name, scale, person)
        group = looked.group_of(one.column)
        left = left or (unexplained(group, scale) if group else "")
        if left:
            yield say(
                "column %(column)s is called by a word that is not known here (%(words)s): does it "
                "hold points of the scale?",
                column=shown(one.name or group),
                words=left,
            )


def _marks(
    looked: Looked, values: Sequence[Seen], profiles: Mapping[str, Profile]
) -> Iterator[Sentence]:
    """Ask about marks, of which the lowest may be the best, but in French."""
    texts = (profile for profile in profiles.values() if profile.is_text and not profile.is_label)
    words = [word for text in texts for cell in text.words[:50] for word in cell.casefold().split()]
    if words and sum(word in _FRENCH for word in words) * 20 > len(words):
        return
    for one in values:
        name = f"{looked.group_of(one.column)} {one.name}"
        if set(lexicon_plain_name(name).split()) & _MARKS:
            yield say(
                "column %(column)s holds marks: is the highest number the best?",
                column=shown(one.name),
            )


def _legends(
    looked: Looked,
    values: Sequence[Seen],
    profiles: Mapping[str, Profile],
    beside: Beside,
) -> Iterator[Sentence]:
    """Ask where a text beside the values says that their lowest number is the best, or explains
    numbers with words that nobody knows."""
    names = [f"{looked.group_of(one.column)} {one.name}" for one in values]
    read = {one.column for one in values}
    others = [
        text
        for one in looked.columns
        if one.column not in read and profiles[one.column].is_text
        for text in (one.name, *profiles[one.column].words[:FEW])
        if profiles[one.column].distinct <= FEW
    ]
    joined = ("; ".join(beside.above), "; ".join(beside.below), *beside.sheets, *beside.remarks)
    short = [text for text in (*joined, *others) if len(text) <= MOST_BESIDE]
    scales = [looked.ranges.get(_scale_of(one, looked)) for one in values]
    usual = {(low, high) for low, high in filter(None, scales)}
    other = [
        *(text for text in (*names, *short) if usual and {extremes(text)} - {None} - usual),
        *(text for text in names if usual and {*ranges_in(text)} - usual),
    ]
    for text in dict.fromkeys((*turned((*names, *short)), *other)):
        yield say(
            "%(text)s: is the highest number of the values the best, and of this scale?",
            text=shown(text[:SHORT]),
        )


def _points_left(
    looked: Looked, values: Sequence[Seen], profiles: Mapping[str, Profile]
) -> Iterator[Sentence]:
    """Ask about columns that are set aside as means or sums by their names alone, though their
    cells are points that are not between those of the annotators, or differ beside the same
    text."""
    columns = [profiles[one.column] for one in values if one.guess.role != "value_of"]
    text = next((one for one in looked.columns if one.guess.role == "paraphrase"), None)
    highest = max((profiles[one.column].highest or 0.0 for one in values), default=0.0)
    lowest = min((profiles[one.column].lowest or 0.0 for one in values), default=0.0)
    for one in looked.columns:
        profile = profiles[one.column]
        points = [value for value in profile.values if value is not None]
        if one.guess.role != IGNORE or one.guess.ask or not profile.is_number:
            continue
        if one.guess.reason != computed_by_name(one.name) or not _may_be_points(
            points, lowest, highest
        ):
            continue
        if len(columns) > 1 and all(
            _between(value, beside) for value, *beside in _rows_of([profile, *columns])
        ):
            continue
        once = text is None or profiles[text.column].distinct == profiles[text.column].n
        if len(columns) < 2 and not once and text and same_texts(profiles[text.column], profile):
            continue
        yield say(
            "column %(column)s is not read (%(reason)s), but its numbers may be points: is that "
            "right?",
            column=shown(one.name),
            reason=one.guess.reason,
        )


def _nobodys(looked: Looked) -> Iterator[Sentence]:
    """Ask about labels that neither this import nor that of the items reads, though they differ
    among the judgments of a text."""
    twin = {one.column: one.guess for one in looked.twin.columns} if looked.twin else {}
    for one in looked.columns:
        there = twin.get(one.column)
        nowhere = one.guess.role == IGNORE and there is not None and there.role == IGNORE
        if nowhere and there and there.ask and one.kind == "label" and not one.guess.ask:
            yield say(
                "column %(column)s is read by nothing, and differs among the judgments of a "
                "text: is it not needed?",
                column=shown(one.name or one.column),
            )


def _judges_of_themselves(looked: Looked, profiles: Mapping[str, Profile]) -> Iterator[Sentence]:
    """Ask where annotators are called as systems are."""
    systems = {
        word
        for one in (looked.twin.columns if looked.twin else ())
        if one.guess.role == "system" and one.column in profiles
        for word in profiles[one.column].words
    }
    for one in looked.columns:
        both = systems & set(profiles[one.column].words if one.guess.role == "annotator" else ())
        if both:
            yield say(
                "%(name)s is among the annotators and the systems: who judged?",
                name=shown(min(both)),
            )


def _ranks(judged: Sequence[JudgedValue]) -> Iterator[Sentence]:
    """Ask where the values that somebody gave to the texts of an original are always 1, 2, 3: ranks
    of these."""
    groups: dict[tuple[object, ...], list[float]] = {}
    for one in judged:
        place = TEXT.index("paraphrase")
        original = one.text[:place] + one.text[place + 1 :]
        groups.setdefault((original, one.annotator, one.scale), []).append(one.value)
    orders = {tuple(values) for values in groups.values()}
    ranks = all(len(one) > 1 and sorted(one) == [*range(1, len(one) + 1)] for one in orders)
    if ranks and len(groups) >= LEAST / 2 and len(orders) > 1:
        yield say("the values of each original are 1 to its number of texts: are they ranks?")


def _rows_of(profiles: Sequence[Profile]) -> Iterator[tuple[float | None, ...]]:
    return zip(*(one.values for one in profiles), strict=True)


def _may_be_points(points: Sequence[float], lowest: float, highest: float) -> bool:
    whole = all(value.is_integer() and lowest <= value <= highest for value in points)
    return whole and len(set(points)) > 1


def _between(value: float | None, beside: Sequence[float | None]) -> bool:
    numbers = [one for one in beside if one is not None]
    return value is None or not numbers or min(numbers) <= value <= max(numbers)


def _judged(mapping: ColumnMap, looked: Looked) -> Iterator[JudgedValue]:
    for one in records_of(mapping, looked):
        try:
            value = float(str(one.get("value")))
        except ValueError:
            continue
        yield JudgedValue(
            tuple(one.get(name) for name in TEXT),
            str(one.get("scale") or ""),
            str(one.get("annotator") or ""),
            str(one.get("occasion") or ""),
            value,
        )


def _twice(judged: Sequence[JudgedValue]) -> Iterator[Sentence]:
    """Ask where somebody judged a text twice."""
    seen: dict[tuple[object, ...], float] = {}
    for one in judged:
        key = (one.text, one.scale, one.annotator, one.occasion)
        if one.annotator and seen.setdefault(key, one.value) != one.value:
            yield say(
                "%(name)s gave the same text different values: is a column missing that tells them "
                "apart?",
                name=shown(one.annotator),
            )
            return


def _against(judged: Sequence[JudgedValue]) -> Iterator[Sentence]:
    """Ask about an annotator whose values fall where those of all others rise."""
    by_scale: dict[str, dict[str, dict[tuple[object, ...], float]]] = {}
    for one in judged:
        by_scale.setdefault(one.scale, {}).setdefault(one.annotator, {})[one.text] = one.value
    for people in by_scale.values():
        for name, own in people.items():
            pairs = [
                (value, fmean(beside))
                for text, value in own.items()
                if (
                    beside := [
                        other[text]
                        for one, other in people.items()
                        if one != name and text in other
                    ]
                )
            ]
            if len(pairs) >= LEAST and _t_of(pairs) < AGAINST:
                yield say(
                    "the values of %(name)s fall where those of the others rise: does %(name)s use "
                    "the scale the other way round?",
                    name=shown(name),
                )


def _t_of(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the t value of the correlation of pairs; 0 where there is none."""
    x, y = fmean(one for one, _ in pairs), fmean(one for _, one in pairs)
    both = sum((a - x) * (b - y) for a, b in pairs)
    spread = sum((a - x) ** 2 for a, _ in pairs) * sum((b - y) ** 2 for _, b in pairs)
    if not spread:
        return 0.0
    r = max(-0.9999, min(0.9999, both / sqrt(spread)))
    return r * sqrt((len(pairs) - 2) / (1 - r * r))
