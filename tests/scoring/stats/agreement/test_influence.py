"""Leave-one-annotator-out, intervals for new annotators, and the permutation test of chance."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import Bootstrap, RatingTable, agreement_report, agreement_statistics
from scoring.stats.agreement.catalogue import (
    OF_NAMES,
    coefficients,
    fit_of,
    fit_of_answer,
    fitting,
    leading,
    specific_agreement,
    unfit,
)
from scoring.stats.agreement.families import ScaleData
from scoring.stats.agreement.influence import (
    chance,
    influence,
    new_annotator_interval,
    shuffled,
    unit_variances,
)
from scoring.stats.resampling import Draws
from tests.scoring.stats.rated import rated

FIVE = np.arange(1.0, 6.0)


def crowd(seed=0, annotators=6, units=120, copies=1):
    """The last annotator answers at random. Each unit occurs `copies` times."""
    rng = np.random.default_rng(seed)
    values = rng.integers(1, 6, units)[:, None] + rng.normal(0, 0.8, (units, annotators))
    values = np.clip(np.round(values), 1, 5)
    values[:, -1] = rng.integers(1, 6, units)
    values[rng.random(values.shape) < 0.3] = np.nan
    return RatingTable.from_dense(np.repeat(values, copies, axis=0))


def test_leaving_out_equals_the_coefficient_of_the_others():
    dense = crowd().dense()
    found = influence(crowd(), "ordinal", FIVE)
    for row in found["annotators"]:
        who = int(row["annotator"])
        again = agreement_statistics(RatingTable.from_dense(np.delete(dense, who, axis=1)), FIVE)
        for name, value in row["values"].items():
            assert value == pytest.approx(again[name].value, abs=1e-6), name
            assert row["change"][name] == pytest.approx(found["values"][name] - value)
        assert row["n"] == np.isfinite(dense[:, who]).sum()
    careless = found["annotators"][0]
    assert careless["annotator"] == "5" and careless["change"]["alpha_ordinal"] < -0.05


def test_influence_needs_identities_and_three_annotators():
    table = crowd()
    assert "anonymous" in influence(replace(table, anonymous=True), "ordinal")["reason"]
    pair = RatingTable.from_dense(table.dense()[:, :2])
    assert "needs 3 annotators" in influence(pair, "ordinal")["reason"]
    assert influence(pair, "ordinal")["annotators"] == []


def test_influence_of_the_only_link_between_groups_is_undefined():
    rows = np.random.default_rng(1).integers(1, 6, (20, 3)).astype(float)
    rows[:10, 2] = rows[10:, 0] = np.nan
    found = influence(RatingTable.from_dense(rows), "ordinal", FIVE, plan=Bootstrap(50, 1))
    middle = next(row for row in found["annotators"] if row["annotator"] == "1")
    assert middle["values"]["alpha_ordinal"] is None and middle["change"]["icc_2_1"] is None
    assert found["new_annotators"]["alpha_ordinal"]["ci_low"] is None


@pytest.mark.slow
def test_copies_within_a_cluster_do_not_narrow_the_interval():
    """Every unit four times: by cluster the variance is that of one copy; by unit it shrinks."""
    once, table = (crowd(annotators=12, units=24, copies=copies) for copies in (1, 4))
    plan, names = Bootstrap(300, 1), ("alpha_ordinal",)

    def reach(of, clusters):
        draws = Draws.of(of, plan, clusters)
        return unit_variances(of, FIVE, names, draws)[names[0]][0]

    codes = np.repeat(np.arange(once.n_units), 4)
    assert reach(table, codes) == pytest.approx(reach(once, None), rel=0.25)
    assert reach(table, None) < 0.5 * reach(once, None)
    wide, narrow = (
        influence(table, "ordinal", FIVE, plan=plan, clusters=one)["new_annotators"][names[0]]
        for one in (codes, None)
    )
    assert wide["ci_low"] < narrow["ci_low"] - 0.005


def test_the_two_variances_are_added():
    """By hand: the jackknife of .4, .5, .6 is 2/3 x .02; with 31 units of variance 0 t has 2 df.
    On Fisher's z, .5493 at .5, an error is 1 / (1 - .25) times as large."""
    values = np.array([0.4, 0.5, 0.6])
    found = new_annotator_interval(0.5, values, (0.0, 31), Bootstrap(1), None)
    ends = new_annotator_interval(0.1, values, (9.0, 31), Bootstrap(1), None, lowest=0.0)
    assert ends["ci_low"] == 0.0 and ends["ci_high"] == pytest.approx(1.0, abs=0.01)
    reach = 4.302652729911275 * (2 / 3 * 0.02) ** 0.5  # t table: 4.303 for 2 degrees of freedom
    z = 0.5493061443340549
    assert found["ci_low"] == pytest.approx(math.tanh(z - reach / 0.75))
    assert found["ci_high"] == pytest.approx(math.tanh(z + reach / 0.75))
    # With as large a variance of 31 units: (2v)^2 / (v^2/2 + v^2/30) = 7.5 degrees of freedom.
    both = new_annotator_interval(0.5, values, (2 / 3 * 0.02, 31), Bootstrap(1), None)
    reach = 2.3337 * (4 / 3 * 0.02) ** 0.5
    assert both["ci_low"] == pytest.approx(math.tanh(z - reach / 0.75), abs=1e-3)
    perfect = new_annotator_interval(1.0, np.ones(3), (0.0, 31), Bootstrap(1), None)
    assert (perfect["ci_low"], perfect["ci_high"]) == (1.0, 1.0)


def test_a_permutation_preserves_design_and_marginals():
    table = crowd()
    other = shuffled(table, np.random.default_rng(3))
    assert (other.unit == table.unit).all() and (other.annotator == table.annotator).all()
    assert (other.value != table.value).any()
    ratings = [sorted(zip(one.annotator, one.value, strict=True)) for one in (table, other)]
    assert ratings[0] == ratings[1]


@pytest.mark.slow
def test_true_agreement_is_significant_and_chance_is_not():
    found = chance(crowd(), "ordinal", FIVE, permutations=199, seed=2)
    assert found["permutations"] == 199
    assert {test["p_value"] for test in found["tests"].values()} == {1 / 200}
    alpha = found["tests"]["alpha_ordinal"]
    expected = agreement_statistics(crowd(), FIVE)["alpha_ordinal"].value
    assert alpha["value"] == pytest.approx(expected)
    assert alpha["chance"] == pytest.approx(0, abs=0.05)
    noise = RatingTable.from_dense(np.random.default_rng(9).integers(1, 6, (60, 3)))
    tests = chance(noise, "ordinal", FIVE, permutations=199)["tests"]
    assert tests["alpha_ordinal"]["p_value"] > 0.05
    # Two annotators who each give a single value: permutations change nothing, so p is 1.
    severity = RatingTable.from_dense([[2, 4]] * 20)
    tests = chance(severity, "ordinal", FIVE, permutations=99)["tests"]
    assert {test["p_value"] for test in tests.values()} == {1.0}
    same = RatingTable.from_dense(np.full((10, 3), 4.0))
    assert "no variation" in chance(same, "ordinal", FIVE)["reason"]


# What leads for names, for two values and for ordered values.


RNG = np.random.default_rng(3)
OF_ORDER = {"within_one", "alpha_ordinal", "alpha_interval", "gwet_ac2", "kendall_w", "icc_2_k"}


def block(level, values):
    table = RatingTable.from_dense(RNG.integers(1, values + 1, (40, 3)).astype(float))
    levels = {"S": np.arange(1.0, values + 1)}
    return agreement_report({"S": table}, levels=levels, kinds={"S": level})["scales"]["S"]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "numeric"])
@pytest.mark.parametrize("values", [2, 3, 5])
def test_an_order_that_is_not_there_does_not_lead(level, values):
    found = block(level, values)
    fit = fit_of(level, values)
    assert found["answer"]["fit"] == fit
    assert fit == ("two values" if values == 2 else "names" if level == "nominal" else "ordered")
    assert found["answer"]["coefficient"] == found["leads"][0]
    assert set(found["leads"]).isdisjoint(found["unfit"])
    if fit == "ordered":
        assert {"within_one", "icc_2_k"} < set(found["leads"]) and not found["unfit"]
        assert "specific" not in found and found["answer"]["gold"] is not None
        return
    assert tuple(found["leads"]) == OF_NAMES
    assert OF_ORDER.isdisjoint(found["leads"])
    assert ("icc_2_k" in found["unfit"]) is (fit == "names")
    assert found["answer"]["gold"] is None and found["answer"]["bands"] is None
    assert list(found["specific"]) == [str(value + 1) for value in range(values)]
    # Every coefficient is still in the report, under the name that it has always had.
    assert set(coefficients()) <= set(found)


def test_decisions_lead_as_two_values_and_old_reports_as_they_did():
    assert leading(None) == OF_NAMES and "within_one" in unfit(None)
    old = {"coefficient": "alpha_ordinal", "icc": "icc_1_k"}
    assert fit_of_answer(old) == "ordered"
    assert leading(old)[:3] == ("alpha_ordinal", "icc_1_k", "icc_1_1")
    assert fit_of_answer({**old, "coefficient": "alpha_nominal"}) == "names"
    assert sorted(fitting(old)) == sorted(coefficients())


def test_single_annotators_are_left_out_of_what_leads():
    table = RatingTable.from_dense(RNG.integers(0, 2, (40, 3)).astype(float))
    assert influence(table, "ordinal")["names"] == [
        "percent_agreement",
        "alpha_nominal",
        "gwet_ac1",
    ]


# Agreement on each value by itself.


NA = float("nan")


def of(matrix, levels, **more):
    data = ScaleData(RatingTable.from_dense(matrix), np.array(levels))
    return specific_agreement(data, **more)


def test_fleiss_diagnoses():
    """Fleiss 1971, the kappa of each diagnosis: (agreement on it - its share) / (1 - its share)."""
    table = rated("fleiss_1971_diagnoses")
    found = of(table.dense(), [1, 2, 3, 4, 5]).values()
    share = np.bincount(table.value.astype(int))[1:] / table.n_ratings
    kappa = (np.array([one.value for one in found]) - share) / (1 - share)
    assert kappa.round(3).tolist() == [0.245, 0.245, 0.520, 0.471, 0.566]


@given(
    a=st.integers(0, 9),
    b=st.integers(0, 9),
    c=st.integers(0, 9),
    d=st.integers(0, 9),
    alone=st.integers(0, 3),
)
def test_two_annotators_have_positive_and_negative_agreement(a, b, c, d, alone):
    """2a / (2a + b + c) and 2d / (2d + b + c), Cicchetti and Feinstein 1990."""
    rows = [[1, 1]] * a + [[1, 0]] * b + [[0, 1]] * c + [[0, 0]] * d + [[1, NA]] * alone
    found = of(np.array(rows or [[NA, NA]], dtype=float), [0, 1])
    for name, both in (("1", a), ("0", d)):
        one = found[name]
        if both + b + c == 0:
            assert one.value is None and "undefined" in one.reason
        else:
            assert one.value == pytest.approx(2 * both / (2 * both + b + c))
            assert one.n == both + b + c


def test_intervals_draw_what_coefficients_draw():
    rng = np.random.default_rng(2)
    rows = (rng.random((60, 1)) < 0.5) ^ (rng.random((60, 3)) < 0.2)
    by_unit, by_cluster, few = (
        of(rows, [0, 1], plan=Bootstrap(200, 1), clusters=clusters)["1"]
        for clusters in (None, np.arange(60) // 6, np.arange(60) // 30)
    )
    for one, means in ((by_unit, "new units"), (by_cluster, "new clusters")):
        assert one.ci_low < one.value < one.ci_high and one.generalises_to == means
    assert few.ci_low is None and few.options["no_interval"]


def test_a_scale_of_very_many_values_has_none():
    assert of([[1.0, 2.0]], list(np.arange(100.0))) == {}
