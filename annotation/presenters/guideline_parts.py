"""Guidelines split into sections and examples per scale point, and differences between
versions.

A heading that names a scale and one of its values, such as `### MEANING 5` or `### Meaning 5:
same`, starts examples for that point. They are shown in a table next to the point's anchor, not in
the running text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from annotation.models import Scale
from annotation.presenters.markdown import Section, marked, sections_of

Points = dict[float, list[Section]]
MOST_WORDS = 10


@dataclass(frozen=True, slots=True)
class GuidelineSection:
    """A displayed section; `anchor` is its id in the table of contents."""

    anchor: str
    level: int
    title: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Example:
    """A scale point with its anchor and examples (empty if there are none)."""

    value: float
    label: str
    anchor: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class ScaleTable:
    """The points of one scale."""

    scale: Scale
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A guideline, or the parts of it that match a search."""

    parts: tuple[GuidelineSection, ...]
    tables: tuple[ScaleTable, ...]
    contents: tuple[GuidelineSection, ...]

    @property
    def found(self) -> int:
        """The number of sections and points shown."""
        return len(self.parts) + sum(len(table.examples) for table in self.tables)


def guide_of(*, text: str, scales: Sequence[Scale], query: str = "") -> Guide:
    """Split the guideline into parts; with a query, keep those with all its words and mark the
    words.
    """
    words = query.split()[:MOST_WORDS]
    running, taken = _sorted(sections_of(text), scales)
    parts = tuple(_part(at, one, words) for at, one in enumerate(running) if _has(one.words, words))
    tables = [_table(scale, taken[scale.pk], words) for scale in scales if taken[scale.pk]]
    return Guide(
        parts=parts,
        tables=tuple(table for table in tables if table.examples),
        # The guideline's own title is not in the table of contents.
        contents=tuple(part for at, part in enumerate(parts) if part.level > (at == 0)),
    )


def _has(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word.casefold() in folded for word in words)


def _part(at: int, section: Section, words: Sequence[str]) -> GuidelineSection:
    anchor = f"g-{at}-{slugify(section.title, allow_unicode=True)[:40]}"
    return GuidelineSection(anchor, section.level, section.title, marked(section.html, words))


def _sorted(
    sections: Sequence[Section], scales: Sequence[Scale]
) -> tuple[list[Section], dict[int, Points]]:
    """Separate the running text from the examples by scale and value.

    A heading with nothing but examples below it is removed from the running text.
    """
    taken: dict[int, Points] = {scale.pk: {} for scale in scales}
    running: list[Section] = []
    gone = False  # whether the following section was removed
    for section in reversed(sections):
        point = _point(section.title, scales)
        deeper = bool(running) and running[-1].level > section.level
        if point is not None:
            taken[point[0].pk].setdefault(point[1], []).insert(0, section)
            gone = True
        elif not gone or section.body or deeper:
            running.append(section)
            gone = False
    return running[::-1], taken


def _point(title: str, scales: Sequence[Scale]) -> tuple[Scale, float] | None:
    """Return the scale and the value at the start of a heading."""
    for scale in scales:
        beginning = rf"{re.escape(scale.name)}\s*[:=]?\s*(-?\d+(?:\.\d+)?)(?![\w.]*\w)"
        found = re.match(beginning, title, re.IGNORECASE)
        if found and scale.holds(float(found[1])):
            return scale, float(found[1])
    return None


def _table(scale: Scale, taken: Points, words: Sequence[str]) -> ScaleTable:
    named = {point.value: point for point in scale.points.all()}
    rows = []
    for value in sorted({*named, *taken}):
        label = named[value].label if value in named else ""
        anchor = named[value].anchor if value in named else ""
        sections = taken.get(value, [])
        if _has(" ".join([label, anchor, *(one.words for one in sections)]), words):
            html = mark_safe("".join(one.body for one in sections))  # noqa: S308 clean already
            rows.append(Example(value, label, anchor, marked(html, words)))
    return ScaleTable(scale, tuple(rows))


@dataclass(frozen=True, slots=True)
class Change:
    """Paragraphs of a newer version and the older ones they replace; either may be empty."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


def changes(old: str, new: str) -> list[Change]:
    """Return the differences between two versions, paragraph by paragraph."""
    before, after = _paragraphs(old), _paragraphs(new)
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    return [
        Change(tuple(before[a:b]), tuple(after[c:d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def _paragraphs(text: str) -> list[str]:
    parts = re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
    return [part.strip() for part in parts if part.strip()]
