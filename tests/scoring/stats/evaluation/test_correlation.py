"""Correlation of metrics with human values, and comparison of metrics."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from scoring.stats import Bootstrap
from scoring.stats.evaluation.correlation import (
    KENDALL_BOOTSTRAP,
    coefficients,
    kendall,
    pearson,
    spearman,
    within_originals,
)
from scoring.stats.evaluation.pairwise import accuracies, pairwise_accuracy, tie_accuracies
from tests.scoring.stats.evaluation.columns import (
    CASES,
    HUMAN,
    ROWS,
    SYSTEM_A,
    SYSTEMS,
    A,
    by_scipy,
    clustered,
    columns,
)
from tests.scoring.stats.panels import interval, width


@pytest.mark.parametrize(
    ("function", "x", "y", "p", "method"),
    [  # R 4.2.2 cor.test; pitfall 15: exact and normal p of tau differ 7.5 times
        (pearson, HUMAN, A, 8.68103122875e-06, ""),
        (spearman, HUMAN, A, 4.25049693625e-05, ""),
        (kendall, HUMAN, A, 0.000185454098065, "normal"),
        (spearman, SYSTEMS, SYSTEM_A, 9.54358182684e-07, ""),  # R prints 0
        (kendall, SYSTEMS, SYSTEM_A, 1.63423253701e-05, "exact"),
    ],
)
def test_p_values_and_their_method(function, x, y, p, method):
    found = function(x, y)
    assert found.details["p_value"] == pytest.approx(p, rel=1e-8)
    assert found.n == x.size and method in found.details["p_method"]
    assert "p " not in found.method  # Which is shown, also where p is not.
    assert function(np.append(x, 5), np.append(y, np.nan)) == found  # Missing values go pairwise.


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 2, 3, 4, 5], [2, 2, 2, 2, 2], "metric's values are all equal"),
        ([2, 2, 2], [1, 2, 3], "human values are all equal"),
        ([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], "metric's values are all equal"),
        ([1, 2], [3, 5], "needs 3 units"),
        ([1, 2, 3], [3, 5, np.nan], "has 2"),
        ([], [], "has 0"),
    ],
)
def test_undefined_correlations_are_none_not_zero(x, y, reason):
    for function in (pearson, spearman, kendall):
        found = function(np.array(x, dtype=float), np.array(y, dtype=float))
        assert found.value is None and reason in found.reason
        assert found.details["p_value"] is None


def test_perfect_line_and_extreme_sizes():
    x = np.arange(1.0, 6)
    for y in (2 * x, 1e200 * x, 1e-200 * x, 1e6 + x):
        assert pearson(x, y).value == pytest.approx(1)
    assert kendall(x, 2 * x).details["p_value"] == pytest.approx(1 / 60)


def test_tau_of_many_units_has_an_interval_like_the_bootstrap():
    rng = np.random.default_rng(7)
    units = KENDALL_BOOTSTRAP + 1
    codes = np.arange(units) // 5
    human = np.clip(np.round(rng.normal(3, 1, units) + rng.normal(0, 0.7, units)[codes]), 1, 5)
    metric = human + rng.normal(0, 1, units) + rng.normal(0, 1.5, units)[codes]
    plan = Bootstrap(300, 1)
    large = kendall(human, metric, codes, plan)
    small = kendall(human[:-1], metric[:-1], codes[:-1], plan)
    assert "Hoeffding" in large.options["interval"] and "percentile" in small.options["interval"]
    assert large.generalises_to == "new clusters"
    assert interval(large) == pytest.approx(interval(small), abs=0.006)
    # Taking units for independent would give a shorter one.
    assert width(large) > 1.1 * width(kendall(human, metric, None, plan))


def test_columns_with_different_gaps_are_each_as_alone():
    human, metric, codes = clustered()
    other = np.where(np.arange(60) % 7 == 0, np.nan, metric)
    together = coefficients(human, {"m": metric, "o": other}, codes, Bootstrap(30, 2))
    for name, column in (("m", metric), ("o", other)):
        alone = coefficients(human, {name: column}, codes, Bootstrap(30, 2))
        assert together[name] == alone[name]
    assert together["o"]["pearson"].n == 51
    with pytest.raises(ValueError, match="equally long"):
        coefficients(human, {"m": metric[:-1]})
    with pytest.raises(ValueError, match="as long as"):
        coefficients(human, {"m": metric}, codes[:-1])


@pytest.mark.parametrize("case", CASES["columns"], ids=lambda case: case["name"][:20])
def test_coefficients_of_two_tables(case):
    human = np.array(case["human"])
    metrics = {name: np.array(case[name]) for name in "ab"}
    found = coefficients(human, metrics)
    ties = tie_accuracies(human, metrics)
    shares = accuracies(human, metrics)
    for metric, expected in case["expected"].items():
        r, tied, share = found[metric], ties[metric], shares[metric]
        assert expected == pytest.approx(
            {
                "pearson": r["pearson"].value,
                "spearman": r["spearman"].value,
                "kendall_tau_b": r["kendall"].value,
                "kendall_tau_c": r["kendall_c"].value,
                "acc_half_credit": share.value,
                "acc_without_human_ties": share.details["strict"],
                "acc_eq": tied["acc_eq"].value,
                "acc_eq_tie_calibrated": tied["acc_eq_calibrated"].value,
                "epsilon": tied["acc_eq_calibrated"].details["epsilon"],
            },
            abs=1e-9,
        )


# Which of two paraphrases of one original is better: does a metric say what the humans say?


@pytest.mark.parametrize(
    ("human", "codes", "reason"),
    [
        (HUMAN, np.arange(20), "no pair of units"),
        (np.ones(20), np.zeros(20, dtype=np.int64), "humans tie every pair"),
        (np.full(20, np.nan), None, "no pair of units"),
    ],
)
def test_without_a_decided_pair_there_is_no_accuracy(human, codes, reason):
    found = pairwise_accuracy(human, A, codes)
    assert found.value is None and reason in found.reason


@settings(max_examples=60)
@given(ROWS)
def test_pairwise_accuracy_by_brute_force(rows):
    right = half = total = 0.0
    for one, other in itertools.combinations(rows, 2):
        if one[2] != other[2] or one[0] == other[0]:
            continue
        total += 1
        same = (one[0] - other[0]) * (one[1] - other[1])
        right += same > 0
        half += 1 if same > 0 else 0.5 if same == 0 else 0
    found = pairwise_accuracy(*columns(rows))
    assert found.n == total
    if total:
        assert found.value == pytest.approx(half / total)
        assert found.details["strict"] == pytest.approx(right / total)


def test_accuracy_of_many_metrics_and_the_mean_over_originals():
    human, metric, codes = clustered()
    rough = np.round(metric)
    metrics = {"m": metric, "rough": rough, "gap": np.where(codes < 8, np.nan, metric)}
    together = accuracies(human, metrics, codes)
    for name, column in metrics.items():
        assert together[name] == accuracies(human, {"x": column}, codes)["x"]
    of = [accuracies(human[codes == one], {"m": rough[codes == one]})["m"] for one in range(15)]
    shares = [one.value for one in of if one.value is not None]
    assert together["rough"].details["mean_over_originals"] == pytest.approx(np.mean(shares))
    assert together["rough"].details["originals"] == len(shares)


# Pairwise accuracy with credit for correct ties, and the tie threshold of a metric.


@settings(max_examples=80)
@given(ROWS)
def test_accuracy_with_ties_by_brute_force(rows):
    human, metric, cluster = columns(rows)
    pairs = [
        (a, b) for a, b in itertools.combinations(range(len(rows)), 2) if cluster[a] == cluster[b]
    ]
    found = tie_accuracies(human, {"m": metric / 10}, cluster)["m"]
    if not pairs:
        assert all(one.value is None and "no pair" in one.reason for one in found.values())
        return

    def accuracy(epsilon):
        right = 0
        for a, b in pairs:
            gap = metric[a] - metric[b]
            said = 0 if abs(gap) <= epsilon else np.sign(gap)
            right += said == np.sign(human[a] - human[b])
        return right / len(pairs)

    sizes = sorted({0.0, *(abs(metric[a] - metric[b]) for a, b in pairs)})
    best = max(accuracy(size) for size in sizes)
    smallest = next(size for size in sizes if accuracy(size) == best)
    assert found["acc_eq"].value == pytest.approx(accuracy(0))
    assert found["acc_eq_calibrated"].value == pytest.approx(best)
    assert found["acc_eq_calibrated"].details["epsilon"] == pytest.approx(smallest / 10)
    assert found["acc_eq_calibrated"].n == len(pairs)


def test_a_threshold_fitted_elsewhere_does_no_better():
    rng = np.random.default_rng(5)
    human = rng.integers(1, 4, 120).astype(float)
    noise = rng.normal(size=120)
    found, again = (
        tie_accuracies(human, {"m": noise}, np.arange(120) // 6, folds=4, seed=3)["m"]
        for _ in range(2)
    )
    crossfit, calibrated = found["acc_eq_crossfit"], found["acc_eq_calibrated"]
    assert crossfit.value < calibrated.value
    assert len(crossfit.details["epsilon"]) == 4 and crossfit.n == calibrated.n
    assert again["acc_eq_crossfit"] == crossfit
    one = tie_accuracies(human[:6], {"m": noise[:6]}, np.zeros(6, dtype=np.int64))["m"]
    assert one["acc_eq_crossfit"].value is None and one["acc_eq"].value is not None


def test_items_of_a_phrase_are_in_one_fold():
    """The same texts in a second item of each phrase change neither epsilons nor value: an epsilon
    is never calibrated on what it is evaluated on. Epsilons are checked by trying all."""
    rng = np.random.default_rng(8)
    human, noise = rng.integers(1, 4, 60).astype(float), rng.normal(size=60)
    phrase, seed, folds = np.arange(60) // 5, 4, 3
    once = tie_accuracies(human, {"m": noise}, phrase, folds=folds, seed=seed)["m"]
    items = np.concatenate([phrase, 12 + phrase])
    twice = tie_accuracies(
        np.tile(human, 2),
        {"m": np.tile(noise, 2)},
        np.tile(phrase, 2),
        items=items,
        folds=folds,
        seed=seed,
    )["m"]
    one, other = once["acc_eq_crossfit"], twice["acc_eq_crossfit"]
    assert other.value == pytest.approx(one.value) and other.n == 2 * one.n
    assert other.details["epsilon"] == pytest.approx(one.details["epsilon"])

    a, b = np.triu_indices(60, 1)
    a, b = a[phrase[a] == phrase[b]], b[phrase[a] == phrase[b]]
    gap, people = noise[a] - noise[b], np.sign(human[a] - human[b])
    fold = (np.random.default_rng(seed).permutation(12) % folds)[phrase[a]]

    def right(epsilon, rows):
        said = np.where(np.abs(gap[rows]) <= epsilon, 0, np.sign(gap[rows]))
        return (said == people[rows]).sum()

    tried = np.concatenate([[0.0], np.sort(np.abs(gap))])
    best = [tried[np.argmax([right(e, fold != f) for e in tried])] for f in range(folds)]
    assert one.details["epsilon"] == pytest.approx(best)
    total = sum(right(epsilon, fold == f) for f, epsilon in enumerate(best))
    assert one.value == pytest.approx(total / a.size)


# Correlation within originals: do people and a metric agree on the paraphrases of one sentence?


def test_within_originals_is_the_mean_of_their_coefficients():
    human, metric, codes = clustered()
    human[codes == 3] = 2  # People tell nothing apart there.
    metric[codes == 5] = [1, np.nan, np.nan, 2]  # Two units are no correlation.
    found = within_originals(human, {"m": metric}, codes, Bootstrap(100, 4))["m"]
    each = []
    gap = people = machine = 0.0
    for code in range(15):
        row = (codes == code) & np.isfinite(metric)
        x, y = human[row], metric[row]
        sign = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
        gap += (sign[0] * sign[1]).sum()
        people, machine = people + np.abs(sign[0]).sum(), machine + np.abs(sign[1]).sum()
        if x.size > 2 and np.ptp(x) > 0:
            each.append(by_scipy(x, y))
    for name in each[0]:
        assert found[name].value == pytest.approx(np.mean([one[name] for one in each])), name
        assert found[name].n == len(each)
        assert found[name].ci_low < found[name].value
    assert found["kendall_pooled"].value == pytest.approx(gap / np.sqrt(people * machine))
    flat = within_originals(np.ones(60), {"m": metric}, codes)["m"]
    assert flat["pearson"].value is None and flat["kendall_pooled"].value is None
    empty = within_originals(human, {"m": np.full(60, np.nan)}, codes, Bootstrap(10))["m"]
    assert {one.value for one in empty.values()} == {None}


def test_the_size_of_values_does_not_matter():
    rng = np.random.default_rng(9)
    human, metric, codes = rng.normal(size=40), rng.normal(size=40), np.arange(40) // 5
    one = within_originals(human, {"m": metric}, codes)["m"]["pearson"].value
    for factor in (1e300, 1e-300):
        found = within_originals(human * factor, {"m": metric * factor}, codes)["m"]["pearson"]
        assert found.value == pytest.approx(one, abs=1e-9)
