"""What leads for names, for two values and for ordered values."""

import numpy as np
import pytest

from scoring.stats import RatingTable, agreement_report
from scoring.stats.agreement.catalogue import (
    OF_NAMES,
    coefficients,
    fit_of,
    fit_of_answer,
    fitting,
    leading,
    unfit,
)
from scoring.stats.agreement.influence import influence

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
