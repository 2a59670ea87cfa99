"""Intraclass correlations: how reliable one rating is, and the mean of the ratings collected."""

import pytest

from tests.scoring.stats.rated import NA, computed, statistics, undefined_names


def test_mixed_model_refuses_what_it_cannot_tell_apart():
    # Pitfall 8: two annotators who share one unit got .82 and 1.0 from a mixed model.
    found = statistics([[1, NA], [2, NA], [3, 4], [NA, 5], [NA, 2]])
    assert {f"icc_{t}_{k}" for t in "123" for k in "1k"} <= undefined_names(found)
    # Two unit per pair leave nothing over for noise once annotators are estimated in a ring.
    found = statistics([[1, 2, NA], [NA, 3, 5]])
    assert "too few shared ratings" in found["icc_2_1"].reason
    found = statistics([[1, 2, NA, NA], [4, 4, NA, NA], [NA, NA, 2, 3], [NA, NA, 5, 5]])
    assert "2 groups that share no unit" in found["icc_2_1"].reason
    assert found["icc_1_1"].value is not None


def test_incomplete_icc_equals_lme4():
    # R lme4 1.1.31, y ~ 1 + (1|item) + (1|rater), REML, all 41 ratings.
    found = computed("krippendorff_2011_C")
    for name, expected in (("icc_2_k", 0.945704009091), ("icc_3_k", 0.949824210112)):
        assert found[name].value == pytest.approx(expected, abs=1e-5)
