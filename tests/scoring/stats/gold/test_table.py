"""Gold by method name, overriding sources, pass decisions, and comparison of methods."""

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats import RatingTable, Threshold
from scoring.stats.agreement.coefficients import ANONYMOUS
from scoring.stats.gold.compare import GoldMethod, Layer, gold_table
from scoring.stats.gold.latent import METHODS, dawid_skene_gold, mace_gold
from scoring.stats.gold.methods import mean_gold, median_gold, severity_gold
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
