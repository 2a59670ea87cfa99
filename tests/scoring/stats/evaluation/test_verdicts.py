"""May a metric be used in place of people? By the interval of its share of one more person."""

from functools import cache

import numpy as np
import pytest

from scoring.stats import Bootstrap
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.correlation import coefficients
from scoring.stats.evaluation.report import against_ceiling
from scoring.stats.evaluation.system_level import other_first
from scoring.stats.evaluation.verdicts import AS_A_PERSON, COMPARES, metric_verdict
from scoring.stats.intervals import lacking
from scoring.stats.systems.values import SystemTexts
from scoring.stats.table import PHRASES
from tests.scoring.stats.studies import Study
from tests.simulate import FULL, samples, show, slack


def report(share, person=(0.9, 0.8, 0.95), own=(0.5, 0.4, 0.6)):
    def estimate(of):
        return dict(zip(("value", "ci_low", "ci_high"), of, strict=True))

    block = {
        "metrics": {"chrf": {"pearson": estimate(own)}},
        "against_ceiling": {"chrf": {"pearson": {"share": estimate(share)}}},
    }
    ceiling = {"M": {"leave_one_out": {"pearson": estimate(person)}}}
    return {"human": {"M": block}, "ceiling": ceiling}


@pytest.mark.parametrize(
    ("share", "code"),
    [
        ((1.1, 1.0, 1.2), "person"),
        ((0.9, 0.8, 1.0), "open"),
        ((0.9, 0.8, 0.99), "compares"),
        ((0.4, 0.317, 0.5), "compares"),
        ((0.4, 0.316, 0.5), "unsure"),  # The floor is sqrt(.1) = .3162.
        ((0.2, 0.1, 0.317), "unsure"),
        ((0.2, 0.1, 0.316), "no"),
        ((-0.5, -0.6, -0.4), "no"),
        ((None, None, None), "unsure"),
    ],
)
def test_the_interval_decides_and_not_the_value(share, code):
    assert metric_verdict(report(share), "M", "chrf").code == code


@pytest.mark.parametrize("turned", [False, True])
def test_who_puts_another_system_first_is_named(turned):
    """Means by hand: people give A 3 and B 4.5, M gives A .6 and B .5, N nothing for B."""
    human, nan = np.array([2.0, 4.0, 4.0, 5.0]), np.nan
    metrics = {"M": np.array([0.5, 0.7, 0.4, 0.6]), "N": np.array([0.5, 0.7, nan, nan])}
    texts = SystemTexts(np.arange(4), np.array([0, 0, 1, 1]), ("A", "B"))
    found = other_first(human, metrics | {"people": human}, texts)
    assert found == {"M": {"metric": "A", "human": "B", "means": [3.0, 4.5]}}
    made = report((0.5, 0.4, 0.6)) | {"turned": ["M"] * turned}
    assert "first" not in metric_verdict(made, "M", "chrf").reason
    made["human"]["M"]["other_first"] = {"chrf": found["M"]}
    means = "−3.00 and −4.50" if turned else "3.00 and 4.50"
    text = f"it puts A first, people B (means of people: {means})."
    assert text in metric_verdict(made, "M", "chrf").reason


def test_what_a_judgment_is_worth_and_why_nothing_can_be_said():
    said = metric_verdict(report((0.5, 0.4, 0.6)), "M", "chrf").reason
    assert "50 % (95 % interval: 40 to 60)" in said and "4 of its scores" in said
    said = metric_verdict(report((1.14, 0.996, 1.576)), "M", "chrf")
    assert said.code == "open" and "99 to 158" in said.reason
    unclear = report((0.9, 0.8, 0.95), person=(0.2, -0.1, 0.4))
    assert "do not clearly agree" in metric_verdict(unclear, "M", "chrf").reason
    few = report((0.9, 0.8, 0.95), own=(0.5, None, None))
    assert "too few texts" in metric_verdict(few, "M", "chrf").reason
    own = few["human"]["M"]["metrics"]["chrf"]["pearson"]
    own["options"] = {"no_interval": lacking(3, 5, PHRASES)}
    said = metric_verdict(few, "M", "chrf").reason
    assert said == "5 phrases are needed for an interval; there are 3."
    alone = report((0.9, 0.8, 0.95), person=(None, None, None))
    assert "unknown" in metric_verdict(alone, "M", "chrf").reason


def studied(study, noises, plan):
    """The report of metrics: quality, and so many times the noise of the study's metric."""
    error = study.metrics["a"] - study.quality
    metrics = {name: study.quality + noise * error for name, noise in noises.items()}
    own = coefficients(study.human, metrics, study.phrase, plan, ["pearson"])
    people = HumanCeiling.of(study.table, clusters=study.phrase, plan=plan, names=["pearson"])
    block = {
        "metrics": {name: {"pearson": one["pearson"].as_json()} for name, one in own.items()},
        "against_ceiling": against_ceiling(study.human, metrics, own, people),
    }
    person = people.estimates["leave_one_out"]["pearson"]
    named = {"leave_one_out": {"pearson": person.as_json()}}
    return {"human": {"M": block}, "ceiling": {"M": named}}


@cache
def noise_for(floor):
    """How noisy a metric is that reaches this share of one more annotator, in 4,500 phrases."""
    steps = np.linspace(0, 12, 241)
    shares = np.zeros(steps.size)
    for seed in range(3):
        study = Study(np.random.default_rng([99, seed]), 1500)
        made = studied(study, dict(enumerate(steps)), None)["human"]["M"]["against_ceiling"]
        shares += [made[place]["pearson"]["share"]["value"] / 3 for place in range(steps.size)]
    # The share falls with the noise.
    return float(np.interp(-floor, -shares, steps))


# What is said above and below a floor.
SIDES = {
    COMPARES: ({"person", "open", "compares"}, {"no"}),
    AS_A_PERSON: ({"person"}, {"compares", "no"}),
}


@pytest.mark.slow
@pytest.mark.simulation
@pytest.mark.parametrize(
    "phrases", [5, 6, 7, 8, 12, 20, pytest.param(40, marks=pytest.mark.nightly)]
)
def test_a_metric_at_a_floor_is_seldom_judged_either_way(phrases):
    """The true share is that of the floor: what is said of either side of it is false."""
    many, codes = samples(1000, 80), {floor: [] for floor in SIDES}
    for seed in range(many):
        study = Study(np.random.default_rng([phrases, seed, 11]), phrases)
        made = studied(study, {floor: noise_for(floor) for floor in SIDES}, Bootstrap())
        for floor, said in codes.items():
            said.append(metric_verdict(made, "M", floor).code)
    for floor, sides in SIDES.items():
        yes, no = (np.isin(codes[floor], sorted(side)).mean() for side in sides)
        show(f"share {floor:.3f}, {phrases} phrases", many, yes=yes, no=no)
        for found in (yes, no):
            assert found <= 0.05 + (0 if FULL else slack(0.05, many))
