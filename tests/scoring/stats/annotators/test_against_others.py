"""Annotators against the others: independent formulas, other software, and small tables by hand."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS

from scoring.stats import RatingTable
from scoring.stats.annotators.own_judgments import annotator_statistics
from tests.scoring.stats.panels import NA, interval, items, others, own_rows, simulated
from tests.simulate import samples, show, slack


def test_agreement_and_correlation_with_the_rest():
    table = simulated(each=4)
    found = annotator_statistics(table)
    for who in range(table.n_annotators):
        rows = own_rows(table, who)
        exact = [np.mean(others(table, row) == table.value[row]) for row in rows]
        near = [np.mean(np.abs(others(table, row) - table.value[row]) <= 1) for row in rows]
        assert found["agreement"][who].value == pytest.approx(np.mean(exact))
        assert found["within_one"][who].value == pytest.approx(np.mean(near))
        rest = [others(table, row).mean() for row in rows]
        one = found["correlation"][who]
        assert one.value == pytest.approx(stats.pearsonr(table.value[rows], rest).statistic)
        assert one.n == len(rows) and one.generalises_to == "new units"
        low, high = interval(one)
        assert low < one.value < high


def test_within_one_point_of_a_fine_scale():
    table = RatingTable.from_dense([[0, 10, 10.1], [50, 40, 70]])
    found = annotator_statistics(table, point=10)["within_one"]
    assert [one.value for one in found] == pytest.approx([0.5, 0.75, 0.25])


def test_spread_by_hand():
    """a: 1, 3, 5 (variance 8/3); its rest: 2 2, 3 3, 4 4 (variance 2/3)."""
    found = annotator_statistics(RatingTable.from_dense([[1, 2, 2], [3, 3, 3], [5, 4, 4]]))
    one, other, _ = found["spread"]
    assert one.value == pytest.approx(2)
    assert one.details["own_sd"] == pytest.approx(np.sqrt(8 / 3))
    # b's rest: 1 2, 3 3, 5 4, with mean 3 and squares 4 + 1 + 0 + 0 + 4 + 1 over 6.
    assert other.value == pytest.approx(np.sqrt((2 / 3) / (10 / 6)))
    assert one.ci_low is None and "fewer than 5" in one.options["no_interval"]


@pytest.mark.slow
def test_errors_are_close_to_the_jackknife():
    """The jackknife over items needs no formula for the standard error."""
    table = simulated(seed=5, units=800, annotators=4, of_item=0.4)
    cluster = items(table)
    found = annotator_statistics(table, clusters=cluster)
    kept = [np.flatnonzero(cluster != one) for one in np.unique(cluster)]
    without = [annotator_statistics(table.take_units(units)) for units in kept]
    for name, change in (("correlation", np.arctanh), ("spread", np.log)):
        jackknife = np.std([change(one[name][0].value) for one in without]) * np.sqrt(199)
        low, high = change(interval(found[name][0]))
        error = (high - low) / 2 / stats.t.ppf(0.975, 199)
        assert error == pytest.approx(jackknife, rel=0.03), name


def test_trend_is_a_regression_with_clusters():
    table = simulated(units=200, of_item=0.5)
    rng = np.random.default_rng(8)
    order = rng.permutation(table.n_ratings).astype(float)
    found = annotator_statistics(table, clusters=items(table), order=order)["trend"]
    for who, one in enumerate(found):
        rows = own_rows(table, who)
        own = np.sort(order[table.annotator == who])
        x = np.searchsorted(own, order[rows]) / 100
        y = [table.value[row] - others(table, row).mean() for row in rows]
        design = np.column_stack([np.ones(x.size), x])
        groups = np.unique(items(table)[table.unit[rows]], return_inverse=True)[1]
        fitted = OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        assert one.value == pytest.approx(fitted.params[1])
        assert one.details["intercept"] == pytest.approx(fitted.params[0])
        assert interval(one) == pytest.approx(fitted.conf_int()[1].tolist())
        points = one.details["points"]
        assert sum(point[2] for point in points) == len(rows)
        assert sum(p[1] * p[2] for p in points) / len(rows) == pytest.approx(np.mean(y), abs=1e-4)


def test_an_unknown_order_gives_a_reason():
    table = RatingTable.from_dense(np.tile([2.0, 3, 4], (3, 50)).T)
    order = np.repeat(np.arange(150.0), 3)
    unknown = np.where(table.annotator == 0, NA, np.where(table.annotator == 1, 7, order))
    found = annotator_statistics(table, order=unknown)
    for name in ("trend", "equal_neighbours", "longest_run"):
        reasons = [one.reason for one in found[name]]
        assert reasons == ["undefined: the order of judging is not known"] * 2 + [""]


@pytest.mark.simulation
@pytest.mark.slow
def test_intervals_have_95_percent_coverage():
    """Annotators have item-specific deviations; the true value is that in a very long campaign."""
    names = ("severity", "agreement", "correlation", "trend", "spread")

    def of(seed, units):
        table = simulated(seed, units=units, annotators=5, of_item=0.5)
        order = np.random.default_rng(seed).random(table.n_ratings)
        found = annotator_statistics(table, clusters=items(table), order=order)
        return {name: found[name][0] for name in names}

    many = samples(1000)
    truth = {name: one.value for name, one in of(0, 200_000).items()} | {"trend": 0.0}
    held = dict.fromkeys(names, 0)
    for seed in range(1, many + 1):
        for name, one in of(seed, 240).items():
            low, high = interval(one)
            held[name] += int(low <= truth[name] <= high)
    show("annotators", many, **{name: held[name] / many for name in names})
    for name in names:
        assert held[name] / many == pytest.approx(0.95, abs=slack(0.95, many)), name
