"""Our own metrics that need a file, on texts of random words: WEEM4PG with word vectors, beside the
speed of a prototype over mapped vectors, and ParaEval with a paraphrase table, of which it is told
for how many texts the choice was proved to be the best.

Vectors and table are made up, the table so that the phrases of most pairs can be matched in many
ways. The vectors are asked for as a run does: every original with a paraphrase of another one.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scoring.metrics.base import Metric
from scoring.metrics.registry import create
from scoring.metrics.values import Pair, Score
from tools.bench.table import line

Group = tuple[str, list[str]]
SIZE = 300
PROTOTYPE = 1_703  # Pairs a second, on two cores in November 2026.
PHRASES = 8  # Pairs of phrases in the table for each pair of texts.
LONGEST = 4  # Words of a phrase.


def measure(groups: Sequence[Group]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _weem4pg(groups, Path(folder) / "vectors.txt")
        _paraeval(groups, Path(folder) / "table.tsv")


def _weem4pg(groups: Sequence[Group], path: Path) -> None:
    vocabulary = sorted(
        {word for original, texts in groups for text in (original, *texts) for word in text.split()}
    )
    numbers = np.random.default_rng(1).normal(size=(len(vocabulary), SIZE))
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f"{len(vocabulary)} {SIZE}\n")
        for word, row in zip(vocabulary, numbers, strict=True):
            stream.write(f"{word} {' '.join(f'{one:.4f}' for one in row)}\n")
    others = [*groups[1:], groups[0]]
    pairs = [
        Pair(original, text)
        for (original, _), (_, texts) in zip(groups, others, strict=True)
        for text in texts
    ]
    rate, _ = _scored(create("weem4pg", {"vectors": str(path)}), pairs)
    line(
        f"weem4pg, random words, {SIZE} numbers a word",
        rate,
        "pairs/s",
        goal=3 * PROTOTYPE,
        more_is_better=True,
        rivals=f"a prototype: {PROTOTYPE}",
    )


def _paraeval(groups: Sequence[Group], path: Path) -> None:
    pairs = [Pair(original, text) for original, texts in groups for text in texts]
    path.write_text("\n".join(_phrases(pairs)) + "\n", encoding="utf-8")
    rate, scores = _scored(create("paraeval", {"table": str(path)}), pairs)
    solved = [score.detail for score in scores if score.detail["solver"] != "none"]
    proved = sum(detail["optimal"] for detail in solved)
    line("paraeval", rate, "pairs/s")
    line("paraeval, proved optimal, of texts with a choice", 100 * proved / len(solved), "%")
    exact = sum(detail["solver"] == "dp" for detail in solved)
    line(
        "paraeval, by dynamic programming, of the same",
        100 * exact / len(solved),
        "%",
        rivals=f"{len(solved)} of {len(pairs)} pairs",
    )


def _phrases(pairs: Sequence[Pair]) -> Iterator[str]:
    """Rows of a table: phrases from about the same place of both texts."""
    dice = random.Random(1)
    for pair in pairs:
        left, right = pair.original.split(), pair.paraphrase.split()
        for _ in range(PHRASES):
            at = dice.randrange(len(left) - 1)
            to = min(at, len(right) - 2)
            one, other = (dice.randint(2, LONGEST) for _ in range(2))
            yield f"{' '.join(left[at : at + one])}\t{' '.join(right[to : to + other])}"


def _scored(metric: Metric[Any], pairs: Sequence[Pair]) -> tuple[float, list[Score]]:
    """Pairs a second of processor time, in chunks as in a run, and the scores."""
    metric.load()
    scores: list[Score] = []
    begin = time.process_time()
    for at in range(0, len(pairs), metric.chunk_size):
        scores += metric.score_many(pairs[at : at + metric.chunk_size])
    return len(pairs) / (time.process_time() - begin), scores
