"""What rows and cells say of themselves: each row is of one text, each cell holds one value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean

from annotation.importers.tables.books import place_of
from annotation.importers.tables.looking import Seen
from annotation.importers.tables.proving.people import NEW, Findings, Proof
from annotation.importers.tables.word_values import NO_VALUE
from paraanno.common.texts import shown

FEW = 5  # rows
NEAR = 0.006  # of a mean with two decimals
RARE = 0.3  # share of the rows
FILLED = 0.75
_NUMBERS = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_OF = re.compile(r"\s*[0-9]+(?:[.,][0-9]+)?\s*/\s*([0-9]+)\s*")
VALUES = ("value", "value_of", "voice_of")


def twice(proof: Proof) -> Findings:
    """A text that somebody judged twice, with different values."""
    seen: dict[tuple[object, ...], float] = {}
    for one in proof.judged:
        key = (one.text, one.scale, one.annotator, one.occasion)
        if one.annotator and seen.setdefault(key, one.value) != one.value:
            yield {"name": shown(one.annotator)}
            return


def _numbers(proof: Proof) -> list[Seen]:
    """The columns of values, by this import or the other one of the same table."""
    twin = proof.looked.twin
    columns = [*proof.looked.columns, *(twin.columns if twin is not None else ())]
    return [
        one for one in columns if one.guess.role in VALUES and proof.profiles[one.column].is_number
    ]


def summaries(proof: Proof) -> Findings:
    """A row whose numbers are the means, sums or counts of the rows above."""
    columns = [proof.profiles[one.column].values for one in _numbers(proof)]
    whole = [proof.profiles[one.column] for one in proof.columns("sentence", *NEW)]
    # Of a text that stands in the first of its rows alone, an empty cell says nothing.
    texts = [one.texts for one in whole if one.filled > FILLED]
    usual = [fmean(map(len, column)) if column else 0.0 for column in texts]
    sums, counts = [0.0] * len(columns), [0] * len(columns)
    for at, (number, _) in enumerate(proof.looked.rows):
        row = [
            (value, total, n)
            for column, total, n in zip(columns, sums, counts, strict=True)
            if (value := column[at]) is not None
        ]
        short = any(len(column[at]) * 4 < most for column, most in zip(texts, usual, strict=True))
        if row and min(n for *_, n in row) >= FEW and _sums_up(row, short):
            yield {"n": number}
            return
        for place, column in enumerate(columns):
            value = column[at]
            if value is not None:
                sums[place], counts[place] = sums[place] + value, counts[place] + 1


def _sums_up(row: Sequence[tuple[float, float, int]], short: bool) -> bool:
    """Whether values are what the sums and the numbers of those above say, and this is no
    coincidence: between points, in several columns, or beside texts that are none."""
    between = any(not value.is_integer() for value, *_ in row)
    means = all(abs(value - total / n) < NEAR for value, total, n in row)
    rounded = all(abs(value - total / n) <= 0.5 for value, total, n in row)
    sums = all(value == total for value, total, _ in row)
    counts = all(value == n for value, _, n in row)
    return (
        (means and (between or (short and len(row) > 1)))
        or (sums and (len(row) > 1 or short))
        or ((counts or rounded) and short)
    )


def incomplete(proof: Proof) -> Findings:
    """Rows that have values, but no text that could have them, or no system where others have."""
    new = proof.columns(*NEW)
    texts = [proof.profiles[one.column].texts for one in new]
    old = [proof.profiles[one.column].texts for one in proof.columns("sentence")]
    numbers = [proof.profiles[one.column].texts for one in _numbers(proof)]
    if not texts or proof.mapping.what == "gold":
        return
    lacking = [
        number
        for at, (number, _) in enumerate(proof.looked.rows)
        if any(column[at] for column in [*numbers, *old])
        and not any(column[at] for column in texts)
    ]
    if numbers and lacking and len(lacking) < RARE * len(proof.looked.rows):
        yield {"n": lacking[0]}


def without_system(proof: Proof) -> Findings:
    """Rows without a system, where the others have one."""
    for one in proof.columns("system"):
        texts = proof.profiles[one.column].texts
        lacking = [
            number
            for (number, cells), text in zip(proof.looked.rows, texts, strict=True)
            if not text and any(cell for cell in cells)
        ]
        if lacking and len(lacking) < RARE * len(texts):
            yield {"n": lacking[0]}


def two_in_a_cell(proof: Proof) -> Findings:
    """Cells of values with more than one number in them: 3-4, 2 -> 3, 4/5 among others."""
    for one in proof.plain:
        texts = proof.profiles[one.column].texts
        several = [text for text in texts if len(_NUMBERS.findall(text)) > 1]
        ends = {match[1] if (match := _OF.fullmatch(text)) else "" for text in several}
        filled = sum(map(bool, texts))
        if several and (len(ends) > 1 or "" in ends or len(several) < filled):
            yield {"column": shown(one.name or one.column), "text": shown(several[0])}


def marked_cells(proof: Proof) -> Findings:
    """Cells of texts or values that look otherwise than most of their column: struck out, in
    colour, or merged; but where the values themselves are coloured."""
    by_value = _coloured_by_value(proof)
    for one in proof.columns(*NEW, *VALUES):
        if proof.beside.marks.get(place_of(one.column) or 0):
            if by_value and one.guess.role in VALUES:
                continue
            yield {"column": shown(one.name or one.column)}
            return


def _coloured_by_value(proof: Proof) -> bool:
    """Whether in each column of values all cells of some numbers are marked and none of the others,
    a colour for each, in more cells than a coincidence explains."""
    n = 0
    for one in proof.columns(*VALUES):
        rows = proof.beside.marks.get(place_of(one.column) or 0, ())
        texts = proof.profiles[one.column].texts
        cells = [
            (number in rows, text)
            for (number, _), text in zip(proof.looked.rows, texts, strict=True)
            if text
        ]
        marked = [text for mark, text in cells if mark]
        if {text for mark, text in cells if not mark} & {*marked}:
            return False
        n += len(marked) - len(set(marked))
    return n >= FEW


def cells_balance(proof: Proof) -> Findings:
    """Every cell of a column of values is a number, a word that has a point, or no judgment."""
    for one in proof.values:
        profile = proof.profiles[one.column]
        words = proof.mapping.words
        points = words.get(proof.scale_of(one)) or words.get("") or {}
        odd = _unread(profile.texts, profile.values, {*points})
        if odd is not None:
            yield {"column": shown(one.name or one.column), "text": shown(odd)}


def _unread(texts: Sequence[str], values: Sequence[float | None], words: set[str]) -> str | None:
    return next(
        (
            text
            for text, value in zip(texts, values, strict=True)
            if text and value is None and text not in words and text.casefold() not in NO_VALUE
        ),
        None,
    )
