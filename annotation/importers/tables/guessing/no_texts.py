"""Cells that are no texts of anybody: addresses, names of files, times, browsers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paraanno.common.texts import Sentence, say

_URL = re.compile(r"(https?://|ftp://|www\.)\S+", re.IGNORECASE)
_FILE = re.compile(
    r"[^\s?*|<>]+\.(txt|csv|tsv|jsonl?|xml|html?|pdf|docx?|xlsx?|wav|mp3|mp4|png|jpe?g|conllu?)",
    re.IGNORECASE,
)
_BROWSER = re.compile(r"(Mozilla|Opera)/[0-9].*|(Chrome|Firefox|Safari|Edge)[ /]?[0-9.]*")
_TOOK = re.compile(
    r"(\s*[0-9]+([.,][0-9]+)?\s*"
    r"(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|sek\.?|sekunden|std\.?|초|분|시간|秒|分钟?|分)"
    r"\s*)+",
    re.IGNORECASE,
)
MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[A-Za-z]{2,}")
_NO_TEXTS = (
    (_URL, say("web addresses")),
    (_FILE, say("names of files")),
    (_TOOK, say("how long it took")),
    (_BROWSER, say("about who judged")),
    (MAIL, say("about who judged")),
)


def no_text(words: Sequence[str]) -> Sentence | None:
    """Return what cells are that all look like addresses, files, times or browsers; None where
    they may be texts."""
    return next(
        (reason for sign, reason in _NO_TEXTS if words and all(map(sign.fullmatch, words))), None
    )
