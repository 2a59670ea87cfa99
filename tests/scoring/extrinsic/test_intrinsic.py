"""Metrics beside outcomes: by hand, beside pandas, and in simulations."""

import numpy as np
import pytest
import scipy
from statsmodels.stats.multitest import multipletests

from scoring.extrinsic.experiment import Outcomes
from scoring.extrinsic.report import correlations, partial_rank, with_length
from scoring.stats.intervals import Bootstrap

RNG = np.random.default_rng(7)


def outcomes(p):
    return Outcomes(p > 0.5, p)


def test_a_metric_that_is_the_probability_has_rho_1():
    p = RNG.uniform(size=50)
    tested = {("nb", "original"): outcomes(RNG.uniform(size=50)), ("nb", "PG1"): outcomes(p)}
    [correct, p_true, change] = correlations(
        tested,
        {"PG1": {"oracle": p}},
        {"PG1": RNG.uniform(size=50)},
        "original",
        Bootstrap(50, 1),
    )
    assert [cell["outcome"] for cell in (correct, p_true, change)] == [
        "correct",
        "p_true",
        "change",
    ]
    assert p_true["spearman"]["value"] == pytest.approx(1)
    assert p_true["pearson"]["value"] == pytest.approx(1)
    assert p_true["given_length"]["value"] == pytest.approx(1)
    assert 0.5 < correct["spearman"]["value"] < 0.95
    assert correct["spearman"]["ci_low"] < correct["spearman"]["value"]
    assert change["pearson"]["value"] < 0.95


def test_a_metric_that_is_only_length_is_0_with_length_held_fixed():
    """Outcome and metric have nothing in common but the length."""
    n = 100_000
    words = np.exp(RNG.normal(5, 0.6, n))
    p = 1 / (1 + np.exp(-(np.log(words) - 5 + 0.6 * RNG.normal(size=n))))
    metric = -np.log(words) + 0.1 * RNG.normal(size=n)
    rho = scipy.stats.spearmanr(metric, p).statistic
    assert rho < -0.4
    found = partial_rank(metric, p, np.log(words))
    assert abs(found["value"]) < 0.01
    assert found == partial_rank(metric, p, words)


def test_the_partial_correlation_is_that_of_residuals_of_ranks():
    x, y, z = RNG.normal(size=(3, 40)) + RNG.normal(size=40)
    rx, ry, rz = (scipy.stats.rankdata(one) for one in (x, y, z))
    left = [one - np.polyval(np.polyfit(rz, one, 1), rz) for one in (rx, ry)]
    found = partial_rank(x, y, z)
    assert found["value"] == pytest.approx(np.corrcoef(*left)[0, 1])
    t = found["value"] * np.sqrt(37 / (1 - found["value"] ** 2))
    assert found["p_value"] == pytest.approx(2 * scipy.stats.t.sf(abs(t), 37))
    assert found["n"] == 40
    holes = np.where(np.arange(50) < 40, np.append(x, np.zeros(10)), np.nan)
    more = partial_rank(holes, np.append(y, np.zeros(10)), np.append(z, np.ones(10)))
    assert more == pytest.approx(found)


@pytest.mark.parametrize(
    ("x", "y", "z"),
    [
        ([1, 2, 3], [1, 2, 3], [3, 1, 2]),
        ([1, 1, 1, 1], [1, 2, 3, 4], [2, 1, 4, 3]),
        ([1, 2, 3, 4], [2, 1, 4, 3], [10, 20, 30, 40]),
    ],
)
def test_where_the_partial_correlation_is_undefined(x, y, z):
    found = partial_rank(*(np.array(one, dtype=float) for one in (x, y, z)))
    assert (found["value"], found["p_value"]) == (None, None)


def test_holm_over_the_cells_of_a_metric_and_an_outcome():
    systems = ("original", "PG1", "PG2")
    tested = {
        (name, system): outcomes(RNG.uniform(size=30))
        for name in ("nb", "svm")
        for system in systems
    }
    columns = {
        system: {"m": RNG.normal(size=30), "k": RNG.normal(size=30)} for system in ("PG1", "PG2")
    }
    columns["PG2"]["m"][:15] = np.nan
    lengths = {system: RNG.normal(size=30) for system in systems}
    cells = correlations(tested, columns, lengths, "original")
    assert len(cells) == 2 * 2 * 2 * 3
    mine = [cell for cell in cells if (cell["metric"], cell["outcome"]) == ("m", "p_true")]
    for name in ("pearson", "spearman"):
        adjusted = multipletests([cell[name]["p_value"] for cell in mine], method="holm")[1]
        assert [cell[f"{name}_holm"] for cell in mine] == pytest.approx(adjusted)
    assert [cell["coverage"] for cell in mine] == [1, 0.5, 1, 0.5]
    assert [cell["spearman"]["n"] for cell in mine] == [30, 15, 30, 15]


def test_a_metric_that_is_mostly_length_is_told():
    words = np.arange(40.0)
    found = with_length(
        {"PG1": {"long": -words, "free": np.tile([1.0, 2.0], 20), "none": np.full(40, np.nan)}},
        {"PG1": words},
    )
    assert [(row["metric"], row["mostly_length"]) for row in found] == [
        ("long", True),
        ("free", False),
        ("none", False),
    ]
    assert found[0]["rho"] == pytest.approx(-1)
    assert found[2]["rho"] is None
