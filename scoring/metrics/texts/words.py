"""The word tokenizer: letters, marks and digits of any script, inner apostrophes kept."""

from __future__ import annotations

import re
import unicodedata

from paraanno.plain.sentence import say
from scoring.metrics.base import YES_NO, Option

WORD_CUT = Option(
    "tokenize",
    "words",
    say(
        "How texts are tokenized: words (letters and digits of any script, without "
        "punctuation), 13a (mteval), intl (Unicode punctuation), char, zh, ko (Korean "
        "morphemes), or none (at white space)."
    ),
    ("words", "13a", "intl", "char", "zh", "ko", "none"),
)
FOLD = Option("lowercase", "yes", say("Ignore case."), YES_NO)


class _Table(dict[int, str]):
    """A translation table filled lazily: each character becomes itself or a space."""

    def __missing__(self, code: int) -> str:
        kept = unicodedata.category(chr(code))[0] in "LMN"
        self[code] = found = chr(code) if kept else " "
        return found


_TABLE = _Table({ord("'"): "'", ord("’"): "'"})
_WORD = re.compile(r"[^\s'](?:\S*[^\s'])?")
# The table for ASCII texts: translating bytes takes a third of the time.
_ASCII = "".join(_TABLE[code] for code in range(128)).encode() + bytes(128)


def words(text: str) -> list[str]:
    """The words of a text; inner apostrophes are kept, as in `don't`."""
    text = text.encode().translate(_ASCII).decode() if text.isascii() else text.translate(_TABLE)
    cut = text.split()
    if "'" not in text:
        return cut
    return [word for piece in cut if (word := piece.strip("'"))]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of `words` begins and ends in the text, in which apostrophes stay typed."""
    return [match.span() for match in _WORD.finditer(text.translate(_TABLE))]
