"""Texts as they are stored, and spans that follow them there."""

from __future__ import annotations

import re
import unicodedata

from annotation.importers.told import ToldError, told

MAX_TEXT = 1_000_000
# Sorting combining marks takes quadratic time, so that one hostile cell could hold a worker for
# hours. Unicode's Stream-Safe Text Process (UAX 15, section 13) allows 30 marks in a row.
MAX_MARKS = 100
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class TextError(ToldError):
    """A text that cannot be stored; the message says why and what to do."""


def clean_text(text: str) -> str:
    """The text in NFC, white space and case untouched.

    Raises TextError for NUL, lone surrogates, more than `MAX_TEXT` code points, and heaps of
    combining marks.
    """
    if len(text) > MAX_TEXT:
        raise TextError(
            told(
                "has %(n)s characters, allowed are %(most)s: shorten or split it",
                n=len(text),
                most=MAX_TEXT,
            )
        )
    if text.isascii() and "\0" not in text:
        return text
    bad = _UNSTORABLE.search(text)
    if bad is not None:
        nul = bad.group() == "\0"
        kind = told("a NUL character") if nul else told("half of a surrogate pair")
        raise TextError(
            told(
                "has %(kind)s at position %(start)s (from 0): remove it",
                kind=kind,
                start=bad.start(),
            )
        )
    if len(text) > MAX_MARKS and _longest_run_of_marks(text) > MAX_MARKS:
        raise TextError(
            told("has more than %(most)s combining marks in a row: remove them", most=MAX_MARKS)
        )
    return unicodedata.normalize("NFC", text)


def _longest_run_of_marks(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        longest = max(longest, run)
    return longest


def nfc_offset(text: str, offset: int) -> int | None:
    """Where a position in `text` (code points, 0-based) lies in its NFC form.

    None when the position cuts through a character that NFC composes or reorders.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return offset
    head = unicodedata.normalize("NFC", text[:offset])
    tail = unicodedata.normalize("NFC", text[offset:])
    if head + tail != unicodedata.normalize("NFC", text):
        return None
    return len(head)


def find_spans(needle: str, text: str, most: int = 100) -> list[tuple[int, int]]:
    """The first `most` places of `needle` in `text`, overlapping ones too, half open.

    Bounded, because counting a long needle in a long text of one letter is quadratic.
    """
    spans: list[tuple[int, int]] = []
    start = text.find(needle)
    while start >= 0 and len(spans) < most:
        spans.append((start, start + len(needle)))
        start = text.find(needle, start + 1)
    return spans
