"""Ties, groupings, ROC and large-sample tau, each against a slow plain form."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import Bootstrap
from scoring.stats.acc_eq import tie_accuracies
from scoring.stats.correlation import KENDALL_BOOTSTRAP, coefficients, kendall
from scoring.stats.kendall import unit_concordance
from scoring.stats.paired import mid_ranks
from scoring.stats.pairwise import accuracies
from scoring.stats.resampling import draws, even
from scoring.stats.roc import roc_curves
from scoring.stats.table import FloatArray, IntArray
from scoring.stats.within import within_originals

ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=16
)


def columns(rows: list[tuple[int, int, int]]) -> tuple[FloatArray, FloatArray, IntArray]:
    human, metric, cluster = np.array(rows, dtype=float).T
    return human, metric, cluster.astype(np.int64)


def clustered(units: int = 60, seed: int = 1) -> tuple[FloatArray, FloatArray, IntArray]:
    rng = np.random.default_rng(seed)
    codes = np.arange(units) // 4
    human = np.clip(np.round(rng.normal(3, 1, units)), 1, 5)
    return human, human + rng.normal(0, 1, units) + rng.normal(0, 1, units)[codes], codes


@settings(max_examples=80)
@given(ROWS)
def test_accuracy_with_ties_by_brute_force(rows: list[tuple[int, int, int]]) -> None:
    human, metric, cluster = columns(rows)
    pairs = [
        (a, b) for a, b in itertools.combinations(range(len(rows)), 2) if cluster[a] == cluster[b]
    ]
    found = tie_accuracies(human, {"m": metric / 10}, cluster)["m"]
    if not pairs:
        assert all(one.value is None and "no pair" in one.reason for one in found.values())
        return

    def accuracy(epsilon: float) -> float:
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


def test_a_threshold_fitted_elsewhere_does_no_better() -> None:
    rng = np.random.default_rng(5)
    human = rng.integers(1, 4, 120).astype(float)
    noise = rng.normal(size=120)
    found = tie_accuracies(human, {"m": noise}, np.arange(120) // 6, folds=4, seed=3)["m"]
    crossfit, calibrated = found["acc_eq_crossfit"], found["acc_eq_calibrated"]
    assert crossfit.value is not None and calibrated.value is not None
    assert crossfit.value < calibrated.value
    assert len(crossfit.details["epsilon"]) == 4 and crossfit.n == calibrated.n
    again = tie_accuracies(human, {"m": noise}, np.arange(120) // 6, folds=4, seed=3)["m"]
    assert again["acc_eq_crossfit"] == crossfit
    one = tie_accuracies(human[:6], {"m": noise[:6]}, np.zeros(6, dtype=np.int64))["m"]
    assert one["acc_eq_crossfit"].value is None and one["acc_eq"].value is not None


@given(ROWS)
def test_roc_area_by_brute_force(rows: list[tuple[int, int, int]]) -> None:
    human, metric, _ = columns(rows)
    passed = (human >= 2).astype(float)
    found = roc_curves(passed, {"m": metric})["m"]
    yes, no = metric[passed == 1], metric[passed == 0]
    if not yes.size or not no.size:
        assert found.area.value is None and found.curve == ()
        return
    wins = (yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2
    assert found.area.value == pytest.approx(wins)
    x, y, limits = zip(*found.curve, strict=True)
    assert (x[0], y[0], limits[0]) == (0, 0, None) and (x[-1], y[-1]) == (1, 1)
    assert np.trapezoid(y, x) == pytest.approx(wins)
    for false, true, limit in found.curve[1:]:
        assert limit is not None
        assert true == pytest.approx((yes >= limit).mean())
        assert false == pytest.approx((no >= limit).mean())


def test_roc_replicates_are_the_areas_of_the_drawn_rows() -> None:
    human, metric, codes = clustered()
    passed, plan = (human >= 3).astype(float), Bootstrap(40, 2)
    found = roc_curves(passed, {"m": metric, "rough": np.round(metric)}, codes, plan)
    drawn = np.concatenate(list(draws(plan, 15, even(15))))
    for name, column in (("m", metric), ("rough", np.round(metric))):
        made = []
        for weight in drawn[:, codes].astype(int):
            rows = np.repeat(np.arange(60), weight)
            area = roc_curves(passed[rows], {"m": column[rows]})["m"].area.value
            made.append(np.nan if area is None else area)
        low, high = np.quantile(made, [0.025, 0.975])
        assert found[name].area.ci_low == pytest.approx(low)
        assert found[name].area.ci_high == pytest.approx(high)


def test_the_pass_decision_is_one_or_nought() -> None:
    with pytest.raises(ValueError, match="1, 0 or missing"):
        roc_curves(np.array([0, 2.0]), {"m": np.zeros(2)})


@given(ROWS)
def test_concordance_of_each_unit_by_brute_force(rows: list[tuple[int, int, int]]) -> None:
    x, y, _ = columns(rows)
    slow = (np.sign(x[:, None] - x) * np.sign(y[:, None] - y)).sum(axis=1)
    assert (unit_concordance(x, y) == slow).all()
    assert (unit_concordance(y, x) == slow).all()


def test_tau_of_many_units_has_an_interval_like_the_bootstrap() -> None:
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
    assert large.ci_low is not None and small.ci_low is not None
    assert large.ci_high is not None and small.ci_high is not None
    assert large.ci_low == pytest.approx(small.ci_low, abs=0.006)
    assert large.ci_high == pytest.approx(small.ci_high, abs=0.006)
    # Taking units for independent would give a shorter one.
    alone = kendall(human, metric, None, plan)
    assert alone.ci_low is not None and alone.ci_high is not None
    assert large.ci_high - large.ci_low > 1.1 * (alone.ci_high - alone.ci_low)


def test_within_originals_is_the_mean_of_their_coefficients() -> None:
    human, metric, codes = clustered()
    human[codes == 3] = 2  # People tell nothing apart there.
    rows = np.append(np.arange(60), [])
    metric[codes == 5] = [1, np.nan, np.nan, 2]  # Two units are no correlation.
    found = within_originals(human, {"m": metric}, codes, Bootstrap(100, 4))["m"]
    each: dict[str, list[float]] = {"pearson": [], "spearman": [], "kendall": []}
    gap = people = machine = 0.0
    for code in range(15):
        row = rows[(codes == code) & np.isfinite(metric)].astype(int)
        x, y = human[row], metric[row]
        sign = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
        gap += (sign[0] * sign[1]).sum()
        people, machine = people + np.abs(sign[0]).sum(), machine + np.abs(sign[1]).sum()
        if row.size < 3 or np.ptp(x) == 0:
            continue
        each["pearson"].append(stats.pearsonr(x, y).statistic)
        each["spearman"].append(stats.spearmanr(x, y).statistic)
        each["kendall"].append(stats.kendalltau(x, y).statistic)
    for name, values in each.items():
        assert found[name].value == pytest.approx(np.mean(values)), name
        assert found[name].n == len(values)
        assert found[name].ci_low is not None and found[name].ci_low < found[name].value
    assert found["kendall_pooled"].value == pytest.approx(gap / np.sqrt(people * machine))
    flat = within_originals(np.ones(60), {"m": metric}, codes)["m"]
    assert flat["pearson"].value is None and flat["kendall_pooled"].value is None
    empty = within_originals(human, {"m": np.full(60, np.nan)}, codes, Bootstrap(10))["m"]
    assert {one.value for one in empty.values()} == {None}


def test_accuracy_of_many_metrics_and_the_mean_over_originals() -> None:
    human, metric, codes = clustered()
    rough, gap = np.round(metric), np.where(np.arange(60) < 30, np.nan, metric)
    together = accuracies(human, {"m": metric, "rough": rough, "gap": gap}, codes)
    for name, column in (("m", metric), ("rough", rough), ("gap", gap)):
        assert together[name] == accuracies(human, {"x": column}, codes)["x"]
    shares = []
    for code in range(15):
        one = accuracies(human[codes == code], {"m": rough[codes == code]})["m"]
        if one.value is not None:
            shares.append(one.value)
    assert together["rough"].details["mean_over_originals"] == pytest.approx(np.mean(shares))
    assert together["rough"].details["originals"] == len(shares)


@settings(max_examples=60)
@given(ROWS, st.sampled_from([np.exp, np.cbrt, lambda v: 3 * v + 7]))
def test_rank_statistics_do_not_see_a_rising_transform(rows: list, transform: object) -> None:
    human, metric, codes = columns(rows)
    moved = transform(metric)  # type: ignore[operator]
    names = ["spearman", "kendall", "kendall_c"]
    first, second = (
        coefficients(human, {"m": one}, codes, names=names)["m"] for one in (metric, moved)
    )
    for name in names:
        assert first[name].value == pytest.approx(second[name].value)
    for one in (accuracies, roc):
        a, b = (one(human, {"m": m}, codes)["m"] for m in (metric, moved))
        assert a.value == pytest.approx(b.value)


def roc(human: FloatArray, metrics: dict[str, FloatArray], codes: IntArray) -> dict:
    found = roc_curves((human > 1).astype(float), metrics, codes)
    return {name: one.area for name, one in found.items()}


@settings(max_examples=60)
@given(ROWS)
def test_bounds_symmetry_and_constant_input(rows: list[tuple[int, int, int]]) -> None:
    human, metric, codes = columns(rows)
    found = coefficients(human, {"m": metric, "flat": np.full(human.size, 0.1)})
    for name, one in found["m"].items():
        assert found["flat"][name].value is None and found["flat"][name].reason
        if one.value is None:
            continue
        assert -1 - 1e-12 <= one.value <= 1 + 1e-12
        swapped = coefficients(metric, {"m": human}, names=[name])["m"][name]
        assert swapped.value == pytest.approx(one.value)
    assume(np.ptp(metric) > 0)
    tied = tie_accuracies(human, {"m": metric}, codes)["m"]
    if tied["acc_eq"].value is not None:
        assert 0 <= tied["acc_eq"].value <= tied["acc_eq_calibrated"].value <= 1


def test_mid_ranks() -> None:
    table = np.array([[3, 1.0], [1, 1], [3, 1], [2, 0]])
    expected = np.column_stack([stats.rankdata(column) for column in table.T])
    assert (mid_ranks(table) == expected).all()


def test_columns_with_different_gaps_are_each_as_alone() -> None:
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
