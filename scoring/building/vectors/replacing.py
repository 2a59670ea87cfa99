"""PG1, PG2 and PG3: texts whose words are replaced by their nearest, second or third nearest word.

Source: Hailu, Yu and Fantaye (2020), section 3.2. Replacing every word is the literal reading; it
gives poor English. Leaving out function words and far neighbours is ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scoring.building.vectors.neighbours import MOST_RANKS, nearest
from scoring.building.vectors.training import JOINED
from scoring.metrics.resources.vectors import Vectors
from scoring.metrics.texts.content_words import FUNCTION_WORDS
from scoring.metrics.texts.words import word_spans

VARIANTS = ("pg1", "pg2", "pg3")
REPLACE = ("all", "content")
SPLITS = ("none", "words")
FEWEST_WORDS = MOST_RANKS + 1
_PIECE = re.compile(r"\S+")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The texts of each rank asked for. `words` have been found, of which `known` have a vector;
    `replaced` counts those that were replaced, by rank."""

    texts: dict[int, list[str]]
    words: int
    known: int
    replaced: dict[int, int]

    @property
    def coverage(self) -> float:
        """The share of words that have a vector; 0 for texts without words."""
        return self.known / self.words if self.words else 0.0


def replace_words(
    texts: Sequence[str], vectors: Vectors, ranks: Sequence[int], *, replace: str = "all",
    tokenize: str = "none", min_cosine: float = -1.0,
    progress: Callable[[float], None] = lambda share: None,
) -> Replaced:  # fmt: skip
    """Replace each known word by its neighbour of each rank (1 is the nearest).

    A word is looked up as it stands, else in lower case, and then the neighbour gets its case.
    A name that joins words with _ (a unit of several words) is written with blanks. Marks, white
    space and unknown words stay as they are. `replace` content leaves English words
    of grammar; a neighbour at a lower cosine than `min_cosine` leaves the word. ValueError if the
    vectors have fewer than FEWEST_WORDS words.
    """
    cut = [spans(text, tokenize) for text in texts]
    every = [text[a:b] for text, found in zip(texts, cut, strict=True) for a, b in found]
    rows = {word: row for word in sorted(set(every)) if (row := _row(vectors, word)) is not None}
    open_ = [word for word in rows if replace == "all" or _has_content(word)]
    asked = sorted({rows[word] for word in open_})
    near = nearest(vectors, asked, k=max(ranks), progress=progress)
    place = {row: at for at, row in enumerate(asked)}
    names = list(vectors.rows)
    made: dict[int, list[str]] = {}
    replaced = {}
    for rank in ranks:
        others = {
            word: _cased(word, names[near.rows[at, rank - 1]], vectors).replace(JOINED, " ")
            for word in open_
            if near.cosines[at := place[rows[word]], rank - 1] >= min_cosine
        }
        made[rank] = [_put(text, found, others) for text, found in zip(texts, cut, strict=True)]
        replaced[rank] = sum(word in others for word in every)
    return Replaced(made, len(every), sum(word in rows for word in every), replaced)


def _put(text: str, found: Sequence[Span], others: Mapping[str, str]) -> str:
    """The text with other words in these places."""
    parts, done = [], 0
    for a, b in found:
        word = text[a:b]
        parts += [text[done:a], others.get(word, word)]
        done = b
    return "".join([*parts, text[done:]])


def spans(text: str, tokenize: str) -> list[Span]:
    """Where the words of a text begin and end: `none` splits at white space, and a piece without a
    letter or digit is no word; `words` are those of the tokenizer of that name."""
    if tokenize == "words":
        return word_spans(text)
    if tokenize == "none":
        pieces = (match.span() for match in _PIECE.finditer(text))
        return [(a, b) for a, b in pieces if any(map(str.isalnum, text[a:b]))]
    raise ValueError(f"tokenize={tokenize} is not allowed; use {', '.join(SPLITS)}.")


def _row(vectors: Vectors, word: str) -> int | None:
    straight = word.replace("’", "'")
    for form in (word, straight, straight.lower()):
        if (row := vectors.rows.get(form)) is not None:
            return row
    return vectors.row(straight.lower())


def _has_content(word: str) -> bool:
    plain = word.replace("’", "'").lower()
    return any(map(str.isalpha, word)) and plain not in FUNCTION_WORDS


def _cased(word: str, name: str, vectors: Vectors) -> str:
    """The name; with the case of the word where vectors know that in lower case only."""
    if word in vectors.rows or word.replace("’", "'") in vectors.rows:
        return name
    if len(word) > 1 and word.isupper():
        return name.upper()
    return name[:1].upper() + name[1:] if word[:1].isupper() else name
