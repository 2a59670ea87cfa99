"""Latent class models Dawid-Skene and MACE: true class of units and accuracy of annotators.

Both describe an annotator by the probability of each label given the true class. Dawid and Skene
estimate these freely; in MACE an annotator either knows the class or guesses. They share the label
counts and the E-step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from paraanno.common.texts import Sentence, say
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.methods import (
    majority_gold,
    mean_gold,
    median_gold,
    severity_gold,
    trimmed_gold,
    z_gold,
)
from scoring.stats.gold.values import GoldValues, made, without
from scoring.stats.table import FloatArray, IntArray, RatingTable, gold


@dataclass(frozen=True, eq=False)
class Votes:
    """Label counts by unit and annotator.

    counts  one sparse (U, A) matrix per label
    """

    counts: tuple[scipy.sparse.csr_array, ...]

    @classmethod
    def of(cls, unit: IntArray, annotator: IntArray, label: IntArray, n_labels: int) -> Votes:
        """Build from arrays of codes from 0; an annotator may label a unit several times.

        Every unit and annotator up to the largest code should have a label. Raises ValueError for
        labels outside 0 to n_labels - 1.
        """
        if label.size and not 0 <= label.min() <= label.max() < n_labels:
            raise ValueError(f"labels must lie between 0 and {n_labels - 1}")
        shape = (int(unit.max(initial=-1)) + 1, int(annotator.max(initial=-1)) + 1)
        return cls(
            tuple(
                scipy.sparse.csr_array(
                    (np.ones(rows.size), (unit[rows], annotator[rows])), shape=shape
                )
                for rows in (np.flatnonzero(label == code) for code in range(n_labels))
            )
        )

    @property
    def n_labels(self) -> int:
        return len(self.counts)

    @property
    def shares(self) -> FloatArray:
        """(U, K) relative frequency of each label per unit."""
        total = np.column_stack([count.sum(axis=1) for count in self.counts])
        return np.asarray(total / np.maximum(total.sum(axis=1, keepdims=True), 1))

    def expected(self, posterior: FloatArray) -> FloatArray:
        """Return the (A, K, L) expected number of labels l by annotator a for units of class k."""
        return np.stack([count.T @ posterior for count in self.counts], axis=2)

    def joint(self, prior: FloatArray, confusion: FloatArray) -> FloatArray:
        """Return the (U, K) log joint probability of class and labels.

        prior (K,); confusion (A, K, L) probability of label l from annotator a for class k.
        """
        log = _log(confusion)
        total = np.tile(_log(prior), (self.counts[0].shape[0], 1))
        for code, count in enumerate(self.counts):
            total += count @ np.ascontiguousarray(log[:, :, code])
        return total


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """Fitted model: posterior (U, K), confusion (A, K, L), prior (K,), log-likelihood, EM steps and
    convergence. Confusion rows are NaN for classes that an annotator never labelled."""

    posterior: FloatArray
    confusion: FloatArray
    prior: FloatArray
    log_likelihood: float
    steps: int
    converged: bool


def dawid_skene(votes: Votes, *, tolerance: float = 1e-8, most_steps: int = 1000) -> DawidSkene:
    """Fit by maximum likelihood with EM, starting from the label frequencies.

    Source: Dawid and Skene 1979, equations 2.3 to 2.5 and 3.1. There is no smoothing: a label that
    an annotator never gave to a class has probability 0.
    """
    posterior, prior, confusion = votes.shares, np.zeros(0), np.zeros(0)
    moved, steps = np.inf, 0
    total = -np.inf
    while moved > tolerance and steps < most_steps:
        prior = posterior.mean(axis=0)
        counts = votes.expected(posterior)
        met = counts.sum(axis=2, keepdims=True)
        # A class that an annotator never labelled is uninformative: 1 keeps the posterior.
        confusion = np.divide(counts, met, out=np.ones_like(counts), where=met > 0)
        new, total = _normalised(votes.joint(prior, confusion))
        moved = float(np.abs(new - posterior).max(initial=0.0))
        posterior, steps = new, steps + 1
    confusion = np.where(
        votes.expected(posterior).sum(axis=2, keepdims=True) > 0, confusion, np.nan
    )
    return DawidSkene(posterior, confusion, prior, total, steps, moved <= tolerance)


@dataclass(frozen=True)
class MacePriors:
    """Beta(know, guess) prior of competence; symmetric Dirichlet(label) prior of guesses."""

    know: float = 0.5
    guess: float = 0.5
    label: float = 10.0


@dataclass(frozen=True, eq=False)
class Mace:
    """Fitted model.

    posterior   (U, K) class probabilities
    competence  (A,) probability that an annotator knows rather than guesses
    guesses     (A, L) label distribution when guessing
    evidence, start   of the best start (0: the uniform one); evidences: of all starts
    """

    posterior: FloatArray
    competence: FloatArray
    guesses: FloatArray
    evidence: float
    start: int
    evidences: tuple[float, ...]


def mace(
    votes: Votes,
    *,
    restarts: int = 9,
    steps: int = 50,
    seed: int = 0,
    priors: MacePriors = MacePriors(),
) -> Mace:
    """Fit MACE (multi-annotator competence estimation) by variational Bayes.

    The first start is uniform, `restarts` more are random; the start with the highest evidence is
    returned, the first of equals (relative tolerance 1e-6). The prior over classes is uniform.
    Raises ValueError for fewer than one step.
    Source: Hovy, Berg-Kirkpatrick, Vaswani and Hovy 2013.
    """
    if steps < 1 or restarts < 0:
        raise ValueError("MACE needs one step and no less than no restart")
    rng = np.random.default_rng(seed)
    shape = (votes.counts[0].shape[1], votes.n_labels)
    best = _mace_from(votes, np.full(shape[0], 0.5), np.full(shape, 1 / shape[1]), steps, priors)
    evidences = [best.evidence]
    for start in range(1, restarts + 1):
        know, guess = rng.random(shape[0]), rng.dirichlet(np.ones(shape[1]), shape[0])
        fitted = _mace_from(votes, know, guess, steps, priors)
        evidences.append(fitted.evidence)
        if fitted.evidence > best.evidence + 1e-6 * abs(best.evidence):
            best = replace(fitted, start=start)
    return replace(best, evidences=tuple(evidences))


def _mace_from(
    votes: Votes, know: FloatArray, guess: FloatArray, steps: int, priors: MacePriors
) -> Mace:
    """Run from one start. `know` and `guess` start as probabilities and become variational weights,
    exp of expected logs, which sum to less than 1."""
    labels = votes.n_labels
    even = np.full(labels, 1 / labels)
    spam = 1 - know
    n = votes.expected(np.ones((votes.counts[0].shape[0], 1))).sum(axis=(1, 2))
    diagonal = np.arange(labels)
    competence, guesses = know, guess
    for _ in range(steps):
        confusion = _knows_or_guesses(know, spam, guess)
        posterior, _ = _normalised(votes.joint(even, confusion))
        counts = votes.expected(posterior)
        right = counts[:, diagonal, diagonal]
        informed = right * know[:, None] / confusion[:, diagonal, diagonal]
        guessed = counts.sum(axis=1) - informed
        sure, total = informed.sum(axis=1), n + priors.know + priors.guess
        know = np.exp(scipy.special.digamma(sure + priors.know) - scipy.special.digamma(total))
        spam = np.exp(scipy.special.digamma(n - sure + priors.guess) - scipy.special.digamma(total))
        guess_totals = guessed.sum(axis=1, keepdims=True) + labels * priors.label
        guess = np.exp(
            scipy.special.digamma(guessed + priors.label) - scipy.special.digamma(guess_totals)
        )
        competence, guesses = (sure + priors.know) / total, (guessed + priors.label) / guess_totals
    posterior, evidence = _normalised(votes.joint(even, _knows_or_guesses(know, spam, guess)))
    return Mace(posterior, competence, guesses, evidence, 0, ())


def _knows_or_guesses(know: FloatArray, spam: FloatArray, guess: FloatArray) -> FloatArray:
    """Return the (A, K, L) probability of each label given the class."""
    labels = guess.shape[1]
    own: FloatArray = know[:, None, None] * np.eye(labels)
    return own + (spam[:, None] * guess)[:, None, :]


def _normalised(joint: FloatArray) -> tuple[FloatArray, float]:
    """Return the (U, K) posterior, and the sum over units of the log normalising constants."""
    top = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - top)
    total = weight.sum(axis=1, keepdims=True)
    return weight / total, float((top + np.log(total)).sum())


def _log(values: FloatArray) -> FloatArray:
    return np.log(values, out=np.full(values.shape, -np.inf), where=values > 0)


# Gold decisions, and gold of nominal scales, by Dawid-Skene and by MACE.


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
        value,
        decisions.ratings_per_unit,
        gold(decisions).spread,
        method=method,
        seed=seed,
        confidence=sure,
        confidence_is=say("probability of the decision under the model"),
        reason=TIE,
    )
    posterior = np.full((decisions.n_units, levels.size), np.nan)
    posterior[decisions.rated_units] = model.posterior
    values = replace(values, posterior=posterior, posterior_of=tuple(levels.tolist()))
    return LatentGold(values, model, decisions.used_annotators, levels)


# Catalogue of gold methods: names, explanations and computation.
#
# Pages, API, commands, exports and docs/gold-and-results.md list them in this order.


@dataclass(frozen=True, kw_only=True)
class Method:
    """One gold method.

    key        name in URLs, JSON, files and commands
    label      name on pages; says: explanation
    compute    from the ratings of a scale, or from pass decisions if it `decides` (and
               from the ratings of a nominal scale)
    needs_all  whether the value of a unit depends on the ratings of other units
    on_scale   whether its values are on the scale, so that thresholds apply
    """

    key: str
    label: Sentence
    says: Sentence
    compute: Callable[[RatingTable], GoldValues]
    decides: bool = False
    needs_all: bool = False
    on_scale: bool = True


CATALOGUE = (
    Method(
        key="mean",
        label=say("Mean"),
        says=say("Mean of the ratings of a text."),
        compute=mean_gold,
    ),
    Method(
        key="median",
        label=say("Median"),
        says=say("Middle rating; between the two middle ones their mean."),
        compute=median_gold,
    ),
    Method(
        key="majority",
        label=say("Majority"),
        says=say("Most frequent rating; none where two are equally frequent."),
        compute=majority_gold,
    ),
    Method(
        key="trimmed",
        label=say("Trimmed mean"),
        says=say("Mean without the lowest and the highest fifth, from five ratings on."),
        compute=trimmed_gold,
    ),
    Method(
        key="z",
        label=say("z-scores per annotator"),
        says=say(
            "Mean of the ratings in standard deviations of their annotator; not on the scale, so "
            "no threshold applies."
        ),
        compute=z_gold,
        needs_all=True,
        on_scale=False,
    ),
    Method(
        key="severity",
        label=say("Adjusted for severity"),
        says=say(
            "What the average annotator would give: each annotator’s severity is estimated on "
            "the texts shared with others and subtracted."
        ),
        compute=severity_gold,
        needs_all=True,
    ),
    Method(
        key="dawid-skene",
        label=say("Dawid-Skene (decisions, names)"),
        says=say(
            "Most probable pass decision, and value of nominal scales, each annotator weighted "
            "by error rates learnt from the data; no value on an ordered scale."
        ),
        compute=lambda table: dawid_skene_gold(table).gold,
        decides=True,
        needs_all=True,
    ),
    Method(
        key="mace",
        label=say("MACE (decisions, names)"),
        says=say(
            "Most probable pass decision, and value of nominal scales, each annotator weighted "
            "by the probability that they do not guess; no value on an ordered scale."
        ),
        compute=lambda table: mace_gold(table).gold,
        decides=True,
        needs_all=True,
    ),
)
METHODS = {one.key: one for one in CATALOGUE}
