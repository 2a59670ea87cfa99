"""The files that metrics need, made from the demo's own text: for trying, not for research.

All are made when the demo is scored, but for the synonyms, which are written by hand
(examples/demo/resources). Vectors, paraphrase table and language model are builds (resources.py) of
the texts that are cut here.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from csv import DictReader
from itertools import pairwise, permutations
from math import log2

from annotation.services.campaigns.demo import FOLDER
from scoring.metrics.texts import tokens
from scoring.metrics.texts.words import words

RESOURCES = FOLDER / "resources"
# The system that the demo's "generator" does not know, so that its lists lack some texts.
UNKNOWN = "baseline"
START, END = "<s>", "</s>"
Row = Mapping[str, str]


def demo_rows() -> list[dict[str, str]]:
    """The rows of the demo's items, one for each output."""
    with (FOLDER / "items.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def whole(row: Mapping[str, object], paraphrase: str) -> str:
    """The sentence of a row with a paraphrase in place of its phrase."""
    sentence, start, end = str(row["sentence"]), row["start"], row["end"]
    assert isinstance(start, int) and isinstance(end, int)  # noqa: S101 as the file has them
    return f"{sentence[:start]}{paraphrase}{sentence[end:]}"


def demo_texts(rows: Sequence[Row]) -> list[str]:
    """The distinct sentences, paraphrases in their sentence, and references."""
    found: dict[str, None] = {}
    for row in rows:
        given = (row["reference"], row.get("reference_2", ""))
        outputs = [whole(row, row["paraphrase"])] if row["paraphrase"] else []
        found |= dict.fromkeys(filter(None, [row["sentence"], *outputs, *given]))
    return list(found)


def page_counts(rows: Sequence[Row]) -> str:
    """A file of page counts: each sentence with its references is a page."""
    pages = {
        row["item"]: " ".join([row["sentence"], row["reference"], row.get("reference_2", "")])
        for row in rows
    }
    return "\n".join(["#corpus\ten", *(page.strip() for page in pages.values())]) + "\n"


def nbest_lists(rows: Sequence[Row]) -> str:
    """A file of n-best lists: in each sentence every paraphrase that its phrase has anywhere.

    The score is the mean log probability (base 2) of a word, by a model of pairs of words
    (counts of the demo's originals and references, interpolated with single words).
    """
    known: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        if row["system"] != UNKNOWN and row["paraphrase"]:
            known[row["phrase"]][row["paraphrase"]] = None
    model = _WordPairs(_given(rows))
    items = {row["item"]: row for row in rows}
    lines = [
        f"{row['sentence']}\t{text}\t{model.score(text):.4f}"
        for row in items.values()
        for text in (whole(row, paraphrase) for paraphrase in known[row["phrase"]])
    ]
    return "\n".join(lines) + "\n"


def model_text(rows: Sequence[Row]) -> str:
    """A text to train a language model on: the sentences and references, one a line, tokenized as
    13a does and in lower case."""
    return _lines(_given(rows))


def vectors_text(rows: Sequence[Row]) -> str:
    """A text to train word vectors on: the same with the systems' texts, cut as metrics do."""
    return "".join(" ".join(words(text.lower())) + "\n" for text in demo_texts(rows))


def gold_texts(rows: Sequence[Row]) -> str:
    """A table to train a regression on: each output in its sentence, with MEANING as the author of
    the demo judges it."""
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as stream:
        truth = {(one["item"], one["paraphrase"]): one["meaning"] for one in DictReader(stream)}
    found = {
        (row["item"], row["paraphrase"]): {
            "sentence": row["sentence"], "paraphrase": whole(row, row["paraphrase"]),
            "MEANING": truth[row["item"], row["paraphrase"]],
        }
        for row in rows if row["paraphrase"]
    }  # fmt: skip
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found.values())


def parallel_texts(rows: Sequence[Row]) -> tuple[str, str]:
    """Two parallel texts: each sentence and each of its references beside
    each other one. Their phrases are paraphrases in one language, as in two translations of a book
    (Barzilay and McKeown 2001)."""
    pairs: dict[tuple[str, str], None] = {}
    for row in rows:
        same = (row["sentence"], row["reference"], row.get("reference_2", ""))
        pairs |= dict.fromkeys(permutations(dict.fromkeys(filter(None, same)), 2))
    return _lines(one for one, _other in pairs), _lines(other for _one, other in pairs)


def _lines(texts: Iterable[str]) -> str:
    return "".join(" ".join(tokens(text, "13a", lowercase=True)) + "\n" for text in texts)


def _given(rows: Sequence[Row]) -> list[str]:
    """The distinct sentences and references, which no system made."""
    texts = (
        text
        for row in rows
        for text in (row["sentence"], row["reference"], row.get("reference_2", ""))
    )
    return list(dict.fromkeys(filter(None, texts)))


class _WordPairs:
    """A language model of pairs of words: 0.6 pair, 0.3 word, 0.1 any of as many unseen words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._before: Counter[str] = Counter()
        for text in texts:
            cut = self._cut(text)
            self._words.update(cut[1:])
            self._before.update(cut[:-1])
            self._pairs.update(pairwise(cut))
        self._total = self._words.total()

    def score(self, text: str) -> float:
        """The mean over words of log2 of their probability after the word before."""
        cut = self._cut(text)
        found = [
            0.6 * self._pairs[a, b] / max(self._before[a], 1)
            + 0.3 * self._words[b] / self._total
            + 0.1 / len(self._words)
            for a, b in pairwise(cut)
        ]
        return sum(map(log2, found)) / len(found)

    @staticmethod
    def _cut(text: str) -> list[str]:
        return [START, *words(text.lower()), END]
