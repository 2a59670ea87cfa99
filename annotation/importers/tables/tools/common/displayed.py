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
from paraanno.common.texts import Sentence, say, shown

SAMPLE = 500  # records
MOST_COLUMNS = 40  # of text, which are compared
_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/h[1-6]|/tr|hr)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SEPARATOR = re.compile(r"(\s*(?:\n|\|\|\||\t|\s=>\s|\s→\s)\s*)")
_ENDED = re.compile(r".*[.!?。！？…:：][\s\"'”»)]*", re.DOTALL)
_LABEL = re.compile(r"([^:：]{1,40})[:：]\s*(.*)", re.DOTALL)
_INLINE = re.compile(r"(?<=[.!?。！？\"”»])(\s*[/|]?\s*)(\w[\w ]{1,25})(\s*[:：])")
_QUOTED = re.compile(r"«[^«»]+»|“[^“”]+”|„[^„“]+“|\"[^\"]+\"|「[^「」]+」")
_SPACE = re.compile(r"[^\S\n]+")
REST = "rest"  # what stands behind the labelled texts
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
    split = ["", *_SEPARATOR.split(lined)]
    pieces = [(sign, part.strip()) for sign, part in zip(split[::2], split[1::2], strict=True)]
    pieces = [(sign, part) for sign, part in pieces if part]
    labelled: dict[str, str] = {}
    plain: list[str] = []
    role, behind = "", ""  # Behind a text stand its further lines, if another label follows.
    for sign, part in pieces:
        label, rest = _label(part)
        if label:
            labelled |= {role: labelled[role] + behind} if behind else {}
            role, behind = "" if label in labelled else label, ""
            labelled |= {role: rest} if rest and role else {}
        elif role and role not in labelled:
            labelled[role] = part
        elif role and sign.strip(" ") == "\n":
            behind += f" {part}"
        else:
            plain += [part] if labelled else []
    if behind and not _ENDED.fullmatch(labelled[role]):
        labelled[role] += behind
        behind = ""
    if not {"sentence", "paraphrase"} <= labelled.keys():
        return [part for _, part in pieces]
    left = " ".join([*plain, behind]).strip()
    return {**labelled, REST: left} if left else labelled


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
    """What was done: a field that was split, fields that repeat others, and a question. `quoted`:
    quotation marks enclose each text, and are no part of it."""

    column: str = ""
    quoted: bool = False
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
        quoted = _are_quoted(parts)
        labelled = [one for one in parts if isinstance(one, Mapping)]
        if len(labelled) == len(parts):
            rests = {one.get(REST) for one in labelled}
            why = say(
                "%(name)s has lines behind the labelled texts, such as %(text)s: are they no part "
                "of a text?",
                name=repr(name),
                text=shown(max(filter(None, rests), default="")),
            )
            return FieldSplit(name, quoted, ask=why if len(rests) > 1 else None)
        pairs = [one for one in parts if not isinstance(one, Mapping) and len(one) == 2]
        if len(pairs) < len(parts):
            continue
        first, second = ({pair[at] for pair in pairs} for at in (0, 1))
        if len(first) < len(second):
            return FieldSplit(name, quoted)
        return FieldSplit(
            name,
            quoted,
            ask=say(
                "%(name)s shows two texts: is the first the original and the second its "
                "paraphrase?",
                name=repr(name),
            ),
        )
    return FieldSplit()


def _are_quoted(parts: Sequence[Mapping[str, str] | Sequence[str]]) -> bool:
    """Whether quotation marks enclose each original and each paraphrase, of several."""
    pairs = [
        (one["sentence"], one["paraphrase"]) if isinstance(one, Mapping) else (*one,)
        for one in parts
    ]
    return len({*pairs}) > 1 and all(_QUOTED.fullmatch(text) for pair in pairs for text in pair)


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


def split_data(data: Mapping[str, Cell], split: FieldSplit) -> Mapping[str, Cell]:
    """Return the fields with the parts of one instead of it."""
    whole = data.get(split.column)
    if not isinstance(whole, str):
        return data
    rest = {name: value for name, value in data.items() if name != split.column}
    parts = parts_of(whole)
    if not isinstance(parts, Mapping):
        if len(parts) != 2:
            return data
        parts = dict(zip(("sentence", "paraphrase"), parts, strict=True))
    texts = {NAMES.get(role, role): text for role, text in parts.items() if role != REST}
    if split.quoted:
        texts = {
            role: text[1:-1] if _QUOTED.fullmatch(text) else text for role, text in texts.items()
        }
    return {**texts, **rest}


def sampled(records: Callable[[], Iterator[OneT]]) -> list[Mapping[str, Cell]]:
    """Return the fields of the first records."""
    return [one.data for one in islice(records(), SAMPLE)]
