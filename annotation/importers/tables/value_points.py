"""The points of words in columns of judgments, and values that are beyond their scale."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from annotation.importers.tables.profiles import Profile
from annotation.importers.tables.state import Columns
from annotation.importers.tables.value_names import parts
from annotation.importers.tables.word_values import proposed, says_nothing
from paraanno.plain.sentence import Sentence, say

DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.{0,20}")  # A spreadsheet program made it of a score.
_BLANK = frozenset(
    {"na", "n/a", "n.a.", "k.a.", "k. a.", "nan", "null", "-", "–", "—", ".", "none"}
)
WORDS = say("words stand for points%(scale)s: %(points)s. Is that right?").template
Ranges = Mapping[str, tuple[float, float]]


def points_of(
    columns: Columns, values: Sequence[int], ranges: Ranges
) -> tuple[dict[str, dict[str, float | None]], dict[str, tuple[str, ...]]]:
    """Return the points of words by scale as far as they are known, and all words; ask about them,
    and where values are beyond the scale."""
    found: dict[str, dict[str, float | None]] = {}
    spoken = {}
    by_scale: dict[str, dict[str, None]] = {}
    for at in values:
        guess, one = columns.guesses[at], columns.profiles[at]
        if guess.role not in ("value", "value_of", "voice_of"):
            continue
        scale = guess.of if guess.role == "value_of" else guess.scale
        strange = _strange(one)
        by_scale.setdefault(scale, {}).update(dict.fromkeys(strange))
        low, high = _bounds(columns, ranges, scale)
        if 0.0 in one.values and one.lowest == 0 and _zero_says_nothing(columns, at, low):
            by_scale[scale].setdefault("0")
        elif low is not None and high is not None:
            columns.questions += _beyond(columns, at, low, high)
    for scale, words in by_scale.items():
        if not words:
            continue
        low, high = _bounds(columns, ranges, scale)
        points = dict(proposed([word for word in words if word != "0"], low, high))
        if "0" in words:
            points["0"] = None
        found[scale] = points
        spoken[scale] = tuple(words)
        columns.questions.append(
            say(WORDS,
                scale=f" ({scale})" if scale else "",
                points="; ".join(_told(word, points) for word in words))
        )  # fmt: skip

    return found, spoken


def _bounds(
    columns: Columns, ranges: Ranges, scale: str
) -> tuple[float | None, float | None]:  # fmt: skip
    """Return the lowest and highest point of a scale, if they are known."""
    if scale in ranges:
        return ranges[scale]
    if not scale and len(columns.scales) == 1:
        return ranges.get(columns.scales[0], (None, None))
    return None, None


def _zero_says_nothing(columns: Columns, at: int, low: float | None) -> bool:
    """Whether 0 is below the scale, or said to mean "cannot judge" in a name."""
    name = f"{columns.groups[at]} {columns.names[at]}"
    told = any(says_nothing(part) for part in parts(name))
    one = columns.profiles[at]
    return told or (low is not None and low > 0 and (one.highest or 0) <= 10)


def _beyond(columns: Columns, at: int, low: float, high: float) -> list[Sentence]:
    """Return a question where values are beyond the points of their scale."""
    one = columns.profiles[at]
    least, most = one.lowest, one.highest
    if least is None or most is None or (low <= least and most <= high):
        return []
    return [
        say("column %(column)s has values from %(least)s to %(most)s, the scale points from "
            "%(low)s to %(high)s: which are right?", column=columns.shown(at), least=f"{least:g}",
            most=f"{most:g}", low=f"{low:g}", high=f"{high:g}")
    ]  # fmt: skip


def _strange(one: Profile) -> list[str]:
    """Return the cells of a column of values that are no numbers, blanks or dates."""
    return [
        text
        for text, value in zip(one.texts, one.values, strict=True)
        if text and value is None and text.casefold() not in _BLANK and not DATE.fullmatch(text)
    ]


def _told(word: str, points: Mapping[str, float | None]) -> str:
    point = points.get(word)
    return f"{word} = " + ("?" if word not in points else "–" if point is None else f"{point:g}")
