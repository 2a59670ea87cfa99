"""Gold decisions, and gold of nominal scales, by Dawid-Skene and by MACE."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from paraanno.plain.sentence import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.combine import gold
from scoring.stats.gold.latent import DawidSkene, Mace, Votes, dawid_skene, mace
from scoring.stats.gold.values import GoldValues, made, without
from scoring.stats.table import FloatArray, IntArray, RatingTable

DAWID_SKENE = say("Dawid and Skene 1979, maximum likelihood by EM from the label frequencies")
TIE = say("undefined: two decisions are equally probable")
LEAST_ANNOTATORS = 3


@dataclass(frozen=True, eq=False)
class LatentGold:
    """Gold decisions and the fitted model.

    gold   most probable decision of each unit, with its probability as confidence
    model  fitted on the rated units and used annotators, None if undefined; `annotators` are the
           codes of its annotators, `levels` the values of its classes and labels
    """

    gold: GoldValues
    model: DawidSkene | Mace | None
    annotators: IntArray
    levels: FloatArray


def dawid_skene_gold(decisions: RatingTable) -> LatentGold:
    """Return decisions by Dawid-Skene, weighting annotators by estimated error rates.

    For pass decisions (`passes.pass_table`) and for the values of a nominal scale; the order of
    values is ignored.
    Undefined for anonymous annotators, for fewer than three (error rates are not identified with
    two), if no unit has two decisions, and if all decisions are equal.
    """
    levels, votes = np.unique(decisions.value), _votes(decisions)
    if isinstance(votes, Sentence):
        return _nothing(decisions, levels, DAWID_SKENE, votes)
    model = dawid_skene(votes)
    method = DAWID_SKENE
    if not model.converged:
        method = say("%(method)s; stopped after %(n)s steps", method=method, n=model.steps)
    return _latent(decisions, levels, model, method, None)


def mace_gold(
    decisions: RatingTable, *, restarts: int = 9, steps: int = 50, seed: int = 0
) -> LatentGold:
    """Return decisions by MACE, weighting annotators by competence; undefined as Dawid-Skene."""
    method = say(
        "MACE (Hovy et al. 2013), variational Bayes, best of %(starts)s starts of %(steps)s steps",
        starts=restarts + 1,
        steps=steps,
    )
    levels, votes = np.unique(decisions.value), _votes(decisions)
    if isinstance(votes, Sentence):
        return _nothing(decisions, levels, method, votes)
    model = mace(votes, restarts=restarts, steps=steps, seed=seed)
    return _latent(decisions, levels, model, method, seed)


def _votes(decisions: RatingTable) -> Votes | Sentence:
    """Return the votes of rated units and used annotators, or why no model can be fitted."""
    if decisions.anonymous:
        return ANONYMOUS
    if decisions.used_annotators.size < LEAST_ANNOTATORS:
        return say("undefined: needs %(n)s annotators", n=LEAST_ANNOTATORS)
    if decisions.n_pairable == 0:
        return say("undefined: no unit has two decisions")
    levels, label = np.unique(decisions.value, return_inverse=True)
    if levels.size < 2:
        return say("undefined: all decisions are the same")
    unit = np.searchsorted(decisions.rated_units, decisions.unit)
    annotator = np.searchsorted(decisions.used_annotators, decisions.annotator)
    return Votes.of(unit, annotator, label, levels.size)


def _nothing(
    decisions: RatingTable, levels: FloatArray, method: Sentence, reason: Sentence
) -> LatentGold:
    values = without(decisions.ratings_per_unit, method, reason)
    return LatentGold(values, None, decisions.used_annotators, levels)


def _latent(
    decisions: RatingTable,
    levels: FloatArray,
    model: DawidSkene | Mace,
    method: Sentence,
    seed: int | None,
) -> LatentGold:
    value, sure = np.full(decisions.n_units, np.nan), np.full(decisions.n_units, np.nan)
    ordered = np.sort(model.posterior, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-9
    units = decisions.rated_units[clear]
    value[units] = levels[model.posterior[clear].argmax(axis=1)]
    sure[units] = ordered[clear, -1]
    values = made(
        value, decisions.ratings_per_unit, gold(decisions).spread, method=method, seed=seed,
        confidence=sure, confidence_is=say("probability of the decision under the model"),
        reason=TIE,
    )  # fmt: skip
    posterior = np.full((decisions.n_units, levels.size), np.nan)
    posterior[decisions.rated_units] = model.posterior
    values = replace(values, posterior=posterior, posterior_of=tuple(levels.tolist()))
    return LatentGold(values, model, decisions.used_annotators, levels)
