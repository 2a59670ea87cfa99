"""Coverage of the intervals, with fixed seeds; docs/statistics.md has the figures.

Ratings are 1-5: round(unit + severity + noise). The population value is the mean over 40 samples of
2,000 units (new units: with the same annotators; new annotators: with 60 new ones each). A coverage
p over R samples has standard error sqrt(p (1 - p) / R); tolerances are three standard errors.
"""

import numpy as np
import pytest

from scoring.stats import Bootstrap, RatingTable, agreement_statistics
from scoring.stats.agreement import report as agreement
from scoring.stats.agreement.icc import MeanSquares, exact_intervals, square_cells
from scoring.stats.agreement.influence import influence, values_of
from tests.simulate import samples, show, slack

pytestmark = [pytest.mark.slow, pytest.mark.simulation]
FIVE = np.arange(1.0, 6.0)
NAMES = ("percent_agreement", "alpha_ordinal", "gwet_ac2", "icc_2_1")


def ratings(rng, units, severity):
    truth = rng.normal(3, 1, (units, 1))
    values = truth + severity + rng.normal(0, 0.8, (units, severity.size))
    return RatingTable.from_dense(np.clip(np.round(values), 1, 5))


def for_new_units(one):
    """The interval of an estimate whose own may speak of new annotators."""
    if one.generalises_to == "new units":
        return [one.ci_low, one.ci_high]
    return [one.details["also"][0][end] for end in ("ci_low", "ci_high")]


def test_coverage_for_new_units_and_the_same_annotators():
    rng = np.random.default_rng(20)
    severity, many = np.array([-0.3, 0.0, 0.4]), samples(1000, 50)
    population = [values_of(ratings(rng, 2000, severity), FIVE, NAMES) for _ in range(40)]
    truth = {name: np.mean([one[name] for one in population]) for name in NAMES}
    held = dict.fromkeys(NAMES, 0.0)
    for _ in range(many):
        table = ratings(rng, 200, severity)
        found = agreement_statistics(table, FIVE, plan=Bootstrap())
        for name in NAMES:
            low, high = for_new_units(found[name])
            held[name] += (low <= truth[name] <= high) / many
    show("new units", many, **held)
    for name in NAMES:
        assert held[name] == pytest.approx(0.95, abs=slack(0.95, many)), held


@pytest.mark.parametrize("annotators", [5, pytest.param(10, marks=pytest.mark.nightly)])
def test_coverage_for_new_annotators(annotators):
    """Coverage lies between .91 and .98: both variances hold the noise of single ratings, so that
    their sum is somewhat too large."""
    rng = np.random.default_rng(30 + annotators)
    many = samples(1000, 25)
    population = [
        values_of(ratings(rng, 2000, rng.normal(0, 0.5, 60)), FIVE, NAMES) for _ in range(20)
    ]
    truth = {name: float(np.mean([one[name] for one in population])) for name in NAMES}
    held, units_alone, exact = dict.fromkeys(NAMES, 0.0), dict.fromkeys(NAMES, 0.0), 0.0
    plan = Bootstrap()
    for _ in range(many):
        table = ratings(rng, 100, rng.normal(0, 0.5, annotators))
        new = influence(table, "ordinal", FIVE, plan=plan)["new_annotators"]
        fixed = agreement_statistics(table, FIVE, plan=plan)
        for name in NAMES:
            held[name] += (new[name]["ci_low"] <= truth[name] <= new[name]["ci_high"]) / many
            low, high = for_new_units(fixed[name])
            units_alone[name] += (low <= truth[name] <= high) / many
        squares = MeanSquares.of(square_cells(table).sum(axis=0)[None, :], annotators)
        mcgraw_wong = exact_intervals(squares)["icc_2_1"]
        exact += (mcgraw_wong.low <= truth["icc_2_1"] <= mcgraw_wong.high) / many
    show(f"{annotators} new annotators", many, **held)
    for name in NAMES:
        assert 0.91 - slack(0.91, many) <= held[name] <= 0.98 + slack(0.98, many), held
        # Drawing units alone says nothing of new annotators: that is why it is not shown for them.
        assert units_alone[name] < 0.9, units_alone
    assert exact == pytest.approx(0.95, abs=slack(0.95, many))


def sparse(rng, units, each, severity):
    """`units` rated by `each` of the annotators, drawn anew for every unit."""
    who = np.argsort(rng.random((units, severity.size)), axis=1)[:, :each]
    values = rng.normal(3, 1, (units, 1)) + severity[who] + rng.normal(0, 0.8, (units, each))
    given = np.clip(np.round(values), 1, 5)
    unit = np.repeat(np.arange(units), each)
    return RatingTable(unit, who.ravel(), given.ravel(), units, severity.size)


WEIGHTS = ("", "_linear", "_quadratic")


@pytest.mark.parametrize(
    ("each", "annotators", "units"),
    [
        (2, 12, 132),
        (3, 8, 1000),
        *(
            pytest.param(*one, marks=pytest.mark.nightly)
            for one in ((2, 12, 660), (3, 20, 315), (3, 20, 945))
        ),
    ],
)
def test_coverage_of_kappas_in_sparse_designs(each, annotators, units, monkeypatch):
    """2, 10, 5, 15 and 107 shared units a pair. The pooled kappas hold everywhere. The means over
    pairs have an interval only where their bias is small beside their error, and it holds there.
    """
    # What is not looked at here takes most of the time.
    monkeypatch.setattr(agreement, "MOST_FITTED", 0)
    rng = np.random.default_rng(40 + units)
    severity, many = np.linspace(-0.6, 0.6, annotators), samples(1000, 15)
    names = tuple(f"cohen_kappa{kind}{w}" for kind in ("", "_pooled") for w in WEIGHTS)
    truth = values_of(ratings(rng, 40_000, severity), FIVE, names)
    held, given = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for seed in range(many):
        found = agreement_statistics(
            sparse(rng, units, each, severity), FIVE, plan=Bootstrap(1, seed)
        )
        for name in names:
            one = found[name]
            if one.ci_low is not None and one.ci_high is not None:
                given[name] += 1
                held[name] += int(one.ci_low <= truth[name] <= one.ci_high)
    show(
        f"{each} of {annotators}, {units} units: share with an interval",
        many,
        **{name: given[name] / many for name in names},
    )
    show("of these cover", many, **{n: held[n] / max(given[n], 1) for n in names})
    for name in names:
        if "pooled" in name:
            assert given[name] == many
        else:
            assert given[name] == (many if annotators == 8 else 0)
        if given[name]:
            assert held[name] / many >= 0.95 - slack(0.95, many), (name, held)
