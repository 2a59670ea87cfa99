"""Dawid-Skene and MACE: the hidden true class of each unit, and how far each annotator is right.

Both know an annotator by the probabilities of each label given the true class; Dawid and Skene
leave these free, MACE lets an annotator either know the class or guess. So both share the counts
of who said what where, and the step from annotators to units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.special import digamma

from scoring.stats.table import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Votes:
    """Who gave which label to which unit, how often.

    counts  one sparse (U, A) matrix per label
    """

    counts: tuple[sparse.csr_array, ...]

    @classmethod
    def of(cls, unit: IntArray, annotator: IntArray, label: IntArray, n_labels: int) -> Votes:
        """From equal arrays of codes from 0; an annotator may label a unit several times.

        Every unit and annotator up to the greatest code should have a label. Raises ValueError for
        labels outside 0 to n_labels - 1.
        """
        if label.size and not 0 <= label.min() <= label.max() < n_labels:
            raise ValueError(f"labels must lie between 0 and {n_labels - 1}")
        shape = (int(unit.max(initial=-1)) + 1, int(annotator.max(initial=-1)) + 1)
        return cls(tuple(
            sparse.csr_array((np.ones(rows.size), (unit[rows], annotator[rows])), shape=shape)
            for rows in (np.flatnonzero(label == code) for code in range(n_labels))
        ))  # fmt: skip

    @property
    def n_labels(self) -> int:
        return len(self.counts)

    @property
    def shares(self) -> FloatArray:
        """(U, K) share of each label among those of a unit."""
        total = np.column_stack([count.sum(axis=1) for count in self.counts])
        return np.asarray(total / np.maximum(total.sum(axis=1, keepdims=True), 1))

    def expected(self, posterior: FloatArray) -> FloatArray:
        """(A, K, L) expected number of labels l an annotator gave to units of class k."""
        return np.stack([count.T @ posterior for count in self.counts], axis=2)

    def joint(self, prior: FloatArray, confusion: FloatArray) -> FloatArray:
        """(U, K) log of prior times the probability of the unit's labels, per class.

        prior (K,); confusion (A, K, L) probability of label l from annotator a for class k.
        """
        log = _log(confusion)
        total = np.tile(_log(prior), (self.counts[0].shape[0], 1))
        for code, count in enumerate(self.counts):
            total += count @ np.ascontiguousarray(log[:, :, code])
        return total


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """posterior (U, K); confusion (A, K, L), NaN in rows of classes an annotator never met;
    prior (K,); the log-likelihood; steps taken, and whether nothing moved any more."""

    posterior: FloatArray
    confusion: FloatArray
    prior: FloatArray
    log_likelihood: float
    steps: int
    converged: bool


def dawid_skene(votes: Votes, *, tolerance: float = 1e-8, most_steps: int = 1000) -> DawidSkene:
    """Maximum likelihood by EM, started from the shares of the labels.

    Source: Dawid and Skene 1979, equations 2.3 to 2.5 and 3.1. No smoothing: an annotator who
    never gave a label to a class is taken to be unable to.
    """
    posterior, prior, confusion = votes.shares, np.zeros(0), np.zeros(0)
    moved, steps = np.inf, 0
    total = -np.inf
    while moved > tolerance and steps < most_steps:
        prior = posterior.mean(axis=0)
        counts = votes.expected(posterior)
        met = counts.sum(axis=2, keepdims=True)
        # A class that an annotator never met tells nothing: 1 leaves the units as they are.
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
    """Beta(know, guess) for the competence; symmetric Dirichlet(label) for what a guess says."""

    know: float = 0.5
    guess: float = 0.5
    label: float = 10.0


@dataclass(frozen=True, eq=False)
class Mace:
    """posterior (U, K); competence (A,) probability that an annotator knows rather than guesses;
    guesses (A, L) what an annotator says when guessing; evidence of the best start, its number
    (0: the even one), and the evidence of every start."""

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
    priors: MacePriors = MacePriors(),  # noqa: B008 frozen
) -> Mace:
    """Multi-annotator competence estimation by variational Bayes.

    The first start takes every annotator for equal, `restarts` more are random; the one with the
    highest evidence speaks, the first among equals (up to a millionth). Classes are equally likely
    beforehand. Raises ValueError for less than one step.
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
        found = _mace_from(votes, know, guess, steps, priors)
        evidences.append(found.evidence)
        if found.evidence > best.evidence + 1e-6 * abs(best.evidence):
            best = replace(found, start=start)
    return replace(best, evidences=tuple(evidences))


def _mace_from(
    votes: Votes, know: FloatArray, guess: FloatArray, steps: int, priors: MacePriors
) -> Mace:
    """One run. `know` and `guess` begin as probabilities and become what variational Bayes puts in
    their place, which adds up to less than 1."""
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
        known = right * know[:, None] / confusion[:, diagonal, diagonal]
        guessed = counts.sum(axis=1) - known
        sure, total = known.sum(axis=1), n + priors.know + priors.guess
        know = np.exp(digamma(sure + priors.know) - digamma(total))
        spam = np.exp(digamma(n - sure + priors.guess) - digamma(total))
        said = guessed.sum(axis=1, keepdims=True) + labels * priors.label
        guess = np.exp(digamma(guessed + priors.label) - digamma(said))
        competence, guesses = (sure + priors.know) / total, (guessed + priors.label) / said
    posterior, evidence = _normalised(votes.joint(even, _knows_or_guesses(know, spam, guess)))
    return Mace(posterior, competence, guesses, evidence, 0, ())


def _knows_or_guesses(know: FloatArray, spam: FloatArray, guess: FloatArray) -> FloatArray:
    """(A, K, L) probability of each label given the class."""
    labels = guess.shape[1]
    own: FloatArray = know[:, None, None] * np.eye(labels)
    return own + (spam[:, None] * guess)[:, None, :]


def _normalised(joint: FloatArray) -> tuple[FloatArray, float]:
    """(U, K) posterior, and the sum over units of the log of what it was divided by."""
    top = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - top)
    total = weight.sum(axis=1, keepdims=True)
    return weight / total, float((top + np.log(total)).sum())


def _log(values: FloatArray) -> FloatArray:
    return np.log(values, out=np.full(values.shape, -np.inf), where=values > 0)
