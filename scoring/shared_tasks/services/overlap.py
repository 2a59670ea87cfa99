"""Metrics beside people: how submitted paraphrases overlap with originals and references."""

from __future__ import annotations

from scoring.metrics.base import Pair, mean_score
from scoring.metrics.spec import from_spec
from scoring.shared_tasks.models import SharedTask
from scoring.stats.shared_tasks.frozen import Frozen
from scoring.stats.shared_tasks.submissions import Answers

AGAINST_ORIGINAL = ("bleu", "chrf", "ter")
AGAINST_REFERENCES = ("bleu", "nist", "meteor", "ter", "chrf")


def overlap_of(task: SharedTask, frozen: Frozen, answers: Answers) -> dict[str, float | None]:
    """Mean scores of a submission of paraphrases, by name of metric.

    Against the references where every original has one, and against the originals; close to the
    original is no merit, so nothing is ranked by it.
    """
    language = task.campaign.language
    pairs = [
        Pair(text, str(answers.values[key]), tuple(references), language=language)
        for key, text, references in zip(
            frozen.originals, frozen.original_texts, frozen.references, strict=True
        )
    ]
    specs = [f"{name}:against=original" for name in AGAINST_ORIGINAL]
    if all(pair.references for pair in pairs):
        specs += [f"{name}:against=references" for name in AGAINST_REFERENCES]
    found: dict[str, float | None] = {}
    for spec in specs:
        metric = from_spec(spec, [language] if language else None)
        metric.load()
        if metric.needs_state:
            metric.use(metric.prepare(pairs))
        mean, _n = mean_score(metric.score_many(pairs))
        found[spec] = mean.value
    return found
