"""Severity, Dawid-Skene and MACE against published values and reference implementations."""

import numpy as np
import pytest
from scipy.special import digamma

from scoring.stats import RatingTable
from scoring.stats.gold.latent import MacePriors, Votes, dawid_skene, mace
from tests.scoring.stats.gold.simulated import simulated

# Dawid and Skene 1979, table 1: 45 patients in four classes of fitness; per patient the three
# assessments of observer 1, then one each of observers 2 to 5.
PATIENTS = [
    1111111,
    3334334,
    1122122,
    2223121,
    2223222,
    2223322,
    1222111,
    3333433,
    2222223,
    2322223,
    4444444,
    2223343,
    1111111,
    2223212,
    1211111,
    1112111,
    1111111,
    1111111,
    2222221,
    2221322,
    2222222,
    2222221,
    2223222,
    2212222,
    1111111,
    1111111,
    2322222,
    1111111,
    1111111,
    1121121,
    1111111,
    3333233,
    1111111,
    2222222,
    2223232,
    4334343,
    2212232,
    2323233,
    3333432,
    1111111,
    1111111,
    1212111,
    2322222,
    1211111,
    2222222,
]

OBSERVER = [0, 0, 0, 1, 2, 3, 4]


def votes_of(table, classes):
    return Votes.of(table.unit, table.annotator, table.value.astype(int), classes)


def anaesthetists():
    label = np.array([[int(digit) - 1 for digit in str(row)] for row in PATIENTS])
    return Votes.of(
        np.repeat(np.arange(len(label)), 7), np.tile(OBSERVER, len(label)), label.ravel(), 4
    )


def test_dawid_and_skenes_anaesthetists():
    """Dawid and Skene 1979, table 2: class shares and error rates at two decimals."""
    found = dawid_skene(anaesthetists())
    assert found.converged
    assert found.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert found.confusion[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]
    # Patient 3 was called 1, 1, 2, 2, 1, 2, 2: class 2 all the same.
    assert found.posterior[2].argmax() == 1
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)


def plain_mace(table, steps, prior):
    """Variational Bayes with loops over ratings, from the uniform start."""
    know, spam = np.full(table.n_annotators, 0.5), np.full(table.n_annotators, 0.5)
    guess = np.full((table.n_annotators, 2), 0.5)
    label = table.value.astype(int)

    def says(a, given, said):
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
def test_mace_equals_a_plain_implementation(seed):
    table = simulated(seed)
    priors = MacePriors(0.5, 0.7, 3.0)
    posterior, competence, evidence = plain_mace(table, 25, priors)
    found = mace(votes_of(table, 2), restarts=0, steps=25, priors=priors)
    np.testing.assert_allclose(found.posterior, posterior, atol=1e-10)
    np.testing.assert_allclose(found.competence, competence, atol=1e-10)
    assert found.evidence == pytest.approx(evidence)


def test_mace_keeps_the_best_start_and_is_reproducible():
    votes = anaesthetists()
    found, again = (mace(votes, restarts=4, seed=3) for _ in range(2))
    assert len(found.evidences) == 5
    assert found.evidence == pytest.approx(max(found.evidences))
    assert (found.evidences, found.start) == (again.evidences, again.start)
    assert mace(votes, restarts=4, seed=4).evidences != found.evidences
    with pytest.raises(ValueError, match="one step"):
        mace(votes, steps=0)


def test_labels_must_be_codes():
    with pytest.raises(ValueError, match="between 0 and 1"):
        Votes.of(np.array([0]), np.array([0]), np.array([2]), 2)


# 40 units with four labels each by five annotators (simulated, numpy seed 3), and what crowd-kit
# 1.4.2 (PyPI) makes of them: the classes of DawidSkene(n_iter=400, tol=1e-15), its probabilities
# where they are not 0 or 1, and the classes of MACE(n_restarts=10, n_iter=50, random_state=0).
LABELS = [
    "2.221",
    "0.011",
    "00.01",
    "000.1",
    "001.0",
    "0221.",
    "2222.",
    ".1121",
    "0.020",
    "002.2",
    "0001.",
    "110.1",
    "2.110",
    "1.111",
    "0.000",
    "0101.",
    "222.2",
    "2.201",
    "0000.",
    "0000.",
    "1.112",
    "1011.",
    ".2221",
    "21.12",
    "1101.",
    "2111.",
    "10.12",
    ".1111",
    "0010.",
    "222.2",
    "221.0",
    ".2222",
    "222.2",
    "1.102",
    "000.0",
    "10.11",
    "211.0",
    "20.22",
    "20.22",
    "101.0",
]
CLASSES = "2000022102011100220011211111021221011221"
UNSURE = {
    2: [0.9893, 0.0, 0.0107],
    7: [0.0502, 0.9498, 0.0],
    27: [0.0152, 0.9848, 0.0],
    37: [0.0, 0.0341, 0.9659],
    38: [0.0, 0.0341, 0.9659],
}
BY_MACE = "2000022100011100220011211111022221011221"


def test_labels_of_three_names_as_crowd_kit_has_them():
    matrix = [[np.nan if label == "." else int(label) for label in row] for row in LABELS]
    votes = votes_of(RatingTable.from_dense(matrix), 3)
    found = dawid_skene(votes)
    assert "".join(map(str, found.posterior.argmax(axis=1))) == CLASSES
    for place, expected in UNSURE.items():
        np.testing.assert_allclose(found.posterior[place], expected, atol=1e-4)
    sure = [place for place in range(40) if place not in UNSURE]
    assert found.posterior[sure].max(axis=1).min() > 0.999
    # Its starts are other random ones, so its probabilities differ a little.
    assert "".join(map(str, mace(votes).posterior.argmax(axis=1))) == BY_MACE
