"""Metrics that are weighted sums of other metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.metrics.base import Metric, Pair, Score
from scoring.metrics.files import NONE, FileOption

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A metric of the sum, what the sum calls it, its weight, and how its scores are brought on a
    common scale: `offset` is taken off, then `divisor` divided by."""

    name: str
    metric: Metric[Any]
    weight: float
    offset: float = 0.0
    divisor: float = 1.0


class Composite(Metric[Texts]):
    """A subclass sets `parts` in its constructor; undefined where any part is."""

    family = "combination"
    keeps_detail = True

    def set_parts(self, parts: Iterable[Part]) -> None:
        """Take the parts, and from them what a run must know. ValueError for a file of ours that
        no part takes."""
        self.parts = tuple(parts)
        taken = {option.name for part in self.parts for option in part.metric.OPTIONS}
        for option in self.OPTIONS:
            unused = option.name not in taken and self.options[option.name] != NONE
            if unused and isinstance(option, FileOption):
                raise ValueError(f"{self.name}: no part takes {option.name}=; leave it out.")
        metrics = [part.metric for part in self.parts]
        self.needs_state = self.needs_state or any(metric.needs_state for metric in metrics)
        self.grouped = any(metric.grouped for metric in metrics)
        self.chunk_size = min(metric.chunk_size for metric in metrics)
        self.queue = max(metric.queue for metric in metrics)  # neural rather than korean

    def load(self) -> None:
        for part in self.parts:
            part.metric.load()

    def versions(self) -> dict[str, str]:
        """The signature of each part, by its place in the sum."""
        return {f"part{at}": str(part.metric.signature()) for at, part in enumerate(self.parts, 1)}

    def resources(self) -> dict[str, str]:
        return {
            name: digest for part in self.parts for name, digest in part.metric.resources().items()
        }

    def prepare(self, pairs: Iterable[Pair]) -> Any:
        """What the parts counted, and what the sum itself needs; all pairs are held in memory."""
        if not self.needs_state:
            return None
        known = list(pairs)
        states = [
            part.metric.prepare(known) if part.metric.needs_state else None for part in self.parts
        ]
        self._use_parts(states)
        return {"parts": states, **self._prepare(known)}

    def _prepare(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """What is counted once the parts are prepared, as JSON."""
        return {}

    def use(self, state: Any) -> None:
        super().use(state)
        if state:
            self._use_parts(state["parts"])
        self.state = None  # The parts have it.

    def _use_parts(self, states: Sequence[Any]) -> None:
        for part, state in zip(self.parts, states, strict=True):
            part.metric.use(state)

    def score_many(self, pairs: Sequence[Pair]) -> list[Score]:
        self.check_prepared()
        columns = [part.metric.score_many(pairs) for part in self.parts]
        return [self._sum(scores) for scores in zip(*columns, strict=True)]

    def _sum(self, scores: Sequence[Score]) -> Score:
        total = 0.0
        detail = []
        for part, score in zip(self.parts, scores, strict=True):
            if score.value is None:
                return Score.undefined(f"The part {part.name} has no score: {score.reason}")
            if not part.divisor:
                return Score.undefined(
                    f"The part {part.name} has the same score everywhere: it has no scale."
                )
            value = (score.value - part.offset) / part.divisor
            total += part.weight * value
            detail.append([part.name, score.value, value, part.weight])
        return Score(total, detail={"parts": detail})

    # Parts differ in what they compare with: they take the whole pair, not these two steps.
    def _know(self, targets: Texts) -> Texts:
        return targets

    def _score(self, known: Texts, paraphrase: str) -> Score:
        return self.score(Pair(known[0], paraphrase, known[1:]))
