"""Rows of coefficients: what fits the values of a scale leads, and what does not is named."""

import json

import numpy as np
import pytest

from scoring.agreement.words import coefficient_rows, decision_rows, not_shown
from scoring.stats import RatingTable, agreement_report
from scoring.stats.resampling import Threshold


def report(values):
    rng = np.random.default_rng(5)
    table = RatingTable.from_dense(rng.integers(1, values + 1, (30, 3)).astype(float))
    found = agreement_report(
        {"S": table},
        levels={"S": np.arange(1.0, values + 1)},
        kinds={"S": "nominal"},
        thresholds={"S": Threshold(2)},
    )
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("values", [2, 4])
def test_names_lead_with_what_fits_and_agreement_on_each_value(values):
    found = report(values)["scales"]["S"]
    rows = coefficient_rows(found, {"1": "yes"})
    first = [row["key"] for row in rows if row["first"]]
    assert first[:2] == ["alpha_nominal", "percent_agreement"]
    assert first[4:] == [f"specific_{value + 1}" for value in range(values)]
    assert [row["label"] for row in rows if row["key"].startswith("specific_")][:2] == [
        "Agreement on 1 (yes)",
        "Agreement on 2",
    ]
    shown = {row["key"] for row in rows}
    assert "within_one" not in shown and ("icc_2_k" in shown) is (values == 2)
    said = not_shown(found)
    assert "Within one point" in said and ("ICC(2,k)" in said) is (values != 2)
    assert ("neither order nor distance" in said) is (values != 2)


def test_decisions_have_positive_and_negative_agreement_and_older_reports_what_they_have():
    found = report(2)
    rows = decision_rows(found["passes"]["S"])
    assert [row["label"] for row in rows if row["first"]][4:] == [
        "Negative agreement",
        "Positive agreement",
    ]
    for block in (found["scales"]["S"], found["passes"]["S"]):
        for name in ("leads", "unfit", "specific"):
            del block[name]
    del found["scales"]["S"]["answer"]["fit"]
    rows = coefficient_rows(found["scales"]["S"], {})
    assert rows[0]["key"] == "alpha_nominal" and not_shown(found["scales"]["S"])
    del found["scales"]["S"]["answer"]
    assert not_shown(found["scales"]["S"]) == ""
    assert decision_rows(found["passes"]["S"])
