"""Gold of decisions by Dawid-Skene and by MACE."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.agreement import ANONYMOUS
from scoring.stats.gold import gold
from scoring.stats.gold_values import GoldValues, made, without
from scoring.stats.latent import DawidSkene, Mace, Votes, dawid_skene, mace
from scoring.stats.table import FloatArray, IntArray, RatingTable

DAWID_SKENE = "Dawid and Skene 1979, maximum likelihood by EM from the shares of the labels"
MACE = "MACE (Hovy et al. 2013), variational Bayes, best of {starts} starts of {steps} steps"
TIE = "undefined: two decisions are equally probable"
LEAST_ANNOTATORS = 3


@dataclass(frozen=True, eq=False)
class LatentGold:
    """gold: most probable decision of each unit, its probability as confidence.
    model: what was fitted on the rated units and used annotators, None where undefined; its
    annotators are the codes `annotators`, its classes and labels the values `levels`."""

    gold: GoldValues
    model: DawidSkene | Mace | None
    annotators: IntArray
    levels: FloatArray


def dawid_skene_gold(decisions: RatingTable) -> LatentGold:
    """Decisions weighed by each annotator's error rates, learnt from the table alone.

    Meant for the pass decision (`passes.pass_table`); any few values will do, taken as nominal.
    Undefined for anonymous voices, under three annotators (two leave the error rates open), where
    no unit has two decisions, and where all decisions are the same.
    """
    levels, votes = np.unique(decisions.value), _votes(decisions)
    if isinstance(votes, str):
        return _nothing(decisions, levels, DAWID_SKENE, votes)
    model = dawid_skene(votes)
    method = DAWID_SKENE + ("" if model.converged else f"; stopped after {model.steps} steps")
    return _latent(decisions, levels, model, method, None)


def mace_gold(
    decisions: RatingTable, *, restarts: int = 9, steps: int = 50, seed: int = 0
) -> LatentGold:
    """Decisions weighed by each annotator's competence; undefined as for Dawid-Skene."""
    method = MACE.format(starts=restarts + 1, steps=steps)
    levels, votes = np.unique(decisions.value), _votes(decisions)
    if isinstance(votes, str):
        return _nothing(decisions, levels, method, votes)
    model = mace(votes, restarts=restarts, steps=steps, seed=seed)
    return _latent(decisions, levels, model, method, seed)


def _votes(decisions: RatingTable) -> Votes | str:
    """The votes of rated units and used annotators, or why there is nothing to learn."""
    if decisions.anonymous:
        return ANONYMOUS
    if decisions.used_annotators.size < LEAST_ANNOTATORS:
        return f"undefined: needs {LEAST_ANNOTATORS} annotators"
    if decisions.n_pairable == 0:
        return "undefined: no unit has two decisions"
    levels, label = np.unique(decisions.value, return_inverse=True)
    if levels.size < 2:
        return "undefined: all decisions are the same"
    unit = np.searchsorted(decisions.rated_units, decisions.unit)
    annotator = np.searchsorted(decisions.used_annotators, decisions.annotator)
    return Votes.of(unit, annotator, label, levels.size)


def _nothing(decisions: RatingTable, levels: FloatArray, method: str, reason: str) -> LatentGold:
    values = without(decisions.ratings_per_unit, method, reason)
    return LatentGold(values, None, decisions.used_annotators, levels)


def _latent(
    decisions: RatingTable,
    levels: FloatArray,
    model: DawidSkene | Mace,
    method: str,
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
        confidence=sure, confidence_is="probability of the decision under the model", reason=TIE,
    )  # fmt: skip
    return LatentGold(values, model, decisions.used_annotators, levels)
