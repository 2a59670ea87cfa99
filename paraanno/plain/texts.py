"""Normalised texts for storage, and spans in them."""

from __future__ import annotations

import re
import unicodedata

from paraanno.plain.sentence import SentenceError, say

MAX_TEXT = 1_000_000
# Sorting combining marks takes quadratic time, so that one hostile cell could block a worker for
# hours. Unicode's Stream-Safe Text Process (UAX 15, section 13) allows 30 marks in a row.
MAX_MARKS = 100
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class TextError(SentenceError):
    """A text that cannot be stored; the message gives the reason and the remedy."""


def clean_text(text: str) -> str:
    """Return the text in NFC, with white space and case unchanged.

    Raises TextError for NUL, lone surrogates, more than `MAX_TEXT` code points, and more than
    `MAX_MARKS` combining marks in a row.
    """
    if len(text) > MAX_TEXT:
        raise TextError(
            say(
                "has %(n)s characters; at most %(most)s are allowed: shorten or split it",
                n=len(text),
                most=MAX_TEXT,
            )
        )
    if text.isascii() and "\0" not in text:
        return text
    bad = _UNSTORABLE.search(text)
    if bad is not None:
        nul = bad.group() == "\0"
        kind = say("a NUL character") if nul else say("half of a surrogate pair")
        raise TextError(
            say(
                "has %(kind)s at position %(start)s (from 0): remove it",
                kind=kind,
                start=bad.start(),
            )
        )
    if len(text) > MAX_MARKS and _longest_run_of_marks(text) > MAX_MARKS:
        raise TextError(
            say("has more than %(most)s combining marks in a row: remove them", most=MAX_MARKS)
        )
    return unicodedata.normalize("NFC", text)


def _longest_run_of_marks(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        longest = max(longest, run)
    return longest


def nfc_offset(text: str, offset: int) -> int | None:
    """Return the position in the NFC form of `text` for a position in it (code points, 0-based).

    None if the position is inside a character that NFC composes or reorders.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return offset
    head = unicodedata.normalize("NFC", text[:offset])
    tail = unicodedata.normalize("NFC", text[offset:])
    if head + tail != unicodedata.normalize("NFC", text):
        return None
    return len(head)


def find_spans(needle: str, text: str, most: int = 100) -> list[tuple[int, int]]:
    """Return the first `most` spans of `needle` in `text`, half-open, including overlapping ones.

    Bounded, because counting a long needle in a long text of one letter takes quadratic time.
    """
    spans: list[tuple[int, int]] = []
    start = text.find(needle)
    while start >= 0 and len(spans) < most:
        spans.append((start, start + len(needle)))
        start = text.find(needle, start + 1)
    return spans
