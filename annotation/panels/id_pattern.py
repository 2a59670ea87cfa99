"""Patterns for the ids of a platform: regular expressions that cannot take long.

A pattern comes from a researcher, and the text from anybody. Nested repetition can take for ever,
so that repetition of a group is refused, and only a few repetitions are allowed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from paraanno.common.texts import NOTHING, Sentence, say

LONGEST = 128  # characters of an id
REPEATS = 3  # of variable length; LONGEST ** 3 / 6 steps are milliseconds


def pattern_problem(pattern: str) -> Sentence:
    """Return what is wrong with the pattern, NOTHING if it can be used."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return say("This is no regular expression.")
    bare = re.sub(r"\\.", "x", pattern)
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "x", bare)
    if re.search(r"\)[*+?{]", bare) or "(?" in bare or re.search(r"\\[1-9]", pattern):
        return say("Repeat single characters and [sets], not groups, and refer to no group.")
    variable = re.findall(r"[*+?]|\{\d*,\d*\}", bare)
    if len(variable) > REPEATS:
        return say("At most %(n)s repetitions of variable length.", n=REPEATS)
    return NOTHING


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def fits(text: str, pattern: str) -> bool:
    """Whether the text can be an id: visible characters, and all of it as the pattern says."""
    if not 0 < len(text) <= LONGEST or not text.isprintable() or " " in text:
        return False
    return not pattern or _compiled(pattern).fullmatch(text) is not None
