"""The JSON of `agreement`, made from tables."""

import numpy as np
import pytest

from scoring.stats import Bootstrap, agreement_statistics
from scoring.stats.agreement.coefficients import alpha
from tests.scoring.stats.rated import (
    CASES,
    FIVE,
    NA,
    WEIGHTS,
    computed,
    rated,
    rotating,
    statistics,
    undefined_names,
)

# Programs answer here, we do not: alpha of one unit is 0 whatever the ratings, and the mean of two
# upside-down annotators would have an ICC(2,k) of 10.
REFUSED = {
    ("degenerate_one_item", "alpha_nominal"),
    ("degenerate_one_item", "alpha_ordinal"),
    ("degenerate_one_item", "alpha_interval"),
    ("degenerate_reversed", "icc_2_k"),
}


@pytest.mark.parametrize("case_id", CASES)
def test_every_coefficient(case_id):
    case, found = CASES[case_id], computed(case_id)
    for name, (value, program, *_) in case["expected"].items():
        tolerance = 1e-5 if "lme4" in program or "R irrCAC" in program else 1e-9
        if value is None or (case_id, name) in REFUSED:
            assert found[name].value is None and found[name].reason, name
        else:
            assert found[name].value == pytest.approx(value, abs=tolerance), (name, program)
    pairs = {
        name: {f"{int(p['a']) + 1},{int(p['b']) + 1}": p["value"] for p in e.details["pairs"]}
        for name, e in found.items()
        if name in WEIGHTS.values()
    }
    for pair, kappas in case["pairs"].items():
        for weight, value in kappas.items():
            assert pairs[WEIGHTS[weight]].get(pair) == pytest.approx(value, abs=1e-9), pair


def test_a_bootstrap_of_alpha_resembles_an_independent_one():
    """20,000 replicates by an independent program; both have Monte Carlo error."""
    found = agreement_statistics(rated("sim_complete_200x3"), FIVE, plan=Bootstrap(8_000, 3))
    expected = {
        "alpha_nominal": (0.0995123993542, 0.218496535802),
        "alpha_ordinal": (0.439240954282, 0.598810966076),
        "alpha_interval": (0.451468156848, 0.613889690348),
    }
    for name, ends in expected.items():
        assert (found[name].ci_low, found[name].ci_high) == pytest.approx(ends, abs=0.004)
    # The formula for independent units stands beside it, and agrees with it.
    (second,) = found["alpha_interval"].details["also"]
    assert second["ci_low"] == pytest.approx(found["alpha_interval"].ci_low, abs=0.02)
    # New annotators go first where there is a formula for them; the bootstrap stands beside it.
    assert found["icc_2_1"].generalises_to == "new units, new annotators"
    assert found["icc_2_1"].details["also"][0]["generalises_to"] == "new units"


@pytest.mark.parametrize("annotators", [3, 4, 6])
def test_identical_annotators_agree_perfectly(annotators):
    found = agreement_statistics(rotating(np.random.default_rng(7), annotators, 0), FIVE)
    if annotators > 3:
        assert "0 of the units were rated by all" in found.pop("kendall_w").reason
    assert [one.value for one in found.values()] == pytest.approx([1.0] * len(found), abs=1e-9)
    assert all(pair["n"] > 0 for pair in found["cohen_kappa"].details["pairs"])


def test_intervals_are_seeded_hold_the_value_and_draw_clusters():
    table = rotating(np.random.default_rng(3), 5, 0.4)
    first, again, by_cluster, of_one_cluster = (
        agreement_statistics(table, FIVE, plan=Bootstrap(40, 5), clusters=clusters)
        for clusters in (None, None, np.arange(300) // 5, np.zeros(300, dtype=np.int64))
    )
    assert first == again
    assert first.pop("kendall_w").value is None
    for name, found in first.items():
        assert found.ci_low < found.value < found.ci_high, name
        if name.startswith("icc_2"):
            assert found.generalises_to == "new units, new annotators"
            (found,) = found.details["also"]
            assert found["generalises_to"] == "new units"
        else:
            assert found.generalises_to == "new units" and found.seed == 5
    assert by_cluster["alpha_ordinal"].generalises_to == "new clusters"
    found = of_one_cluster["alpha_ordinal"]
    assert found.ci_low is None
    assert found.options["no_interval"] == "8 clusters are needed for an interval; there is 1"


# Agreement coefficients of one scale: each takes a RatingTable and answers with an Estimate.


PAIRS = [name for name, case in CASES.items() if len(case["ratings"][0]) == 2]


@pytest.mark.parametrize("case", PAIRS)
def test_scotts_pi_of_two_annotators_is_fleiss_kappa(case):
    """Fleiss 1971, for any one table."""
    found = computed(case)
    assert found["scott_pi"].value in (None, pytest.approx(found["fleiss_kappa"].value, abs=1e-12))


def test_fleiss_kappa_of_incomplete_ratings_is_gwets():
    found = computed("krippendorff_2011_C")
    assert "Gwet" in found["fleiss_kappa"].method
    assert "classical" in computed("fleiss_1971_diagnoses")["fleiss_kappa"].method
    assert (found["kendall_w"].n, found["alpha_ordinal"].n) == (8, 11)  # Complete, pairable units.


def test_one_pairable_unit_has_no_alpha():
    # Pitfall 11: alpha would be 0 whatever the ratings.
    found = statistics([[2, 3, 3, 4], [NA, NA, NA, 1]])
    assert {"alpha_nominal", "alpha_ordinal", "alpha_interval"} <= undefined_names(found)
    assert found["percent_agreement"].value == pytest.approx(1 / 6)


def test_unused_levels_count_for_gwet():
    # Pitfall 2, with two units that use 1, 2, 4 and 5 (R irrCAC 1.4: .122 seen, .186 full scale).
    matrix = [[1, 2, 1], [4, 5, 5]]
    scale, seen = statistics(matrix), statistics(matrix, np.array([1.0, 2.0, 4.0, 5.0]))
    assert scale["gwet_ac1"].value == pytest.approx(0.186440677966, abs=1e-9)
    assert seen["gwet_ac1"].value == pytest.approx(0.121951219512, abs=1e-9)
    assert scale["gwet_ac2"].value == pytest.approx(0.870967741935, abs=1e-9)
    assert scale["alpha_ordinal"] == statistics(matrix, None)["alpha_ordinal"]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_by_sums_equals_the_package(level, monkeypatch):
    table = rated("krippendorff_2011_C")
    by_package = alpha(table, level).value
    monkeypatch.setattr("scoring.stats.agreement.coefficients.PACKAGE_CELLS", 0)
    assert alpha(table, level).value == pytest.approx(by_package, abs=1e-12)
