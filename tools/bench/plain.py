"""The suite of surface metrics, and for each what people call or write in a loop over pairs.

Libraries are called as their guides show it, one pair at a time, tokenisation included. What no
library of this project has is written out plainly.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Plain = Callable[[str, str], float]
WORDS = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[str]:
    return WORDS.findall(text.lower())


def suite(wordnet: Path | None) -> tuple[tuple[str, Plain], ...]:
    """Metrics as `--metric` names them, each with its loop; METEOR where there is a WordNet."""
    from nltk.translate.nist_score import sentence_nist
    from sacrebleu.metrics import BLEU, CHRF, TER

    bleu, chrf, chrfpp = BLEU(effective_order=True), CHRF(), CHRF(word_order=2)
    ter = TER()
    found: tuple[tuple[str, Plain], ...] = (
        ("bleu", lambda a, b: bleu.sentence_score(b, [a]).score),
        ("nist", lambda a, b: sentence_nist([words(a)], words(b))),
        ("ter", lambda a, b: ter.sentence_score(b, [a]).score),
        ("chrf", lambda a, b: chrf.sentence_score(b, [a]).score),
        ("chrfpp", lambda a, b: chrfpp.sentence_score(b, [a]).score),
        ("rouge_1", lambda a, b: rouge(words(a), words(b), 1)),
        ("rouge_2", lambda a, b: rouge(words(a), words(b), 2)),
        ("rouge_l", lambda a, b: rouge_l(words(a), words(b))),
        ("pinc", pinc),
        ("jaccard", jaccard),
        ("edit_similarity", edit_similarity),
        ("length_ratio", lambda a, b: len(words(b)) / len(words(a))),
    )
    return found if wordnet is None else (*found, ("meteor", meteor(wordnet)))


def meteor(folder: Path) -> Plain:
    """nltk's, on WordNet staged below `folder`/corpora/wordnet."""
    import nltk
    from nltk.corpus.reader import WordNetCorpusReader
    from nltk.translate.meteor_score import meteor_score

    nltk.data.path.insert(0, str(folder))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # It has no multilingual part.
        wordnet: Any = WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
    return lambda a, b: meteor_score([words(a)], words(b), wordnet=wordnet)


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1)]


def rouge(a: list[str], b: list[str], n: int) -> float:
    left, right = Counter(ngrams(a, n)), Counter(ngrams(b, n))
    return 2 * sum((left & right).values()) / (sum(left.values()) + sum(right.values()))


def rouge_l(a: list[str], b: list[str]) -> float:
    row = [0] * (len(b) + 1)
    for one in a:
        before = row
        row = [0]
        for at, other in enumerate(b):
            row.append(before[at] + 1 if one == other else max(before[at + 1], row[-1]))
    return 2 * row[-1] / (len(a) + len(b))


def pinc(a: str, b: str) -> float:
    left, right = words(a), words(b)
    shares = []
    for n in range(1, 5):
        mine = set(ngrams(right, n))
        shares.append(1 - len(mine & set(ngrams(left, n))) / len(mine))
    return sum(shares) / len(shares)


def jaccard(a: str, b: str) -> float:
    left, right = set(words(a)), set(words(b))
    return len(left & right) / len(left | right)


def edit_similarity(a: str, b: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_similarity(words(a), words(b))
