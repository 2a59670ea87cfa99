"""From a text file to a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from paraanno.plain.sentence import NOTHING, Sentence, say
from scoring.building.corpora.reading import Progress, read_numbered
from scoring.building.language_model.counting import counted
from scoring.building.language_model.kneser_ney import Discounts, estimate
from scoring.metrics.resources.language_model import MARKS, LanguageModel


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A model with the discounts of each order, and the number of sentences it was made of."""

    model: LanguageModel
    discounts: list[Discounts]
    sentences: int


def pruning_problem(prune: Sequence[int], order: int) -> Sentence:
    """What is wrong with the thresholds of pruning; empty if nothing is."""
    if len(prune) > order:
        return say(
            "there are %(n)s thresholds, but only %(order)s orders.", n=len(prune), order=order
        )
    if prune and (prune[0] != 0 or any(two < one for one, two in pairwise(prune))):
        return say("the thresholds must begin with 0 and must not fall, as in 0 0 1.")
    return NOTHING


def train(
    source: Path, *, order: int, prune: Sequence[int] = (),
    progress: Progress = lambda share: None,
) -> Trained:  # fmt: skip
    """Estimate a model of a text of one sentence a line, split at white space.

    `prune` has the thresholds of the orders from 1 (see `estimate`); the last one stands for all
    higher orders. ValueError if they are wrong.
    Raises FileRefused with a line for each problem of the text (see `read_numbered`), among them a
    word that models use themselves: `<s>`, `</s>`, `<unk>`.
    """
    if problem := pruning_problem(prune, order):
        raise ValueError(problem)
    thresholds = [*prune, *[prune[-1]] * (order - len(prune))] if prune else []
    text = read_numbered(
        source, str.split, progress=lambda share: progress(share / 3), reserved=MARKS
    )
    words, levels = counted(text, order)
    progress(0.6)
    sentences = int(levels[0].counts[levels[0].at_begin].sum())
    model, found = estimate(words, levels, thresholds)
    progress(0.8)
    return Trained(model, found, sentences)
