"""Severity, Dawid-Skene and MACE against published values and plain implementations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from scoring.stats import RatingTable
from scoring.stats.agreement import ANONYMOUS
from scoring.stats.latent import MacePriors, Votes, dawid_skene, mace
from scoring.stats.latent_gold import dawid_skene_gold, mace_gold
from scoring.stats.severity import connected_groups, severity, severity_gold

NA = float("nan")
# Dawid and Skene 1979, table 1: 45 patients in four classes of fitness; per patient the three
# assessments of observer 1, then one each of observers 2 to 5.
PATIENTS = [
    1111111, 3334334, 1122122, 2223121, 2223222, 2223322, 1222111, 3333433,
    2222223, 2322223, 4444444, 2223343, 1111111, 2223212, 1211111, 1112111,
    1111111, 1111111, 2222221, 2221322, 2222222, 2222221, 2223222, 2212222,
    1111111, 1111111, 2322222, 1111111, 1111111, 1121121, 1111111, 3333233,
    1111111, 2222222, 2223232, 4334343, 2212232, 2323233, 3333432, 1111111,
    1111111, 1212111, 2322222, 1211111, 2222222,
]  # fmt: skip
OBSERVER = [0, 0, 0, 1, 2, 3, 4]


def anaesthetists() -> Votes:
    label = np.array([[int(digit) - 1 for digit in str(row)] for row in PATIENTS])
    return Votes.of(
        np.repeat(np.arange(len(label)), 7), np.tile(OBSERVER, len(label)), label.ravel(), 4
    )


def test_dawid_and_skenes_anaesthetists() -> None:
    """Dawid and Skene 1979, table 2: class shares and error rates at two decimals."""
    found = dawid_skene(anaesthetists())
    assert found.converged
    assert found.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert found.confusion[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0], [0.07, 0.88, 0.05, 0], [0, 0.34, 0.66, 0], [0, 0, 0.56, 0.44],
    ]  # fmt: skip
    # Patient 3 was called 1, 1, 2, 2, 1, 2, 2: class 2 all the same.
    assert found.posterior[2].argmax() == 1
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)


def plain_dawid_skene(rows: list[tuple[int, int, int]], units: int, annotators: int, k: int):
    """EM with loops, as the paper writes it."""
    count = np.zeros((units, annotators, k))
    for unit, annotator, label in rows:
        count[unit, annotator, label] += 1
    posterior = count.sum(axis=1) / count.sum(axis=(1, 2))[:, None]
    for _ in range(400):
        prior = posterior.mean(axis=0)
        error = np.zeros((annotators, k, k))
        for a in range(annotators):
            for j in range(k):
                given = sum(posterior[i, j] * count[i, a] for i in range(units))
                error[a, j] = given / given.sum() if given.sum() else 1
        for i in range(units):
            weight = [prior[j] * np.prod(error[:, j, :] ** count[i]) for j in range(k)]
            posterior[i] = np.array(weight) / sum(weight)
    return posterior, prior, error


def simulated(seed: int, units: int = 40, annotators: int = 6) -> RatingTable:
    """Three to six decisions per unit by annotators who are right in 55 % to 95 %."""
    rng = np.random.default_rng(seed)
    truth = rng.random(units) < 0.6
    right = rng.random((units, annotators)) < np.linspace(0.55, 0.95, annotators)
    matrix = np.where(right, truth[:, None], ~truth[:, None]).astype(float)
    for row in matrix:
        row[rng.permutation(annotators)[: rng.integers(0, annotators - 2)]] = NA
    return RatingTable.from_dense(matrix)


@pytest.mark.parametrize("seed", range(4))
def test_dawid_skene_equals_a_plain_implementation(seed: int) -> None:
    table = simulated(seed)
    label = table.value.astype(int)
    rows = list(zip(table.unit.tolist(), table.annotator.tolist(), label.tolist(), strict=True))
    posterior, prior, error = plain_dawid_skene(rows, table.n_units, table.n_annotators, 2)
    found = dawid_skene(
        Votes.of(table.unit, table.annotator, label, 2), tolerance=0, most_steps=400
    )
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-10)
    np.testing.assert_allclose(found.prior, prior, atol=1e-10)
    np.testing.assert_allclose(found.confusion, error, atol=1e-9)


def test_a_class_that_an_annotator_never_met_has_no_error_rate() -> None:
    # Annotator 3 saw two units only, which all agree on.
    matrix = [[1, 1, 1, 1]] * 2 + [[0, 0, 0, NA]] * 4
    found = dawid_skene_gold(RatingTable.from_dense(matrix))
    assert np.isnan(found.model.confusion[3, 0]).all()  # type: ignore[union-attr]
    assert found.gold.value.tolist() == [1, 1, 0, 0, 0, 0]


def plain_mace(table: RatingTable, steps: int, prior: MacePriors):
    """Variational Bayes with loops over ratings; the even start."""
    know, spam = np.full(table.n_annotators, 0.5), np.full(table.n_annotators, 0.5)
    guess = np.full((table.n_annotators, 2), 0.5)
    label = table.value.astype(int)

    def says(a: int, given: int, said: int) -> float:
        return know[a] * (given == said) + spam[a] * guess[a, said]

    def units():
        weight = np.full((table.n_units, 2), 0.5)
        for u, a, said in zip(table.unit, table.annotator, label, strict=True):
            weight[u] *= [says(a, 0, said), says(a, 1, said)]
        return weight

    for _ in range(steps):
        weight = units()
        posterior = weight / weight.sum(axis=1, keepdims=True)
        sure, guessed = np.zeros(table.n_annotators), np.zeros((table.n_annotators, 2))
        for u, a, said in zip(table.unit, table.annotator, label, strict=True):
            known = posterior[u, said] * know[a] / says(a, said, said)
            sure[a] += known
            guessed[a, said] += 1 - known
        n = sure + guessed.sum(axis=1)
        total = n + prior.know + prior.guess
        competence = (sure + prior.know) / total
        know = np.exp(digamma(sure + prior.know) - digamma(total))
        spam = np.exp(digamma(n - sure + prior.guess) - digamma(total))
        said_all = guessed.sum(axis=1, keepdims=True) + 2 * prior.label
        guess = np.exp(digamma(guessed + prior.label) - digamma(said_all))
    weight = units()
    return weight / weight.sum(axis=1, keepdims=True), competence, np.log(weight.sum(axis=1)).sum()


@pytest.mark.parametrize("seed", range(3))
def test_mace_equals_a_plain_implementation(seed: int) -> None:
    table = simulated(seed)
    votes = Votes.of(table.unit, table.annotator, table.value.astype(int), 2)
    priors = MacePriors(0.5, 0.7, 3.0)
    posterior, competence, evidence = plain_mace(table, 25, priors)
    found = mace(votes, restarts=0, steps=25, priors=priors)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-10)
    np.testing.assert_allclose(found.competence, competence, atol=1e-10)
    assert found.evidence == pytest.approx(evidence)


def test_mace_takes_the_start_with_the_best_evidence_and_repeats_itself() -> None:
    votes = anaesthetists()
    found, again = mace(votes, restarts=4, seed=3), mace(votes, restarts=4, seed=3)
    assert len(found.evidences) == 5
    assert found.evidence == pytest.approx(max(found.evidences))
    assert (found.evidences, found.start) == (again.evidences, again.start)
    assert mace(votes, restarts=4, seed=4).evidences != found.evidences
    with pytest.raises(ValueError, match="one step"):
        mace(votes, steps=0)


def test_both_models_learn_whom_to_trust() -> None:
    """300 units, two good annotators, three who guess: majority errs, the models do not."""
    rng = np.random.default_rng(5)
    truth = rng.random(300) < 0.5
    good = np.where(rng.random((300, 2)) < 0.95, truth[:, None], ~truth[:, None])
    matrix = np.column_stack([good, rng.random((300, 3)) < 0.5]).astype(float)
    table = RatingTable.from_dense(matrix)
    majority = ((matrix.mean(axis=1) > 0.5) == truth).mean()
    for found in (dawid_skene_gold(table), mace_gold(table)):
        right = (found.gold.value == truth).mean()
        assert right > 0.9 > majority
        assert ((found.gold.confidence >= 0.5) & (found.gold.confidence <= 1)).all()
    competence = mace_gold(table).model.competence  # type: ignore[union-attr]
    assert competence[:2].min() > 0.7 > 0.3 > competence[2:].max()


@pytest.mark.parametrize("method", [dawid_skene_gold, mace_gold])
def test_decisions_that_teach_nothing_give_a_reason(method: object) -> None:
    cases = {
        "needs 3 annotators": [[1, 0], [0, 0]],
        "no unit has two": [[1, NA, NA], [NA, 0, NA], [NA, NA, 1]],
        "all decisions are the same": [[1, 1, 1], [1, NA, 1]],
    }
    for reason, matrix in cases.items():
        found = method(RatingTable.from_dense(matrix))  # type: ignore[operator]
        assert found.model is None and not found.gold.defined.any()
        assert reason in found.gold.rows()[0].reason
    voices = replace(RatingTable.from_dense([[1, 0, 1]]), anonymous=True)
    assert method(voices).gold.rows()[0].reason == ANONYMOUS  # type: ignore[operator]


def test_equally_probable_decisions_are_no_decision() -> None:
    pairs = [[1, 0, NA], [0, 1, NA], [NA, 1, 0], [NA, 0, 1], [1, NA, 0], [0, NA, 1]]
    table = RatingTable.from_dense(pairs)
    found = mace_gold(table, restarts=0)
    assert {row.value for row in found.gold.rows()} == {None}
    assert "equally probable" in found.gold.rows()[0].reason


@given(seed=st.integers(0, 30), mix=st.integers(0, 99))
@settings(max_examples=30)
def test_order_of_units_and_annotators_does_not_matter(seed: int, mix: int) -> None:
    table = simulated(seed, 20, 5)
    rng = np.random.default_rng(mix)
    unit, annotator = rng.permutation(20), rng.permutation(5)
    mixed = RatingTable.from_dense(table.dense()[unit][:, annotator])
    for method in (dawid_skene_gold, lambda t: mace_gold(t, restarts=0)):
        left, right = method(table).gold, method(mixed).gold
        np.testing.assert_allclose(right.confidence, left.confidence[unit], atol=1e-5)


def test_labels_must_be_codes() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Votes.of(np.array([0]), np.array([0]), np.array([2]), 2)


@pytest.mark.parametrize("seed", range(3))
def test_severity_equals_least_squares_on_dummies(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(3, 1, (25, 1)) + rng.normal(0, 1, 5) + rng.normal(0, 0.5, (25, 5))
    matrix[rng.random(matrix.shape) < 0.4] = NA
    table = RatingTable.from_dense(matrix)
    design = np.zeros((table.n_ratings + 1, 30))
    design[np.arange(table.n_ratings), table.unit] = 1
    design[np.arange(table.n_ratings), 25 + table.annotator] = 1
    design[-1, 25:] = 1  # the effects add up to 0
    solution, *_ = np.linalg.lstsq(design, np.append(table.value, 0), rcond=None)
    found = severity(table)
    np.testing.assert_allclose(found.effect, solution[25:], atol=1e-9)
    np.testing.assert_allclose(
        found.unit_value[table.rated_units], solution[table.rated_units], atol=1e-9
    )
    # Covariance under the constraint: the bordered normal equations.
    kept = np.append(table.rated_units, 25 + np.arange(5))
    rows = design[:-1, kept]
    border = design[-1:, kept]
    whole = np.block([[rows.T @ rows, border.T], [border, np.zeros((1, 1))]])
    error = found.sigma * np.sqrt(np.diag(np.linalg.inv(whole))[:-1])
    np.testing.assert_allclose(found.unit_error[table.rated_units], error[:-5], rtol=1e-9)
    np.testing.assert_allclose(found.error, error[-5:], rtol=1e-9)


def test_severity_is_not_fooled_by_who_saw_the_harder_texts() -> None:
    """Annotator 2 is mild by a point but saw only bad texts; the plain means turn that round."""
    quality = np.array([5, 5, 4, 4, 2, 2, 1, 1.0])
    matrix = np.column_stack([quality, quality, quality + 1])
    matrix[:3, 2] = NA
    matrix[4:6, 0] = NA
    found = severity(RatingTable.from_dense(matrix))
    np.testing.assert_allclose(found.effect, [-1 / 3, -1 / 3, 2 / 3])
    np.testing.assert_allclose(found.unit_value, quality + 1 / 3)
    assert np.isnan(found.sigma)  # the model fits exactly: no noise to make intervals of
    rows = severity_gold(RatingTable.from_dense(matrix)).rows()
    assert rows[0].low is None and rows[0].value == pytest.approx(5 + 1 / 3)


def test_complete_ratings_need_no_adjustment() -> None:
    matrix = np.array([[1, 2, 4], [3, 3, 5], [2, 4, 4.0]])
    found = severity_gold(RatingTable.from_dense(matrix))
    np.testing.assert_allclose(found.value, matrix.mean(axis=1))
    assert (found.low < found.value).all() and (found.value < found.high).all()


def test_severity_refuses_what_it_cannot_tell_apart() -> None:
    parted = RatingTable.from_dense([[1, 2, NA, NA], [NA, NA, 4, 5], [NA, NA, 3, 5]])
    assert connected_groups(parted) == 2
    assert "2 groups that share no unit" in severity(parted).reason
    assert {row.value for row in severity_gold(parted).rows()} == {None}
    assert "two annotators" in severity(RatingTable.from_dense([[1], [2]])).reason
    assert severity(replace(parted, anonymous=True)).reason == ANONYMOUS
