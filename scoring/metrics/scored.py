"""Metrics over many pairs at once, as the command `score` and `paraanno.lab` score them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from paraanno.common.progress import steps
from scoring.metrics.base import NOT_SCORED, Metric, by_original
from scoring.metrics.values import Counts, Met, Pair, Score, Vector, add_vectors, mean_score


@dataclass(frozen=True)
class ScoredMetric:
    """One metric over all pairs."""

    key: str
    metric: Metric[Any]
    met: Met
    scores: list[Score]
    total: Vector  # Statistics of each text for the corpus score; empty if the metric has none.

    @cached_property
    def signature(self) -> str:
        """The metric's signature with what the texts were compared with."""
        return f"{self.metric.signature()}|{self.met}"

    @cached_property
    def mean(self) -> tuple[Score, int]:
        """The mean of the texts that have a score, and their number."""
        return mean_score(self.scores)

    @cached_property
    def corpus(self) -> Score | None:
        """The score of all texts as one corpus; None if the metric has none."""
        if self.metric.system_kind != "corpus":
            return None
        return self.metric.corpus_value(self.total)


def scored(
    metrics: Mapping[str, Metric[Any]], pairs: Sequence[Pair], counts: Counts
) -> list[ScoredMetric]:
    """Score block by block, all metrics on each block, so that they share cached analyses of a
    text. A block keeps the pairs of one original together, wherever they are."""
    order = [place for places in by_original(pairs) for place in places]
    scores = {key: [NOT_SCORED] * len(order) for key in metrics}
    totals: dict[str, Vector] = dict.fromkeys(metrics, ())
    for metric in metrics.values():
        metric.use(metric.prepare(pairs))
    size = min(metric.chunk_size for metric in metrics.values())
    for start in steps(range(0, len(order), size)):
        places = order[start : start + size]
        block = [pairs[place] for place in places]
        for key, metric in metrics.items():
            block_scores, statistics = metric.score_and_statistics(block)
            totals[key] = add_vectors((totals[key] or None, *statistics))
            for place, score in zip(places, block_scores, strict=True):
                scores[key][place] = score
    return [
        ScoredMetric(key, metric, metric.met(counts), scores[key], totals[key])
        for key, metric in metrics.items()
    ]
