"""Sentences in the columns of a row: the English text, and its parts in a second column."""

from __future__ import annotations

from typing import Any

from paraanno.plain.sandbox.unreadable import unreadable
from paraanno.plain.sentence import (
    PARTS,
    Sentence,
    changed,
    joined,
    revived,
    said,
    sentence_json,
)


def columns(name: str, text: str) -> dict[str, Any]:
    """Return the values of the columns `name` and `name_parts` for a text."""
    return {name: str(text), f"{name}{PARTS}": parts_of(text)}


def parts_of(text: str) -> list[Any] | None:
    """Return the parts that are stored beside a text; None if the text suffices."""
    if not (isinstance(text, Sentence) and text.values):
        return None
    found: list[Any] = sentence_json({"text": text})[f"text{PARTS}"]
    return found


def kept(text: str, parts: Any) -> str:
    """Return the sentence of a row; the plain text if it has no parts, or they do not match."""
    if parts is None:
        return text
    found: str = revived({"text": text, f"text{PARTS}": parts})["text"]
    return found


def told(error: BaseException) -> Sentence:
    """Return the message of an exception, after its type, as every database can store it; a plain
    sentence if a file could not be decoded."""
    if (why := unreadable(error)) is not None:
        return why
    kind = type(error).__name__
    return joined(": ", (kind, changed(said(error), storable)))


def storable(text: str) -> str:
    """A text as every database can store it: names of files hold anything."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
