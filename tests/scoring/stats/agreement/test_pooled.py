"""Cohen's kappa pooled over pairs of annotators, and when the mean over pairs is no summary."""

from itertools import combinations, product

import numpy as np
import pytest

from scoring.stats import RatingTable, agreement_statistics
from tests.scoring.stats.agreement.cases import computed
from tests.scoring.stats.agreement.drawn import crowd

NA = float("nan")
POOLED = {
    "cohen_kappa_pooled": lambda x, y: x != y,
    "cohen_kappa_pooled_linear": lambda x, y: abs(x - y),
    "cohen_kappa_pooled_quadratic": lambda x, y: (x - y) ** 2,
}
MEANS = ("cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic", "scott_pi")


def test_on_complete_data_it_is_congers_kappa():
    """Rows 2 to 9 of irrCAC's cac.raw4raters, quadratic weights: conger.kappa.raw gives .67192, the
    R package quadagree .6719243 (both in the documentation of its function conger)."""
    rows = [
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
    ]
    found = agreement_statistics(RatingTable.from_dense(rows))
    assert found["cohen_kappa_pooled_quadratic"].value == pytest.approx(0.6719243, abs=5e-8)


@pytest.mark.parametrize("name", POOLED)
def test_missing_ratings_by_hand(name):
    """Disagreements of all pairs that met, divided by those of every rating of the one with every
    rating of the other; a unit with one rating takes no part."""
    table = crowd(3)
    dense = table.dense()
    dense[(~np.isnan(dense)).sum(axis=1) < 2] = NA
    seen, expected = 0.0, 0.0
    for a, b in combinations(range(dense.shape[1]), 2):
        met = dense[~np.isnan(dense[:, [a, b]]).any(axis=1)][:, [a, b]]
        seen += sum(POOLED[name](x, y) for x, y in met)
        every = product(*(dense[~np.isnan(dense[:, who]), who] for who in (a, b)))
        expected += len(met) * np.mean([POOLED[name](x, y) for x, y in every])
    found = agreement_statistics(table)[name]
    assert found.value == pytest.approx(1 - seen / expected, abs=1e-12)
    assert found.n == (~np.isnan(dense).all(axis=1)).sum()


@pytest.mark.parametrize(
    ("annotators", "shared", "given"), [(9, 4, True), (10, 4, False), (10, 5, True)]
)
def test_the_mean_over_pairs_needs_five_shared_texts_or_under_ten_annotators(
    annotators, shared, given
):
    rng = np.random.default_rng(2)
    pairs = np.array(list(combinations(range(annotators), 2))).repeat(shared, axis=0)
    unit = np.repeat(np.arange(len(pairs)), 2)
    value = rng.integers(1, 6, unit.size) * 1.0
    table = RatingTable(unit, pairs.ravel(), value, len(pairs), annotators)
    found = agreement_statistics(table)
    for name in MEANS:
        assert (found[name].value is not None) == given, name
    for name in POOLED:
        assert found[name].value is not None


def test_pairs_without_a_shared_text_count_for_the_median():
    """Five pairs of two annotators each: nine of ten pairs share nothing."""
    value = np.random.default_rng(3).integers(1, 6, 200) * 1.0
    who = np.repeat(np.arange(10).reshape(5, 2), 20, axis=0).ravel()
    table = RatingTable(np.repeat(np.arange(100), 2), who, value, 100, 10)
    found = agreement_statistics(table)["cohen_kappa"]
    assert "shares 0 texts" in found.reason
    assert len(found.details["pairs"]) == 5


def test_no_variation_and_no_identity_have_reasons():
    same = agreement_statistics(RatingTable.from_dense([[2, 2], [2, 2]]))
    assert "no variation" in same["cohen_kappa_pooled"].reason
    alone = agreement_statistics(RatingTable.from_dense([[2, NA], [NA, 2]]))
    assert "no unit has two ratings" in alone["cohen_kappa_pooled"].reason
    # Where two annotators agree on all they share, a pair has no kappa; the pooled one has.
    assert computed("shrout_fleiss_1979")["cohen_kappa_pooled"].value is not None
