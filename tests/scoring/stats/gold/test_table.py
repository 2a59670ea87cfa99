"""Gold by method name, overriding sources, pass decisions, and comparison of methods."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.api import OLS

from scoring.stats import RatingTable, Threshold
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.compare import (
    GoldMethod,
    Layer,
    borderline,
    distribution,
    gold_report,
    gold_table,
    summary,
)
from scoring.stats.gold.latent import METHODS, dawid_skene_gold, mace_gold
from scoring.stats.gold.methods import (
    connected_groups,
    mean_gold,
    median_gold,
    severity,
    severity_gold,
)
from scoring.stats.gold.values import ADJUDICATED, IMPORTED
from scoring.stats.resampling import pass_table
from tests.scoring.stats.gold.scales import LIMITS, NA, simulated


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "mean, median, majority") for text in ("", "Mean", "adjudicated-adjudicated")),
        ("adjudicated-z", "not both"),
    ],
)
def test_an_unknown_method_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        GoldMethod.parse(text)


def test_values_are_those_of_the_single_methods():
    tables = simulated()
    for name, single in (("mean", mean_gold), ("median", median_gold), ("severity", severity_gold)):
        found = gold_table(name, tables, LIMITS)
        np.testing.assert_array_equal(found.columns["G"].value, single(tables["G"]).value)
        meaning, grammar = (found.columns[scale].value for scale in "MG")
        expected = (meaning >= 3 - 1e-9) & (grammar >= 4 - 1e-9)
        expected = np.where(np.isnan(meaning + grammar), NA, expected)
        np.testing.assert_array_equal(found.passes.value, expected)


@pytest.mark.parametrize(
    ("name", "single"), [("dawid-skene", dawid_skene_gold), ("mace", mace_gold)]
)
def test_latent_methods_use_the_annotators_own_decisions(name, single):
    tables = simulated()
    found = gold_table(name, tables, LIMITS)
    expected = single(pass_table(tables, LIMITS)).gold
    np.testing.assert_array_equal(found.passes.value, expected.value)
    np.testing.assert_array_equal(found.passes.confidence, expected.confidence)
    assert not found.columns["M"].defined.any()
    assert "gives no value on a scale" in found.columns["M"].rows()[0].reason
    without = gold_table(name, tables, {})
    assert "no scale has a threshold" in without.passes.rows()[0].reason


def adjudicated(units, unit, value, scales):
    """One unit has this value by adjudication."""
    values = np.full(units, NA)
    values[unit] = value
    column = values, np.zeros(units, dtype=np.int64), np.full(units, NA)
    return Layer(ADJUDICATED, dict.fromkeys(scales, column))


def test_adjudicated_first_then_judged_then_imported():
    tables = {
        "M": RatingTable.from_dense([[1, 3], [5, 5], [NA, NA], [NA, NA]]),
        "G": RatingTable.from_dense([[5, 5], [5, 5], [NA, NA], [NA, NA]]),
    }
    first = adjudicated(4, 0, 4, "M")
    rest = dict.fromkeys("MG", (np.array([1, 1, 4.5, NA]), np.full(4, 9), np.full(4, NA)))
    found = gold_table("mean", tables, LIMITS, [first, Layer(IMPORTED, rest, only_missing=True)])
    rows = found.columns["M"].rows()
    assert [(row.value, row.source) for row in rows] == [
        (4, "adjudicated"),
        (5, "judged"),
        (4.5, "imported"),
        (None, "judged"),
    ]
    assert [row.value for row in found.passes.rows()] == [1, 1, 1, None]
    plain = gold_table("mean", tables, LIMITS)
    assert [row.value for row in plain.passes.rows()] == [0, 1, None, None]
    # z-scores are on no scale: nothing stands beside them, and no threshold applies.
    z = gold_table("z", tables, LIMITS, [first])
    assert "adjudicated" not in z.columns["M"].sources
    assert "thresholds do not apply" in z.passes.rows()[0].reason


def test_a_layer_decides_where_it_has_every_thresholded_scale():
    tables = simulated()
    base = gold_table("dawid-skene", tables, LIMITS).passes.value
    unit = int(np.flatnonzero(base == 1)[0])
    # GRAMMAR was not adjudicated; both were.
    one, two = (
        gold_table("dawid-skene", tables, LIMITS, [adjudicated(30, unit, 1, scales)]).passes.rows()[
            unit
        ]
        for scales in ("M", "MG")
    )
    assert one.value == 1
    assert (two.value, two.source, two.confidence) == (0, "adjudicated", None)


@pytest.mark.parametrize("method", METHODS)
def test_anonymous_annotators_get_the_reason_where_identities_are_needed(method):
    tables = {name: replace(table, anonymous=True) for name, table in simulated().items()}
    found = gold_table(method, tables, LIMITS)
    if method in ("z", "severity"):
        assert {row.reason for row in found.columns["M"].rows()} >= {ANONYMOUS}
    elif method in ("dawid-skene", "mace"):
        assert {row.reason for row in found.passes.rows() if row.n} == {ANONYMOUS}
    else:
        assert found.columns["M"].defined.any()


@pytest.mark.parametrize("method", METHODS)
def test_no_ratings_no_gold(method):
    empty = RatingTable.from_dense(np.full((3, 2), NA))
    found = gold_table(method, {"M": empty}, {"M": Threshold(3)})
    assert not found.columns["M"].defined.any() and not found.passes.defined.any()
    assert all(row.reason for row in found.passes.rows())
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        gold_table(method, {"M": empty}, {"X": Threshold(1)})


@pytest.mark.parametrize(
    ("name", "single"), [("dawid-skene", dawid_skene_gold), ("mace", mace_gold)]
)
def test_latent_methods_give_the_values_of_names(name, single):
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 4, 60)
    right = rng.random((60, 4)) < np.array([0.9, 0.8, 0.6, 0.7])
    table = RatingTable.from_dense(np.where(right, truth[:, None], rng.integers(1, 4, (60, 4))))
    alone = single(table).gold
    found = gold_table(name, {"KIND": table}, {}, nominal=["KIND"])
    kind = found.columns["KIND"]
    np.testing.assert_array_equal(kind.value, alone.value)
    assert kind.posterior_of == (1, 2, 3)
    np.testing.assert_allclose(kind.posterior.sum(axis=1), 1)
    np.testing.assert_allclose(kind.posterior.max(axis=1), kind.confidence)
    assert (kind.value == truth).mean() > 0.8
    assert not found.passes.defined.any()
    # Adjudicated names stand first, and have no probability.
    layers = [adjudicated(60, 7, 2, ["KIND"])]
    first = gold_table(name, {"KIND": table}, {}, layers, nominal=["KIND"]).columns["KIND"]
    assert (first.value[7], first.rows()[7].source) == (2, ADJUDICATED)
    assert np.isnan(first.posterior[7]).all()
    # An order is not ignored: other scales have no value.
    assert not gold_table(name, {"KIND": table}, {}).columns["KIND"].defined.any()


# Methods of gold side by side: what each makes of the same ratings, and where they part.


def test_report_compares_methods_as_scipy_does():
    tables = simulated()
    found = gold_report(tables, LIMITS)
    assert list(found["methods"]) == list(METHODS)
    made = {name: gold_table(name, tables, LIMITS) for name in METHODS}
    for row in found["comparison"]["columns"]["M"]:
        x, y = (made[row[side]].columns["M"].value for side in ("a", "b"))
        both = ~np.isnan(x + y)
        assert row["n"] == both.sum()
        assert row["pearson"] == pytest.approx(stats.pearsonr(x[both], y[both])[0])
        expected = stats.spearmanr(x[both].round(9), y[both].round(9))[0]
        assert row["spearman"] == pytest.approx(expected)
    for row in found["comparison"]["passes"]:
        x, y = (made[row[side]].passes.value for side in ("a", "b"))
        both = ~np.isnan(x + y)
        assert (row["n"], row["differ"]) == (both.sum(), (x[both] != y[both]).sum())
    compared = {(row["a"], row["b"]) for row in found["comparison"]["passes"]}
    assert ("dawid-skene", "mace") in compared
    assert not any("z" in pair for pair in compared)


def test_a_constant_method_has_no_correlation():
    same = RatingTable.from_dense([[3, 3], [3, 3], [3, 3]])
    for row in gold_report({"M": same}, {})["comparison"]["columns"]["M"]:
        assert row["pearson"] is None and "same value" in row["reason"]
    few = RatingTable.from_dense([[3, 4], [1, 2]])
    assert "three" in gold_report({"M": few}, {})["comparison"]["columns"]["M"][0]["reason"]


def test_summary_of_a_method():
    tables = simulated()
    values = gold_table("majority", tables, LIMITS).columns["M"]
    found = summary(values)
    known = values.value[values.defined]
    assert found["n"] == known.size
    assert found["quartiles"] == pytest.approx(np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist())
    assert found["confidence"] == pytest.approx(np.nanmean(values.confidence))
    assert sum(found["distribution"].values()) == known.size
    nothing = summary(gold_table("mace", tables, LIMITS).columns["M"])
    assert (nothing["n"], nothing["mean"], nothing["quartiles"]) == (0, None, None)
    assert nothing["reason"]


@given(st.lists(st.floats(-5, 100).map(lambda v: round(v, 3)), max_size=60))
def test_distribution_counts_every_value(values):
    found = distribution(np.array(values))
    assert sum(found.values()) == len(values) and len(found) <= 20


def test_decisions_on_a_thread_by_hand():
    #                                  3: straddles; flips without the 5 | far off | alone
    table = RatingTable.from_dense([[5, 2, 2], [5, 5, 4], [NA, 4, NA]])
    found = borderline(table, Threshold(3))
    assert (found["decisions"], found["passing"], found["flipping"], found["alone"]) == (3, 3, 1, 1)
    first = found["listed"][0]
    assert (first["unit"], first["value"], first["flips"], first["passes"]) == ("0", 3, 1, True)
    assert first["low"] < 3 < first["high"]
    assert [(one["flips"], one["lost"]) for one in found["annotators"]] == [(1, 0), (0, 1), (0, 0)]
    nobody = borderline(replace(table, anonymous=True), Threshold(3))
    assert (nobody["annotators"], nobody["reason"]) == (None, ANONYMOUS)


# Gold of decisions by Dawid-Skene and by MACE.


def test_a_class_that_an_annotator_never_met_has_no_error_rate():
    # Annotator 3 saw two units only, which all agree on.
    matrix = [[1, 1, 1, 1]] * 2 + [[0, 0, 0, NA]] * 4
    found = dawid_skene_gold(RatingTable.from_dense(matrix))
    assert np.isnan(found.model.confusion[3, 0]).all()
    assert found.gold.value.tolist() == [1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("method", [dawid_skene_gold, mace_gold])
@pytest.mark.parametrize(
    ("matrix", "anonymous", "reason"),
    [
        ([[1, 0], [0, 0]], False, "needs 3 annotators"),
        ([[1, NA, NA], [NA, 0, NA], [NA, NA, 1]], False, "no unit has two"),
        ([[1, 1, 1], [1, NA, 1]], False, "all decisions are the same"),
        ([[1, 0, 1]], True, ANONYMOUS),
    ],
)
def test_decisions_that_teach_nothing_give_a_reason(method, matrix, anonymous, reason):
    found = method(replace(RatingTable.from_dense(matrix), anonymous=anonymous))
    assert found.model is None and not found.gold.defined.any()
    assert reason in found.gold.rows()[0].reason


def test_equally_probable_decisions_are_no_decision():
    pairs = [[1, 0, NA], [0, 1, NA], [NA, 1, 0], [NA, 0, 1], [1, NA, 0], [0, NA, 1]]
    table = RatingTable.from_dense(pairs)
    found = mace_gold(table, restarts=0)
    assert {row.value for row in found.gold.rows()} == {None}
    assert "equally probable" in found.gold.rows()[0].reason


# Severity of annotators: the additive two-way model rating = unit + annotator + noise.


def test_severity_equals_least_squares_on_dummies():
    """statsmodels; the effects add up to 0: the last annotator has minus those of the others."""
    rng = np.random.default_rng(1)
    matrix = rng.normal(3, 1, (25, 1)) + rng.normal(0, 1, 5) + rng.normal(0, 0.5, (25, 5))
    matrix[rng.random(matrix.shape) < 0.4] = NA
    table = RatingTable.from_dense(matrix)
    assert table.rated_units.size == 25
    design = np.hstack(
        [np.eye(25)[table.unit], np.vstack([np.eye(4), -np.ones(4)])[table.annotator]]
    )
    fitted, found = OLS(table.value, design).fit(), severity(table)
    np.testing.assert_allclose([*found.unit_value, *found.effect[:4]], fitted.params)
    np.testing.assert_allclose([*found.unit_error, *found.error[:4]], fitted.bse)
    assert found.effect.sum() == pytest.approx(0)


def test_severity_is_not_fooled_by_who_saw_the_harder_texts():
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


def test_severity_refuses_what_it_cannot_tell_apart():
    parted = RatingTable.from_dense([[1, 2, NA, NA], [NA, NA, 4, 5], [NA, NA, 3, 5]])
    assert connected_groups(parted) == 2
    assert "2 groups that share no unit" in severity(parted).reason
    assert {row.value for row in severity_gold(parted).rows()} == {None}
    assert "two annotators" in severity(RatingTable.from_dense([[1], [2]])).reason
    assert severity(replace(parted, anonymous=True)).reason == ANONYMOUS
