"""The word tokenizer: letters, marks and digits of any script, inner apostrophes kept."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from paraanno.common.texts import say
from scoring.metrics.values import YES_NO, Option

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
        is_word = unicodedata.category(chr(code))[0] in "LMN"
        self[code] = character = chr(code) if is_word else " "
        return character


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


# Counting n-grams.


Ngram = tuple[str, ...]


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """All n-grams of one order, by position; none if the text is shorter."""
    return zip(*[tokens[at:] for at in range(order)], strict=False)


def all_ngrams(tokens: Sequence[str], orders: int) -> Iterator[Iterator[Ngram]]:
    """The n-grams of each order from 1 to `orders`."""
    tails = []
    for at in range(orders):
        tails.append(tokens[at:])
        yield zip(*tails)  # noqa: B905 - with `strict` it takes a fifth longer


def ngram_counts(tokens: Sequence[str], orders: int) -> Counter[Ngram]:
    """Counts of the n-grams of orders 1 to `orders`; the length of a key is its order.

    One counter for all orders takes half the time of one counter for each.
    """
    return Counter(chain.from_iterable(all_ngrams(tokens, orders)))


def matches(one: Mapping[Ngram, int], two: Mapping[Ngram, int], orders: int) -> list[int]:
    """For each order from 1, the number of n-grams in common, with repeats (clipped counts)."""
    counts = [0] * (orders + 1)
    for ngram in one.keys() & two.keys():
        own, theirs = one[ngram], two[ngram]
        counts[len(ngram)] += own if own < theirs else theirs
    return counts[1:]


# Sizes of caches of text analyses.


# A chunk has about 250 paraphrases with their originals and references. Longer texts are not
# cached, so that a cache stays within some 10 MB for each tokenizer.
MOST_KEPT = 1024
LONGEST_KEPT = 1000  # characters
