"""Metrics beside outcomes: by hand, beside pandas, and in simulations."""

import json

import numpy as np
import pytest
import scipy
from statsmodels.stats.multitest import multipletests

from scoring.extrinsic.experiment import Experiment, Outcomes
from scoring.extrinsic.report import (
    Scores,
    accuracy_rows,
    correlations,
    extrinsic_report,
    outcome_rows,
    partial_rank,
    read_scores,
    report_lines,
    with_length,
)
from scoring.stats.intervals import Bootstrap
from tests.scoring.extrinsic.reviews import labelled

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


# What an extrinsic evaluation tells.


P = {"original": [0.9, 0.8, 0.7, 0.6], "PG1": [0.4, 0.3, 0.2, 0.9]}
DATA = labelled(
    {"original": ["a b c", "a b", "a", "a b c d"], "PG1": ["x y z", "x y", "x", "x y z w"]},
    ["neg", "pos", "neg", "pos"],
)


def experiment(p=P):
    found = {
        ("nb", name): Outcomes(np.array(values) > 0.5, np.array(values))
        for name, values in p.items()
    }
    # Ids stand in another order than the rows, as in a test part.
    return Experiment(("t00003", "t00002", "t00001", "t00000"), found, found)


def report(*more, scores=None):
    seeds = range(1, 2 + len(more))
    return extrinsic_report(DATA, (0, 0, 4), seeds, [experiment(), *more], scores=scores)


def test_repeats_have_their_mean_and_spread():
    other = experiment({"original": [0.9, 0.8, 0.7, 0.1], "PG1": [0.1, 0.1, 0.1, 0.1]})
    found = report(other)
    assert found["repeats"]["nb"]["original"] == {
        "mean": 0.875,
        "sd": pytest.approx(np.std([1, 0.75], ddof=1)),
        "values": [1.0, 0.75],
    }
    assert found["accuracy"]["nb"]["original"]["value"] == 1
    assert "repeats" not in report()
    assert "nb, PG1: mean 0.125, standard deviation 0.177 over 2 seeds" in [*report_lines(found)]


def test_metrics_beside_outcomes():
    # By the order of the test part: its texts have 4, 1, 2 and 3 words.
    scores = Scores({"PG1": {"m": np.array([4.0, 1, 2, 3]), "flat": np.ones(4)}})
    found = report(scores=scores)["intrinsic"]
    [length, flat] = found["length"]
    assert (length["rho"], length["mostly_length"]) == (pytest.approx(1), True)
    assert (flat["rho"], flat["mostly_length"]) == (None, False)
    assert found["systems"][0] == {
        "metric": "m",
        "system": "PG1",
        "mean": 2.5,
        "accuracy": {"nb": 0.25},
    }
    lines = [*report_lines(report(scores=scores))]
    assert (
        "warning: m of PG1 is mostly length: its Spearman correlation with the number of words is "
        "1.000." in lines
    )
    assert "flat, PG1, nb, p_true: -  -  -  1.00" in lines
    assert "n = 1 systems: no inference about systems." in lines
    json.dumps(report(scores=scores), allow_nan=False)


def test_stars_are_those_of_one_test():
    p = np.linspace(0.1, 0.9, 4)
    found = experiment({"original": [0.9] * 4, "PG1": p.tolist()})
    near = Scores({"PG1": {"m": p + np.array([0, 0.01, 0, 0])}})
    lines = [*report_lines(extrinsic_report(DATA, (0, 0, 4), [1], [found], scores=near))]
    [line] = [line for line in lines if line.startswith("m, PG1, nb, p_true")]
    assert line.startswith("m, PG1, nb, p_true: 1.000** (Holm 0.000)  1.000** (Holm 0.000)")


def test_rows_of_files():
    assert [*accuracy_rows(experiment())][2][:3] == ["nb", "PG1", 0.25]
    rows = [*outcome_rows(experiment())]
    assert rows[0] == ["id", "system", "classifier", "correct", "p_true", "change"]
    assert rows[1] == ["t00003", "original", "nb", 1, 0.9, 0.0]
    assert rows[5] == ["t00003", "PG1", "nb", 0, 0.4, 0.4 - 0.9]
    assert len(rows) == 9


# Reading scores of paraphrases by the ids of texts.


@pytest.fixture
def path(tmp_path):
    return tmp_path / "scores.csv"


def test_scores_stand_in_the_order_of_the_ids(path):
    path.write_text("id,one,two,other\nb,2,,x\nz,9,9,x\na,1,-1,x\n")
    found, problems = read_scores(path, ["one", "two"], ["a", "b", "c"])
    assert problems == ()
    assert np.array_equal(found["one"], [1, 2, np.nan], equal_nan=True)
    assert np.array_equal(found["two"], [-1, np.nan, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,one\na,1\na,2\n", "3: column 'id': 'a' is already on line 2"),
        ("id,one\na,high\n", "2: column 'one': "),
        ("id,one\nx,1\n", "0: has none of the ids of the texts"),
        ("id,uno\na,1\n", "1: there is no column one"),
    ],
)
def test_what_is_a_problem(path, text, told):
    path.write_text(text)
    _, [problem] = read_scores(path, ["one"], ["a"])
    assert str(problem).startswith(f"{path}:{told}")
