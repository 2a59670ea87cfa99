"""Gold by name of the method, other sources on top, passes, and methods side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scoring.stats import RatingTable, Threshold
from scoring.stats.agreement import ANONYMOUS
from scoring.stats.gold_compare import distribution, gold_report, hanging, summary
from scoring.stats.gold_methods import mean_gold, median_gold
from scoring.stats.gold_table import METHODS, GoldMethod, Layer, gold_table
from scoring.stats.gold_values import ADJUDICATED, IMPORTED
from scoring.stats.latent_gold import dawid_skene_gold, mace_gold
from scoring.stats.passes import pass_table
from scoring.stats.severity import severity_gold

NA = float("nan")
LIMITS = {"M": Threshold(3), "G": Threshold(4)}


def simulated(seed: int = 1, units: int = 30, annotators: int = 5) -> dict[str, RatingTable]:
    """Ratings of two scales with gaps, by annotators of different harshness."""
    rng = np.random.default_rng(seed)
    tables = {}
    for name in ("M", "G"):
        quality = rng.normal(3.4, 1.2, (units, 1))
        ratings = quality + np.linspace(-0.7, 0.7, annotators) + rng.normal(0, 0.7, (units, 5))
        matrix = np.clip(np.rint(ratings), 1, 5)
        matrix[rng.random(matrix.shape) < 0.2] = NA
        tables[name] = RatingTable.from_dense(matrix)
    return tables


@pytest.mark.parametrize("text", [*METHODS, "adjudicated", "adjudicated-mace"])
def test_methods_by_name(text: str) -> None:
    method = GoldMethod.parse(text)
    assert method.text == text
    assert method.adjudicated == text.startswith("adjudicated")


@pytest.mark.parametrize("text", ["", "Mean", "best", "adjudicated-adjudicated"])
def test_unknown_methods_are_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(ValueError, match="mean, median, majority"):
        GoldMethod.parse(text)


def test_z_scores_and_adjudicated_values_do_not_mix() -> None:
    with pytest.raises(ValueError, match="not both"):
        GoldMethod.parse("adjudicated-z")


def test_values_are_those_of_the_single_methods() -> None:
    tables = simulated()
    for name, single in (("mean", mean_gold), ("median", median_gold), ("severity", severity_gold)):
        found = gold_table(name, tables, LIMITS)
        np.testing.assert_array_equal(found.columns["G"].value, single(tables["G"]).value)
        values = [found.columns[scale].value for scale in ("M", "G")]
        expected = (values[0] >= 3 - 1e-9) & (values[1] >= 4 - 1e-9)
        known = ~np.isnan(values).any(axis=0)
        np.testing.assert_array_equal(found.passes.value[known], expected[known])
        assert np.isnan(found.passes.value[~known]).all()


@pytest.mark.parametrize(
    ("name", "single"), [("dawid-skene", dawid_skene_gold), ("mace", mace_gold)]
)
def test_decisions_are_those_of_the_annotators_own(name: str, single: object) -> None:
    tables = simulated()
    found = gold_table(name, tables, LIMITS)
    expected = single(pass_table(tables, LIMITS)).gold  # type: ignore[operator]
    np.testing.assert_array_equal(found.passes.value, expected.value)
    np.testing.assert_array_equal(found.passes.confidence, expected.confidence)
    assert not found.columns["M"].defined.any()
    assert "gives no value on a scale" in found.columns["M"].rows()[0].reason
    without = gold_table(name, tables, {})
    assert "no scale has a threshold" in without.passes.rows()[0].reason


def test_adjudicated_first_then_judged_then_imported() -> None:
    tables = {
        "M": RatingTable.from_dense([[1, 3], [5, 5], [NA, NA], [NA, NA]]),
        "G": RatingTable.from_dense([[5, 5], [5, 5], [NA, NA], [NA, NA]]),
    }
    none, zero = np.full(4, NA), np.zeros(4, dtype=np.int64)
    first = Layer(ADJUDICATED, {"M": (np.array([4, NA, NA, NA]), zero, none)})
    rest = {name: (np.array([1, 1, 4.5, NA]), zero + 9, none) for name in "MG"}
    found = gold_table("mean", tables, LIMITS, [first, Layer(IMPORTED, rest, only_missing=True)])
    rows = found.columns["M"].rows()
    assert [(row.value, row.source) for row in rows] == [
        (4, "adjudicated"), (5, "judged"), (4.5, "imported"), (None, "judged"),
    ]  # fmt: skip
    assert [row.value for row in found.passes.rows()] == [1, 1, 1, None]
    plain = gold_table("mean", tables, LIMITS)
    assert [row.value for row in plain.passes.rows()] == [0, 1, None, None]
    # z-scores are on no scale: nothing stands beside them, and no threshold applies.
    z = gold_table("z", tables, LIMITS, [first])
    assert "adjudicated" not in z.columns["M"].sources
    assert "thresholds do not apply" in z.passes.rows()[0].reason


def test_a_layer_decides_where_it_has_every_thresholded_scale() -> None:
    tables = simulated()
    n_units = tables["M"].n_units
    value = np.full(n_units, NA)
    base = gold_table("dawid-skene", tables, LIMITS).passes.value
    unit = int(np.flatnonzero(base == 1)[0])
    value[unit] = 1.0
    blank = np.zeros(n_units, dtype=np.int64), np.full(n_units, NA)
    one = gold_table("dawid-skene", tables, LIMITS, [Layer(ADJUDICATED, {"M": (value, *blank)})])
    assert one.passes.value[unit] == 1  # GRAMMAR was not adjudicated
    both = Layer(ADJUDICATED, {"M": (value, *blank), "G": (value, *blank)})
    two = gold_table("dawid-skene", tables, LIMITS, [both]).passes.rows()[unit]
    assert (two.value, two.source, two.confidence) == (0, "adjudicated", None)


@pytest.mark.parametrize("method", METHODS)
def test_anonymous_voices_get_the_reason_where_identities_are_needed(method: str) -> None:
    tables = {name: replace(table, anonymous=True) for name, table in simulated().items()}
    found = gold_table(method, tables, LIMITS)
    if method in ("z", "severity"):
        assert {row.reason for row in found.columns["M"].rows()} >= {ANONYMOUS}
    elif method in ("dawid-skene", "mace"):
        assert {row.reason for row in found.passes.rows() if row.n} == {ANONYMOUS}
    else:
        assert found.columns["M"].defined.any()


@pytest.mark.parametrize("method", METHODS)
def test_no_ratings_no_gold(method: str) -> None:
    empty = RatingTable.from_dense(np.full((3, 2), NA))
    found = gold_table(method, {"M": empty}, {"M": Threshold(3)})
    assert not found.columns["M"].defined.any() and not found.passes.defined.any()
    assert all(row.reason for row in found.passes.rows())
    with pytest.raises(ValueError, match="no ratings on the scale X"):
        gold_table(method, {"M": empty}, {"X": Threshold(1)})


def test_report_compares_methods_as_scipy_does() -> None:
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


def test_a_constant_method_has_no_correlation() -> None:
    same = RatingTable.from_dense([[3, 3], [3, 3], [3, 3]])
    for row in gold_report({"M": same}, {})["comparison"]["columns"]["M"]:
        assert row["pearson"] is None and "same value" in row["reason"]
    few = RatingTable.from_dense([[3, 4], [1, 2]])
    assert "three" in gold_report({"M": few}, {})["comparison"]["columns"]["M"][0]["reason"]


def test_summary_of_a_method() -> None:
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
def test_distribution_counts_every_value(values: list[float]) -> None:
    found = distribution(np.array(values))
    assert sum(found.values()) == len(values) and len(found) <= 20


def test_decisions_on_a_thread_by_hand() -> None:
    #                                  3: straddles; flips without the 5 | far off | alone
    table = RatingTable.from_dense([[5, 2, 2], [5, 5, 4], [NA, 4, NA]])
    found = hanging(table, Threshold(3))
    assert (found["decisions"], found["passing"], found["flipping"], found["alone"]) == (3, 3, 1, 1)
    first = found["listed"][0]
    assert (first["unit"], first["value"], first["flips"], first["passes"]) == ("0", 3, 1, True)
    assert first["low"] < 3 < first["high"]
    assert [(one["flips"], one["lost"]) for one in found["annotators"]] == [(1, 0), (0, 1), (0, 0)]
    nobody = hanging(replace(table, anonymous=True), Threshold(3))
    assert (nobody["annotators"], nobody["reason"]) == (None, ANONYMOUS)
