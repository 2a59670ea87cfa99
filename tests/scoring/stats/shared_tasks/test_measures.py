import numpy as np
import pytest

from scoring.stats import Bootstrap
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.pairwise import tie_accuracies
from scoring.stats.evaluation.system_level import system_level
from scoring.stats.shared_tasks.measures import OVER_SYSTEMS, Settings, SubmittedValues, measured
from scoring.stats.systems.values import SystemTexts
from tests.scoring.stats.shared_tasks.made import make_frozen
from tests.simulate import FULL, samples, show, slack
from tests.simulate.shared_tasks import over_systems, separated_over_systems

FROZEN = make_frozen(public_share=0.0, systems=5)
RNG = np.random.default_rng(6)
NEAR = FROZEN.gold + 0.2 * RNG.normal(size=len(FROZEN.ids))
SAID = {
    "oracle": SubmittedValues("score", FROZEN.gold),
    "near": SubmittedValues("score", NEAR),
    "reverse": SubmittedValues("score", -FROZEN.gold),
}


@pytest.mark.parametrize("measure", ["pairs", "acc_eq", "pearson", "spearman", *OVER_SYSTEMS])
def test_the_oracle_is_first_and_its_reverse_last(measure):
    rows = measured(FROZEN, SAID, Settings(measure, permutations=500))
    assert rows[-1]["submission"] == "reverse" and rows[-1]["rank_high"] == 3
    oracle = next(row for row in rows if row["submission"] == "oracle")
    assert oracle["value"] == pytest.approx(1) == rows[0]["value"]
    assert oracle["rank_low"] == 1


def test_the_values_are_those_of_the_correlation_pages():
    columns = FROZEN.gold, {"near": NEAR}
    plain = coefficients(*columns, FROZEN.original)["near"]
    systems = SystemTexts(*FROZEN.made, tuple(FROZEN.systems))
    level = system_level(*columns, systems, FROZEN.original)["near"].estimates
    expected = {
        "acc_eq": tie_accuracies(*columns, FROZEN.original)["near"]["acc_eq_calibrated"],
        "pearson": plain["pearson"],
        "spearman": plain["spearman"],
        "system_pearson": level["pearson"],
        "pairwise_accuracy": level["pairwise_accuracy"],
        "soft_pairwise_accuracy": level["soft_pairwise_accuracy"],
    }
    for measure, estimate in expected.items():
        rows = measured(FROZEN, SAID, Settings(measure, permutations=10, intervals=False))
        found = next(row["value"] for row in rows if row["submission"] == "near")
        # The permutations of soft accuracy draw originals in another order.
        reach = 0.02 if measure == "soft_pairwise_accuracy" else 1e-9
        assert found == pytest.approx(estimate.value, abs=reach), measure


def test_intervals_over_systems_are_those_of_the_correlation_pages():
    systems = SystemTexts(*FROZEN.made, tuple(FROZEN.systems))
    level = system_level(FROZEN.gold, {"near": NEAR}, systems, FROZEN.original, Bootstrap())
    pearson = level["near"].estimates["pearson"]
    rows = measured(FROZEN, SAID, Settings("system_pearson", permutations=10))
    found = next(row for row in rows if row["submission"] == "near")
    assert found["ci_low"] == pytest.approx(pearson.ci_low)
    assert found["ci_high"] == pytest.approx(pearson.ci_high)
    for measure in ("soft_pairwise_accuracy", "acc_eq"):
        rows = measured(FROZEN, SAID, Settings(measure, permutations=10))
        assert {row["ci_low"] for row in rows} == {None}, measure


@pytest.mark.parametrize(("originals", "apart"), [(14, False), (15, True)])
def test_over_systems_15_originals_are_needed_to_tell_submissions_apart(originals, apart):
    wrong = np.zeros((2, 8))
    wrong[1] = np.tile([3.0, -3.0], 4)
    rows = over_systems("system_pearson", originals, wrong, 0)
    assert (rows[0]["letters"] != rows[1]["letters"]) == apart


@pytest.mark.slow
@pytest.mark.simulation
@pytest.mark.parametrize("measure", OVER_SYSTEMS)
def test_equal_submissions_are_seldom_told_apart_over_systems(measure):
    """`python -m tests.simulate.shared_tasks` has 400 tasks of 15, 20 and 46 originals."""
    many = samples(400)
    level = separated_over_systems(measure, 15, many)
    show(f"{measure}, 15 originals", many, level=level)
    assert level <= 0.07 + (0 if FULL else slack(0.07, many))


def test_an_empty_part_or_board_has_no_rows():
    assert measured(FROZEN, SAID, Settings(part="public")) == []
    assert measured(FROZEN, {}, Settings()) == []
