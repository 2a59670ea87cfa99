"""Severity, Dawid-Skene and MACE against published values and reference implementations."""

import numpy as np
import pytest

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


def test_mace_equals_a_plain_implementation():
    """Variational Bayes (Hovy et al. 2013) with loops over ratings, 25 steps from the uniform
    start, made these numbers."""
    priors = MacePriors(0.5, 0.7, 3.0)
    found = mace(votes_of(simulated(0), 2), restarts=0, steps=25, priors=priors)
    assert found.competence == pytest.approx(
        [0.22959509, 0.39026933, 0.24760141, 0.26003938, 0.45629195, 0.93353724]
    )
    assert found.evidence == pytest.approx(-117.82335303899323)
    assert found.posterior[:5, 1] == pytest.approx(
        [0.246017, 0.993599, 0.993988, 0.997417, 0.009549], abs=1e-6
    )


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
