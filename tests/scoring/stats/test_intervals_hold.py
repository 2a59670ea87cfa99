"""How often intervals contain the true value, from few phrases on.

docs/statistics.md has the table. `make simulate` draws 1,000 samples of each size; elsewhere a part
of them is drawn, with wider bands. The true values are those of 4,500 phrases judged by the same
annotators. The intervals of McGraw and Wong, and those for new annotators, are in test_coverage.py
and test_degenerate.py.
"""

from functools import cache

import numpy as np
import pytest

from scoring.stats import Bootstrap, Threshold, agreement_report, agreement_statistics, results
from scoring.stats.agreement import report as agreement
from scoring.stats.agreement.catalogue import specific_agreement
from scoring.stats.agreement.families import ScaleData
from scoring.stats.annotators.own_judgments import annotator_statistics
from scoring.stats.evaluation.ceiling import HumanCeiling
from scoring.stats.evaluation.correlation import coefficients, within_originals
from scoring.stats.evaluation.mixes import best_mix, mix_curve
from scoring.stats.evaluation.one_metric import roc_curves
from scoring.stats.evaluation.pair_tests import comparisons
from scoring.stats.evaluation.pairwise import accuracies, tie_accuracies
from scoring.stats.evaluation.report import against_ceiling
from scoring.stats.evaluation.stability import powers
from scoring.stats.evaluation.system_level import system_level
from scoring.stats.table import RatingTable
from tests.scoring.stats.studies import SYSTEMS, Study
from tests.simulate import FULL, samples, show, slack

pytestmark = [pytest.mark.slow, pytest.mark.simulation]
FIVE, PLAN = np.arange(1.0, 6.0), Bootstrap()
NIGHTLY = pytest.mark.nightly
EACH_TIME = (5, 8)  # Where intervals are hardest to hold; more phrases at night.
SIZES = [
    pytest.param(size, marks=[] if size in EACH_TIME else NIGHTLY) for size in (5, 8, 12, 20, 40)
]
LEAST, MOST = 0.91, 0.98  # Of shares, and of coefficients over systems, intervals may hold always.


def of_estimate(one):
    return one.value, one.ci_low, one.ci_high


def of_json(value, interval):
    return value, interval["low"], interval["high"]


def of_systems(study, plan=PLAN):
    found = {}
    for limit in (2, 3, 4):
        report = results(
            {"S": study.table},
            study.systems,
            {"S": Threshold(limit)},
            plan=plan,
            permutations=1,
            ends={"S": (1, 5)},
        )
        one = report["systems"]["s1"]["scales"]["S"]
        found[f"share from {limit}"] = of_json(one["pass"], one["pass_bootstrap"])
        if limit > 2:
            continue
        found["mean"] = of_json(one["mean"], one["mean_bootstrap"])
        for pair in report["pairs"]:
            if (pair["a"], pair["b"]) == ("s1", "s2"):
                key = "difference of means" if pair["scale"] else "difference of shares"
                found[key] = of_json(pair["difference"], pair["interval"])
    return found


def of_agreement(study, plan=PLAN):
    found = {}
    plan = None if study.phrases > 1000 else plan
    made = agreement_statistics(study.table, FIVE, clusters=study.phrase, plan=plan)
    for name, one in made.items():
        found[name] = of_estimate(one)
        if name.startswith("icc_2") and "also" in one.details:
            found[name] = one.value, *(one.details["also"][0][end] for end in ("ci_low", "ci_high"))
    each = specific_agreement(ScaleData(study.table, FIVE), clusters=study.phrase, plan=plan)
    return found | {f"agreement on {name}": of_estimate(one) for name, one in each.items()}


def of_metrics(study, plan=PLAN):
    people, clusters, items = study.human, study.phrase, study.item
    plan = None if study.phrases > 1000 else plan
    metric = {"a": study.metrics["a"]}
    found = dict(coefficients(people, metric, clusters, plan)["a"])
    found["pairwise_accuracy"] = accuracies(people, metric, clusters, plan, items)["a"]
    rounded = {"a": np.round(study.metrics["a"])}
    found |= tie_accuracies(people, rounded, clusters, plan, items)["a"]
    finely = tie_accuracies(people, metric, clusters, plan, items)["a"]["acc_eq_crossfit"]
    found["acc_eq_crossfit, epsilon above 0"] = finely
    within = within_originals(people, metric, clusters, plan, items)["a"]
    found |= {f"within {name}": one for name, one in within.items()}
    passed = (people >= 3.5).astype(float)
    found["roc"] = roc_curves(passed, metric, clusters, plan)["a"].area
    compared = comparisons(people, study.metrics, clusters, items=items, permutations=1)[0]
    for name in ("difference", "difference_spearman", "difference_accuracy"):
        found[name] = getattr(compared, name)
    if plan is None or plan.jackknife:  # Draws of people take long.
        ceiling = HumanCeiling.of(study.table, clusters=clusters, plan=plan)
        for kind, named in ceiling.estimates.items():
            found |= {f"{kind} {name}": one for name, one in named.items()}
    return {name: of_estimate(one) for name, one in found.items()}


def of_shares(study):
    """Of what people reach: metrics that are better than a person, about as good, and poor."""
    plan, noise = None if study.phrases > 1000 else PLAN, study.metrics["a"] - study.quality
    metrics = {
        name: study.quality + times * noise
        for name, times in (("better", 0.3), ("as good", 0.9), ("poor", 4.2))
    }
    own = coefficients(study.human, metrics, study.phrase, plan, ["pearson"])
    people = HumanCeiling.of(study.table, clusters=study.phrase, plan=plan, names=["pearson"])
    made = against_ceiling(study.human, metrics, own, people)
    return {
        f"{what} {name}, {metric}": tuple(one[what][key] for key in ("value", "ci_low", "ci_high"))
        for metric, named in made.items()
        for name, one in named.items()
        for what in ("disattenuated", "share")
    }


def of_mixes(study):
    """The mix 5:5, the best one on phrases it was not fitted on, and the planned differences."""
    people, clusters = study.human, study.phrase
    plan, (a, b) = None if study.phrases > 1000 else PLAN, study.metrics.items()
    curve = mix_curve(people, a, b, clusters, plan, steps=2)
    half = curve.weights.index(0.5)
    found = {"5:5 pearson": curve.pearson[half], "5:5 spearman": curve.spearman[half]}
    best = best_mix(people, study.metrics, clusters, plan).out_of_fold
    found |= {f"best {name}": one for name, one in best.items()}
    for name in ("pearson", "pairwise_accuracy"):
        (planned,) = powers(people, study.metrics, clusters, coefficient=name)
        found[f"planned {name}"] = planned.difference
    return {name: of_estimate(one) for name, one in found.items()}


def of_annotators(study):
    """Of the first of them, who judged in no order."""
    many = study.table.n_ratings
    order = np.random.default_rng(many).permutation(many).astype(float)
    made = annotator_statistics(study.table, clusters=study.phrase, order=order)
    return {name: of_estimate(column[0]) for name, column in made.items()}


PARTS = {
    "systems": (of_systems, {}),
    "three annotators": (of_agreement, {}),
    "three of ten annotators": (of_agreement, {"annotators": 10}),
    "metrics": (of_metrics, {}),
    "mixes": (of_mixes, {}),
    "beside people": (of_shares, {}),
    "beside people who differ more": (of_shares, {"noise": 1.4}),
    "one of three": (of_annotators, {"opinions": 0.5}),
    "one of ten": (of_annotators, {"annotators": 10, "opinions": 0.5}),
}
EVEN = {"items": (3, 3)}  # In each the same paraphrase of a system, as everywhere.
OF_THREE = {
    "systems, three items": (of_systems, EVEN),
    "three annotators, three items": (of_agreement, EVEN),
    "metrics, three items": (of_metrics, EVEN),
    "mixes, three items": (of_mixes, EVEN),
}
PARTS |= OF_THREE
SOME = dict.fromkeys(OF_THREE, (8,))  # Elsewhere than in full: the others take long.
CASES = [
    pytest.param(part, size, marks=[] if size in SOME.get(part, EACH_TIME) else NIGHTLY)
    for part in PARTS
    for size in (5, 8, 12, 20, 40)
]


@cache
def truths(part):
    made, more = PARTS[part]
    drawn = [made(Study(np.random.default_rng([99, i]), 1500, **more)) for i in range(3)]
    return {
        name: np.mean([one[name][0] for one in drawn])
        for name in drawn[0]
        if all(one[name][0] is not None for one in drawn)
    }


def coverage(make, truth, many):
    """The share of the intervals that contains the truth, and how many intervals there are."""
    held, given = dict.fromkeys(truth, 0), dict.fromkeys(truth, 0)
    for seed in range(many):
        for name, (value, low, high) in make(seed).items():
            if value is not None and low is not None and name in truth:
                given[name] += 1
                held[name] += low <= truth[name] <= high
    return {name: held[name] / given[name] for name in truth if given[name] > many / 2}, given


def assert_held(found, given, least=LEAST, most=MOST):
    for name, share in found.items():
        # In full one standard error; elsewhere none of dozens of shares may fall outside by chance.
        band = slack(0.95, given[name]) / (3 if FULL else 1)
        assert least - band <= share, (name, share)
        if "share" not in name:
            assert share <= most + band, (name, share)


@pytest.mark.parametrize(("part", "phrases"), CASES)
def test_intervals_contain_the_true_value(part, phrases, monkeypatch):
    # The interval for new annotators takes most of the time, and is tested elsewhere.
    monkeypatch.setattr(agreement, "MOST_FITTED", 0)
    many, (made, more) = samples(1000), PARTS[part]
    if not FULL:
        many //= 4
    found, given = coverage(
        lambda seed: made(Study(np.random.default_rng([phrases, seed, 7]), phrases, **more)),
        truths(part),
        many,
    )
    show(f"{part}, {phrases} phrases", many, **found)
    assert bool(found) == (phrases >= 8 or "annotators" not in part)
    assert_held(found, given)


# Of each part, what docs/statistics.md compares with the default of earlier versions.
COMPARED = {
    "systems": ("mean", "difference of means", "share from 2"),
    "three annotators": ("percent_agreement", "alpha_ordinal", "icc_2_1"),
    "metrics": ("pearson", "kendall", "within pearson", "pairwise_accuracy", "acc_eq"),
}


@pytest.mark.nightly
@pytest.mark.parametrize("phrases", [5, 8, 12, 20, 40])
@pytest.mark.parametrize("part", COMPARED)
def test_the_percentile_bootstrap_covers_too_little_from_few_phrases(part, phrases, monkeypatch):
    """Percentiles of 1,000 draws beside the jackknife, from the same samples: coverage, and in
    brackets the median width."""
    monkeypatch.setattr(agreement, "MOST_FITTED", 0)
    many, (made, more), names = samples(1000, 40), PARTS[part], COMPARED[part]
    held = {name: np.zeros((2, many)) for name in names}
    width = {name: np.full((2, many), np.nan) for name in names}
    for seed in range(many):
        study = Study(np.random.default_rng([phrases, seed, 7]), phrases, **more)
        for way, plan in enumerate((Bootstrap(1000), PLAN)):
            found = made(study, plan)
            for name in names:
                _, low, high = found[name]
                if low is not None:
                    held[name][way, seed] = low <= truths(part)[name] <= high
                    width[name][way, seed] = high - low
    for name in names:
        given = ~np.isnan(width[name])
        if given.all(axis=0).mean() < 0.5:
            continue
        draws, ours = (
            (held[name][way][given[way]].mean(), np.median(width[name][way][given[way]]))
            for way in (0, 1)
        )
        print(
            f"\n{name}, {phrases} phrases ({many} samples): "
            f"{draws[0]:.3f} ({draws[1]:.2f}) -> {ours[0]:.3f} ({ours[1]:.2f})"
        )
        if phrases <= 8:
            assert draws[0] < ours[0] + slack(0.95, many), name


@pytest.mark.parametrize("phrases", SIZES)
@pytest.mark.parametrize(
    "systems", [8, *(pytest.param(n, marks=pytest.mark.nightly) for n in (5, 15))]
)
def test_correlations_over_systems_as_measured(systems, phrases):
    """Of the means as measured on so many phrases; and of the true means, corrected for noise. The
    metric is partly wrong about systems."""
    many = samples(1000)
    wrong = np.tile([0.5, -0.4, 0.3, -0.5, 0.1, 0.4, -0.3, -0.1], 2)

    def drawn(seed, size=phrases):
        study = Study(np.random.default_rng([size, seed, 8]), size, systems=systems, better=0.15)
        metric = study.metrics["a"] + wrong[study.system]
        plan = None if size > 1000 else PLAN
        found = system_level(
            study.human, {"a": metric}, study.systems, study.phrase, plan, permutations=1
        )["a"].estimates
        return {name: of_estimate(one) for name, one in found.items()}

    made = [drawn(seed) for seed in range(many)]
    truth = {
        name: np.mean([one[name][0] for one in made if one[name][0] is not None])
        for name in ("pearson", "spearman", "kendall", "pairwise_accuracy")
    }
    truth["pearson_corrected"] = drawn(0, 4000)["pearson"][0]
    found, given = coverage(lambda seed: made[seed], truth, many)
    show(f"{systems} systems, {phrases} phrases", many, **found)
    # Of five systems, noise is often more than nine draws in ten allow for.
    assert phrases >= 20 or "pearson_corrected" not in found
    assert "pearson_corrected" in found or phrases < 20 or systems == 5
    assert_held(found, given, most=1.0)


@pytest.mark.parametrize("phrases", [8, 20, pytest.param(46, marks=pytest.mark.nightly)])
def test_swaps_of_phrases_keep_their_level_where_paraphrases_recur(phrases):
    names = ("permutation_p", "permutation_spearman_p", "permutation_accuracy_p")
    independent = ("williams_p", "mcnemar_p")
    many = samples(1000)
    found = dict.fromkeys((*names, *independent, "by item"), 0.0)
    for seed in range(many):
        study = Study(np.random.default_rng([phrases, seed, 77]), phrases)
        columns = (study.human, study.metrics)
        one = comparisons(*columns, study.phrase, items=study.item, permutations=499)[0]
        other = comparisons(*columns, study.item, permutations=499)[0]
        for name in (*names, *independent):
            found[name] += (one.tests[name].p_value <= 0.05) / many
        found["by item"] += (other.tests["permutation_p"].p_value <= 0.05) / many
    show(f"swaps, {phrases} phrases of {SYSTEMS} systems", many, **found)
    for name in names:
        assert found[name] <= 0.05 + max(slack(0.05, many), 0.02), found
    assert found["permutation_p"] >= 0.05 - max(slack(0.05, many), 0.02)
    # None of them keeps it; of few samples the two exact ones may fall alike.
    for name in ("by item", *independent) if FULL else ("by item", "williams_p"):
        assert found[name] > found["permutation_p"], found


@pytest.mark.parametrize("phrases", SIZES)
def test_a_no_is_seldom_false(phrases):
    """Ordinal alpha of the population is .67 or a little more: "no" is false."""
    many, false, values = samples(1000, 80), 0, []
    for seed in range(many):
        rng = np.random.default_rng([phrases, seed, 9])
        phrase = np.repeat(np.repeat(np.arange(phrases), rng.integers(1, 5, phrases)), 2)
        truth = 3 + rng.normal(0, 0.7, phrases)[phrase] + rng.normal(0, 1.0, phrase.size)
        given = truth[:, None] + [-0.2, 0, 0.2] + rng.normal(0, 0.66, (phrase.size, 3))
        table = RatingTable.from_dense(np.clip(np.round(given), 1, 5))
        block = agreement_report({"S": table}, levels={"S": FIVE}, clusters=phrase, plan=PLAN)
        false += block["scales"]["S"]["answer"]["verdict"] == "no"
        values.append(block["scales"]["S"]["alpha_ordinal"]["value"])
    show(f"false no, {phrases} phrases", many, no=false / many, alpha=np.mean(values))
    assert false / many <= 0.06 + (0 if FULL else slack(0.06, many))
    assert phrases >= 8 or false == 0
