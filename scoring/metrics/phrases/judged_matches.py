"""A sample of the phrase pairs that ParaEval matched, each in its two sentences, to be judged.

Source: Zhou et al. (2006), section 6.2: 128 pairs, three judges, 68 % right, kappa .58.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.metrics.texts.tokenizers import word_spans

USUAL, SEED = 128, 2006
_PIECE = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class MatchedText:
    """A text that was scored: the texts that it may have been compared with, the text itself, and
    the `tier_1` of its detail."""

    targets: tuple[str, ...]
    text: str
    matches: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class MatchedPair:
    """Two phrases with their sentences and places, in code points."""

    phrase: str
    sentence: str
    start: int
    paraphrase: str
    own_sentence: str
    own_start: int

    def row(self, number: int, rank: int) -> dict[str, Any]:
        """A row of an items file; `rank` tells pairs with the same phrase and sentence apart."""
        return {
            "item": f"match-{number}",
            "phrase": self.phrase,
            "sentence": self.sentence,
            "start": self.start,
            "end": self.start + len(self.phrase),
            "system": "matches",
            "rank": rank,
            "paraphrase": self.paraphrase,
            "own_sentence": self.own_sentence,
            "own_start": self.own_start,
            "own_end": self.own_start + len(self.paraphrase),
        }


def rows(pairs: Iterable[MatchedPair]) -> Iterator[dict[str, Any]]:
    """The rows of an items file. Several texts may match one phrase of the same sentence."""
    met: Counter[tuple[str, str, int]] = Counter()
    for number, pair in enumerate(pairs, 1):
        place = (pair.phrase, pair.sentence, pair.start)
        met[place] += 1
        yield pair.row(number, met[place])


def sample(texts: Iterable[MatchedText], n: int, *, seed: int, tokenize: str) -> list[MatchedPair]:
    """Draw up to n pairs of several words on both sides, no pair twice (case aside) and one of a
    text at most; `tokenize` is the metric's, words or none."""
    every = list(texts)
    draw = np.random.default_rng(seed)
    sampled: list[MatchedPair] = []
    seen: set[tuple[str, str]] = set()
    for at in draw.permutation(len(every)).tolist():
        if len(sampled) == n:
            break
        one = every[at]
        order = draw.permutation(len(one.matches)).tolist()
        pairs = (_located(one, one.matches[place], tokenize) for place in order)
        for pair in pairs:
            if pair is None:
                continue
            key = (pair.phrase.lower(), pair.paraphrase.lower())
            if key not in seen and key[0] != key[1]:
                seen.add(key)
                sampled.append(pair)
                break
    return sampled


def _located(one: MatchedText, match: Mapping[str, Any], tokenize: str) -> MatchedPair | None:
    theirs = _place(one.text, match["paraphrase_span"], match["paraphrase"], tokenize)
    if theirs is None:
        return None
    for target in one.targets:
        place = _place(target, match["reference_span"], match["reference"], tokenize)
        if place is not None:
            return MatchedPair(
                target[slice(*place)],
                target,
                place[0],
                one.text[slice(*theirs)],
                one.text,
                theirs[0],
            )
    return None


def _place(text: str, span: Sequence[int], expected: str, tokenize: str) -> tuple[int, int] | None:
    """Where these words of a text begin and end; None if they are others."""
    spans = word_spans(text) if tokenize == "words" else [m.span() for m in _PIECE.finditer(text)]
    chosen = spans[span[0] : span[1]]
    if len(chosen) < span[1] - span[0]:
        return None
    words = " ".join(text[a:b] for a, b in chosen).replace("’", "'")
    return (chosen[0][0], chosen[-1][1]) if words.lower() == expected.lower() else None
