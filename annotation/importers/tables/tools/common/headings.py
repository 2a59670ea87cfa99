"""Headings of a survey that show the texts: the original with its label, the question, and the
paraphrase behind both.

No sign parts a question from a paraphrase for certain. The question is what comes again with other
originals; what is left is the paraphrase.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.importers.tables.names import concepts, roles_named, scale_named
from annotation.importers.tables.tools.common.answers import COMMON

LEAST = 4  # headings with both texts, of two originals
MOST = 2000  # characters
LONG = 12  # characters of an original without spaces
_LABEL = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)?)\s*[:：]\s*")
_QUOTES = {"„": "“”", "“": "”", "«": "»", "「": "」", "‚": "‘", '"': '"'}
_LINE, _ENDS = re.compile(r"\n"), re.compile(r"\s[-–—|]\s")
_SEPARATORS = re.compile(r"\n+|\s[-–—|]\s|[:：]\s|[?？)\]]\s")
_AROUND = " \t\n-–—|:：.[]"


@dataclass(frozen=True, slots=True)
class ShownHeading:
    """The texts that a heading shows, and its question."""

    original: str
    wording: str
    paraphrase: str


def headings_of(texts: Sequence[str]) -> list[ShownHeading | None]:
    """Return what each heading shows; None for one that does not show two texts."""
    parts = [_around(text) if len(text) <= MOST else None for text in texts]
    with_originals: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in parts:
        if one is not None:
            original, before, after = one
            for wording, _ in _cuts(after):
                with_originals[before, wording].add(original)
    result: list[ShownHeading | None] = []
    for one in parts:
        best = None
        if one is not None:
            original, before, after = one
            for wording, rest in _cuts(after):
                again = len(with_originals[before, wording]) > 1 and (before or wording)
                if again and rest and (best is None or len(wording) >= len(best[0])):
                    best = wording, rest
            if best is not None:
                question = f"{before} {best[0]}".strip(_AROUND)
                new = re.sub(r"^\[(.*)\]$|^[\"“«„](.*)[\"”»“]$", r"\1\2", best[1].strip())
                result.append(ShownHeading(original, question, new))
                continue
        result.append(None)
    seen = [one for one in result if one is not None]
    enough = len(seen) >= LEAST and len({one.original for one in seen}) > 1
    return result if enough else [None] * len(texts)


def _around(text: str) -> tuple[str, str, str] | None:
    """Return the original that a label names, and what stands before the label and behind it."""
    for match in _LABEL.finditer(text):
        label = match[1]
        named = [roles_named(one)[:1] for one in (label, label.rpartition(" ")[2])]
        if ("sentence",) not in named and "original" not in concepts(label):
            continue
        start, end, behind = _original(text, match.end())
        original = text[start:end].strip()
        if original:
            return original, _unnumbered(text[: match.start()]), text[behind:]
    for place, sign in enumerate(text):
        start, end, behind = _original(text, place) if sign in _QUOTES else (0, 0, 0)
        if text[start:end].count(" ") > 1 or end - start > LONG:
            if set(text[behind:]) & set(_QUOTES):
                return None  # Which of both is the original?
            return text[start:end].strip(), _unnumbered(text[:place]), text[behind:]
    return None


def _unnumbered(text: str) -> str:
    """Return what stands before an original, without the number of the question."""
    return re.sub(r"^\s*[0-9]+[.)]\s*", "", text).strip(_AROUND)


def _original(text: str, at: int) -> tuple[int, int, int]:
    """Return where an original starts and ends, and where what is behind it begins: within its
    quotation marks, or to the end of its line."""
    closing = _QUOTES.get(text[at : at + 1], "")
    depth = 0
    for place in range(at, len(text) if closing else at):
        sign = text[place]
        if sign in closing and depth > 0 and (sign != '"' or place > at):
            depth -= 1
            if not depth:
                return at + 1, place, place + 1
        elif sign == text[at]:
            depth += 1
    end = _LINE.search(text, at) or _ENDS.search(text, at)
    return (at, end.start(), end.start()) if end else (at, len(text), len(text))


def _cuts(text: str) -> Iterator[tuple[str, str]]:
    """Yield each way to part a text into a question and a paraphrase."""
    yield "", text.strip(_AROUND[:-3]).strip()
    for match in _SEPARATORS.finditer(text):
        yield text[: match.end()].strip(_AROUND), text[match.end() :].strip(" \t\n-–—|")


def scale_in(wording: str) -> str:
    """Return the scale that a question is about: a common one, or the only word for a criterion;
    else the question itself."""
    named = scale_named(wording, COMMON)
    if named is not None:
        return named
    bare = re.sub(r"[(\[（].*?[)\]）]", " ", wording)
    words = [word for word in re.findall(r"[^\W\d_]+", bare) if "criterion" in concepts(word)]
    return words[0] if len({word.casefold() for word in words}) == 1 else wording
