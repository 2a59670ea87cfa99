"""English lemmas, the same as those of simplemma 2.0.0 (Adrien Barbaresi; lemmas.LICENSE.txt).

Its package holds the words of 54 languages, 19 MB; `python -m tools.lemmas` takes those of English.
"""

from __future__ import annotations

import lzma
import unicodedata
from functools import cache
from pathlib import Path

VERSION = "2.0.0"  # Of simplemma.
TABLE = Path(__file__).with_name("lemmas.xz")
_CLITICS = ("n't", "'re", "'ve", "'ll", "'m", "'s", "'d")
_MOST_CLITICS = 2
_IRREGULAR = {"can't", "won't", "shan't"}
_PLURALS = ("doms", "isms", "ists", "ments", "nces", "ships", "tions", "ums")
_LONG = 7  # Characters, above which -cies is the plural of -cy.


def lemma_of(word: str) -> str:
    """The lemma of a word in lower case, as `words` cuts it; the word itself if none is known."""
    word = unicodedata.normalize("NFC", word)
    if word.isnumeric():
        return word
    form = word.replace("\u02bc", "'")  # A letter, and an apostrophe.
    return _table().get(form) or _without_clitics(form) or _by_rule(word) or word


@cache
def _table() -> dict[str, str]:
    """The lemma of each form. A line has a lemma and its forms: `+` is the lemma with an ending."""
    lemmas = {}
    for line in lzma.decompress(TABLE.read_bytes()).decode().splitlines():
        first, *forms = line.split(" ")
        for form in forms:
            lemmas[first + form[1:] if form[0] == "+" else form] = first
    return lemmas


def _without_clitics(word: str) -> str | None:
    if word in _IRREGULAR:
        return None
    for _ in range(_MOST_CLITICS):
        ends = (len(end) for end in _CLITICS if word.endswith(end) and len(word) > len(end))
        cut = next(ends, 0)
        if not cut:
            return None
        word = word[:-cut]
        if lemma := _table().get(word) or _table().get(_without_marks(word)):
            return lemma
    return None


def _without_marks(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return unicodedata.normalize("NFC", plain)


def _by_rule(word: str) -> str | None:
    if len(word) > _LONG and word.endswith("cies"):
        return f"{word[:-3]}y"
    if word.endswith((*_PLURALS, "erves")):
        return word[:-1]
    return f"{word[:-4]}ize" if word.endswith("ized") else None
