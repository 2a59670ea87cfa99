"""Guesses at the column that was meant."""

from __future__ import annotations

import difflib
from functools import lru_cache

from annotation.importers.told import told

COLUMN_WORDS = [
    "item",
    "phrase",
    "sentence",
    "start",
    "end",
    "paraphrase",
    "system",
    "rank",
    "role",
    "reference",
    "own_sentence",
    "own_start",
    "own_end",
    "annotator",
    "scale",
    "value",
    "reason",
    "occasion",
    "kind",
    "status",
    "judged_at",
    "comment",
    "made_from",
]


@lru_cache(maxsize=256)
def hint(name: str) -> str:
    """A guess at the column that was meant, to be put behind a complaint."""
    close = difflib.get_close_matches(name.lower()[:40], COLUMN_WORDS, n=1)
    return told(" (did you mean %(name)s?)", name=repr(close[0])) if close else ""
