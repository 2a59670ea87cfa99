"""The one shape every statistic of this package answers with."""

import pytest

from scoring.stats import Estimate


@pytest.mark.parametrize(
    "arguments",
    [
        {"value": None},
        {"value": 1.0, "reason": "both"},
        {"value": float("nan")},
        {"value": 1.0, "ci_low": 0.5},
        {"value": 1.0, "ci_low": 0.5, "ci_high": 1.0},
    ],
)
def test_estimates_check_themselves(arguments):
    with pytest.raises(ValueError):
        Estimate(**arguments)
