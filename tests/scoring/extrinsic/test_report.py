"""What an extrinsic evaluation tells."""

import json

import numpy as np
import pytest

from scoring.extrinsic.experiment import Experiment, Outcomes
from scoring.extrinsic.report import (
    Scores,
    accuracy_rows,
    extrinsic_report,
    outcome_rows,
    report_lines,
)
from tests.scoring.extrinsic.reviews import labelled

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
