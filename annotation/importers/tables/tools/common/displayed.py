"""Texts as a tool showed them: original and paraphrase in one field, with labels, lines or tags."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from annotation.importers.tables.books import Cell
from annotation.importers.tables.names import plain_name, roles_named
from paraanno.common.texts import Sentence, say

SAMPLE = 500  # records
MOST_COLUMNS = 40  # of text, which are compared
_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/h[1-6]|/tr|hr)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SEPARATOR = re.compile(r"\s*(?:\n|\|\|\||\t|\s=>\s|\s→\s)\s*")
_LABEL = re.compile(r"([^:：]{1,40})[:：]\s*(.*)", re.DOTALL)
_INLINE = re.compile(r"(?<=[.!?。！？\"”»])(\s*[/|]?\s*)(\w[\w ]{1,25})(\s*[:：])")
_SPACE = re.compile(r"[^\S\n]+")
ROLES = ("sentence", "paraphrase", "reference", "system")
NAMES = {"sentence": "original", "paraphrase": "paraphrase"}


class HasData(Protocol):
    """What has fields of a text."""

    @property
    def data(self) -> Mapping[str, Cell]: ...


OneT = TypeVar("OneT", bound=HasData)


def plain_text(shown: str) -> str:
    """Return the text of a piece of HTML, a line a block; a text without tags as it is."""
    if "<" in shown:
        shown = _TAG.sub("", _BREAK.sub("\n", shown))
    if "&" in shown:
        shown = html.unescape(shown)
    return "\n".join(_SPACE.sub(" ", line).strip() for line in shown.splitlines())


def parts_of(shown: str) -> Mapping[str, str] | Sequence[str]:
    """Return the parts by role where labels name them, else the parts in their order."""
    lined = _INLINE.sub(_on_its_line, plain_text(shown))
    parts = [part for part in _SEPARATOR.split(lined) if part.strip()]
    labelled: dict[str, str] = {}
    plain: list[str] = []
    role = ""
    for part in parts:
        label, rest = _label(part)
        if label:
            role = label
            if rest:
                labelled.setdefault(role, rest)
                role = ""
        elif role:
            labelled.setdefault(role, part.strip())
            role = ""
        else:
            plain.append(part.strip())
    return labelled if {"sentence", "paraphrase"} <= labelled.keys() else plain


def _on_its_line(match: re.Match[str]) -> str:
    """Begin a new line before a label that stands behind the end of a sentence."""
    role, _ = _label(f"{match[2]}:")
    return f"\n{match[2]}{match[3]}" if role else match[0]


def _label(part: str) -> tuple[str, str]:
    """Return the role that a label at the start names, and the text behind it."""
    match = _LABEL.fullmatch(part.strip())
    label, rest = (match[1], match[2].strip()) if match else (part, "")
    words = plain_name(label)
    roles = roles_named(label) or roles_named(words.split(" ")[-1] if words else "")
    role = next((one for one in roles if one in ROLES), "")
    return (role, rest) if match or (role and len(part) < 25) else ("", "")


@dataclass(frozen=True, slots=True)
class FieldSplit:
    """What was done: a field that was split, fields that repeat others, and a question."""

    column: str = ""
    set_aside: Mapping[str, Sentence] | None = None
    ask: Sentence | None = None


def split_of(sample: Sequence[Mapping[str, Cell]]) -> FieldSplit:
    """Return how the texts of a field that shows several come apart, if one does."""
    texts = list(
        dict.fromkeys(
            name
            for one in sample
            for name, value in one.items()
            if isinstance(value, str) and (" " in value or len(value) > 12)
        )
    )[:MOST_COLUMNS]
    double = _doubles(sample, texts)
    left = [name for name in texts if name not in double]
    named = {role for name in left for role in roles_named(name)[:1]}
    if double or {"sentence", "paraphrase"} <= named:
        return FieldSplit(set_aside=double)
    for name in left:
        cells = [one.get(name) for one in sample]
        parts = [parts_of(cell) for cell in cells if isinstance(cell, str) and cell.strip()]
        if not parts:
            continue
        if all(isinstance(one, Mapping) for one in parts):
            return FieldSplit(name)
        pairs = [one for one in parts if not isinstance(one, Mapping) and len(one) == 2]
        if len(pairs) < len(parts):
            continue
        first, second = ({pair[at] for pair in pairs} for at in (0, 1))
        if len(first) < len(second):
            return FieldSplit(name)
        return FieldSplit(
            name,
            ask=say(
                "%(name)s shows two texts: is the first the original and the second its "
                "paraphrase?",
                name=repr(name),
            ),
        )
    return FieldSplit()


def _doubles(sample: Sequence[Mapping[str, Cell]], texts: Sequence[str]) -> dict[str, Sentence]:
    """Return the fields that only show what two others hold."""
    double: dict[str, Sentence] = {}
    for name in texts:
        inside = [
            other
            for other in texts
            if other != name
            and other not in double
            and all(_holds(one, name, other) for one in sample)
        ]
        if len(inside) > 1:
            double[name] = say("shows the texts of %(names)s", names=", ".join(inside))
    return double


def _holds(one: Mapping[str, Cell], outer: str, inner: str) -> bool:
    large, small = one.get(outer), one.get(inner)
    if not isinstance(large, str) or not isinstance(small, str) or len(small) >= len(large):
        return False
    return small in large or plain_text(small) in plain_text(large)


def split_data(data: Mapping[str, Cell], column: str) -> Mapping[str, Cell]:
    """Return the fields with the parts of one instead of it."""
    shown = data.get(column)
    if not isinstance(shown, str):
        return data
    rest = {name: value for name, value in data.items() if name != column}
    parts = parts_of(shown)
    if not isinstance(parts, Mapping):
        if len(parts) != 2:
            return data
        parts = dict(zip(("sentence", "paraphrase"), parts, strict=True))
    return {**{NAMES.get(role, role): text for role, text in parts.items()}, **rest}


def sampled(records: Callable[[], Iterator[OneT]]) -> list[Mapping[str, Cell]]:
    """Return the fields of the first records."""
    return [one.data for one in islice(records(), SAMPLE)]
