"""Floors, reasons and the jackknife that all statistics share."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from scoring.stats import Bootstrap, Estimate, RatingTable, agreement_statistics, intervals
from scoring.stats.agreement.coefficients import alpha_ordinal, percent_agreement
from scoring.stats.evaluation.correlation import coefficients, within_originals
from scoring.stats.evaluation.pair_tests import comparisons
from scoring.stats.evaluation.pairwise import accuracies
from scoring.stats.intervals import (
    AT_END,
    NO_WIDTH,
    UNDEFINED,
    attach,
    cannot_tell,
    clusters_behind,
    few_clusters,
    how_made,
    jackknife_interval,
    least_to_tell_apart,
    left_out,
    weights,
)
from scoring.stats.table import PHRASES
from tests import HOME
from tests.scoring.stats.studies import Study

PLAN = Bootstrap(clusters=PHRASES)


def study(phrases, seed=1, **more):
    return Study(np.random.default_rng(seed), phrases, **more)


def kept(sample, phrase):
    """The ratings of a study without a phrase."""
    return sample.table.take_units(np.flatnonzero(sample.phrase != phrase))


def by_hand(value, rest, move, back):
    """The delete-one jackknife on a moved scale, in a plain loop."""
    g, moved = len(rest), [move(one) for one in rest]
    error = np.sqrt((g - 1) / g * sum((one - np.mean(moved)) ** 2 for one in moved))
    reach = scipy.stats.t.ppf(0.975, g - 1) * error
    return back(move(value) - reach), back(move(value) + reach)


def logit(p):
    return np.log(p / (1 - p))


def expit(x):
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize(
    ("name", "function", "move", "back"),
    [
        ("alpha_ordinal", alpha_ordinal, np.arctanh, np.tanh),
        ("percent_agreement", percent_agreement, logit, expit),
    ],
)
def test_agreement_has_the_jackknife_of_a_plain_loop_over_tables(name, function, move, back):
    sample = study(9)
    found = agreement_statistics(sample.table, clusters=sample.phrase, plan=PLAN)[name]
    rest = [function(kept(sample, phrase)).value for phrase in range(9)]
    assert (found.ci_low, found.ci_high) == pytest.approx(
        by_hand(found.value, rest, move, back), abs=1e-9
    )
    assert found.generalises_to == "new phrases" and found.options["clusters"] == 9


def test_icc_of_several_ratings_is_that_of_one_stepped_up():
    sample = study(10, annotators=10)
    found = agreement_statistics(sample.table, clusters=sample.phrase, plan=PLAN)
    one, mean = found["icc_3_1"], found["icc_3_k"]
    for end in ("ci_low", "ci_high"):
        single = getattr(one, end)
        assert getattr(mean, end) == pytest.approx(3 * single / (1 + 2 * single))
    for name in ("icc_2_1", "icc_2_k"):
        assert found[name].generalises_to == "new phrases, new annotators"
        (these,) = found[name].details["also"]
        assert these["generalises_to"] == "new phrases"
        assert found[name].ci_low < these["ci_low"] < these["ci_high"] < found[name].ci_high


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_correlations_have_the_jackknife_of_scipy_in_a_plain_loop(name):
    sample = study(7)
    found = coefficients(sample.human, {"m": sample.metrics["a"]}, sample.phrase, PLAN)["m"][name]
    function = {
        "pearson": scipy.stats.pearsonr,
        "spearman": scipy.stats.spearmanr,
        "kendall": scipy.stats.kendalltau,
    }[name]
    rest = [
        function(sample.human[rows], sample.metrics["a"][rows]).statistic
        for rows in (sample.phrase != phrase for phrase in range(7))
    ]
    assert (found.ci_low, found.ci_high) == pytest.approx(
        by_hand(found.value, rest, np.arctanh, np.tanh)
    )


def test_pairs_stay_within_items_and_phrases_are_left_out():
    sample = study(8)
    found = accuracies(sample.human, {"m": sample.metrics["a"]}, sample.phrase, PLAN, sample.item)[
        "m"
    ]
    alone = accuracies(sample.human, {"m": sample.metrics["a"]}, sample.item)["m"]
    assert (found.value, found.n) == (alone.value, alone.n)
    assert found.details == alone.details
    rest = []
    for phrase in range(8):
        rows = sample.phrase != phrase
        part = accuracies(sample.human[rows], {"m": sample.metrics["a"][rows]}, sample.item[rows])
        rest.append(part["m"].value)
    assert (found.ci_low, found.ci_high) == pytest.approx(by_hand(found.value, rest, logit, expit))
    one = comparisons(
        sample.human, sample.metrics, sample.phrase, items=sample.item, permutations=99
    )[0]
    other = comparisons(sample.human, sample.metrics, sample.item, permutations=99)[0]
    assert one.decisions == other.decisions
    assert one.difference_accuracy.value == other.difference_accuracy.value
    assert one.tests["permutation_p"].method == "swap of standardised metrics by cluster, " + (
        "Pearson, all 256 swaps"
    )


def test_only_clusters_that_contribute_count():
    """Of 12 phrases nine have a single text: within originals three count, which is too few."""
    rng = np.random.default_rng(5)
    phrase = np.concatenate([np.arange(9), np.repeat([9, 10, 11], 4)])
    human, metric = rng.normal(size=(2, phrase.size))
    found = within_originals(human, {"m": metric}, phrase, PLAN)["m"]["pearson"]
    assert found.ci_low is None
    assert found.options["no_interval"] == "5 phrases are needed for an interval; there are 3"
    table = RatingTable.from_dense([[1, 2], [4, 4], *[[3, np.nan]] * 20])
    alpha = agreement_statistics(table, clusters=np.arange(22), plan=PLAN)["alpha_ordinal"]
    assert alpha.options["no_interval"] == "8 phrases are needed for an interval; there are 2"


@pytest.mark.parametrize(
    ("phrases", "of_r", "of_agreement"), [(4, 0, 0), (5, 1, 0), (7, 1, 0), (8, 1, 1)]
)
def test_floors_of_correlations_and_of_agreement(phrases, of_r, of_agreement):
    sample = study(phrases, 3)
    r = coefficients(sample.human, {"m": sample.metrics["a"]}, sample.phrase, PLAN)["m"]["pearson"]
    assert (r.ci_low is not None) == of_r
    found = agreement_statistics(sample.table, clusters=sample.phrase, plan=PLAN)
    for pair in found["cohen_kappa"].details["pairs"]:
        assert (pair["ci_low"] is not None) == of_agreement
    assert (found["alpha_ordinal"].ci_low is not None) == of_agreement
    for name, one in found.items():
        assert of_agreement or one.options["no_interval"] == (
            f"8 phrases are needed for an interval; there are {phrases}"
        ), name
        assert of_agreement or "also" not in one.details, name


def test_clusters_that_do_not_contribute_are_no_replicates():
    rest = np.random.default_rng(2).uniform(0.4, 0.6, 7)
    alone = attach(Estimate(0.5), rest, PLAN, 7, True)
    beside = attach(
        Estimate(0.5), np.append(rest, [0.5] * 3), PLAN, 10, True, contributing=np.arange(10) < 7
    )
    assert beside == alone and alone.options["clusters"] == 7


def test_no_interval_leaves_its_scale():
    rest = np.array([0.6, 0.9, 1.0, 0.9, 0.95])
    found = attach(Estimate(0.9), rest, PLAN, 5, True, ends=(0.8, 1.0))
    assert (found.ci_low, found.ci_high) == (0.8, 1.0)


@pytest.mark.parametrize(("undefined", "given"), [(1, True), (2, False)])
def test_over_a_tenth_of_undefined_replicates_is_no_interval(undefined, given):
    rest = np.linspace(0.4, 0.6, 10)
    rest[:undefined] = np.nan
    assert (jackknife_interval(0.5, rest) != UNDEFINED) == given


def test_nothing_takes_texts_of_a_phrase_for_independent():
    sample = study(12)
    found = agreement_statistics(sample.table, clusters=sample.phrase, plan=PLAN)
    for name, one in found.items():
        said = [one.options["interval"], *(two["interval"] for two in one.details.get("also", ()))]
        assert not any("independent" in text for text in said), name
    plain = agreement_statistics(sample.table, clusters=sample.phrase)
    assert all(one.ci_low is None for one in plain.values())


def test_values_at_the_ends_of_their_scale():
    assert jackknife_interval(1.0, np.array([1, 1, 1, 0.9, 1.0]), "z") == AT_END
    assert jackknife_interval(0.5, np.full(6, 0.5)) == NO_WIDTH
    # A replicate at the end has no place on the moved scale: the error is moved instead.
    rest = np.array([0.9, 0.9, 0.9, 0.9, 0.9, 1.0])
    low, high = jackknife_interval(0.92, rest, "logit")
    error = np.sqrt(5 / 6 * ((rest - rest.mean()) ** 2).sum())
    reach = scipy.stats.t.ppf(0.975, 5) * error / (0.92 * 0.08)
    assert (low, high) == pytest.approx((expit(logit(0.92) - reach), expit(logit(0.92) + reach)))


@given(st.integers(2, 250))
def test_sums_and_weights_leave_out_the_same(clusters):
    cells = np.random.default_rng(clusters).normal(size=(clusters, 3))
    blocks = np.concatenate(list(weights(Bootstrap(), clusters)))
    assert blocks.shape == (min(clusters, 100), clusters)
    assert (blocks.sum(axis=0) == len(blocks) - 1).all()
    np.testing.assert_allclose(blocks @ cells, left_out(cells), atol=1e-9)


def test_who_asks_for_a_bootstrap_gets_its_percentiles():
    found = attach(Estimate(0.5), np.linspace(0, 1, 201), Bootstrap(201), 9, True)
    assert (found.ci_low, found.ci_high) == pytest.approx((0.025, 0.975))
    assert how_made({"a": [found.as_json()]}) == "percentiles of 201 bootstrap draws"


@pytest.mark.parametrize(("pairs", "least"), [(1, 6), (3, 7), (45, 11)])
def test_how_many_phrases_can_tell_anything_apart(pairs, least):
    assert least_to_tell_apart(pairs) == least
    assert pairs * 2 / 2**least <= 0.05 < pairs * 2 / 2 ** (least - 1)


def test_what_cannot_be_found_is_said():
    assert cannot_tell(5, intervals.TWO_SYSTEMS) == (
        "5 phrases cannot tell two systems apart at .05; 6 are needed."
    )
    assert cannot_tell(6, intervals.TWO_SYSTEMS) is None
    assert cannot_tell(0, intervals.TWO_SYSTEMS) is None


def test_few_clusters_are_warned_of_by_number():
    estimate = attach(Estimate(0.5), np.linspace(0.4, 0.6, 6), Bootstrap(), 6, True)
    report = {"clusters": 400, "a": {"b": [estimate.as_json()]}, "c": {"low": 1.0, "clusters": 40}}
    assert sorted(clusters_behind(report)) == [6, 40]
    assert "the fewest from 6" in few_clusters(clusters_behind(report))
    assert few_clusters([15, 20]) is None and few_clusters([]) is None


def test_the_warning_quotes_the_table_that_was_measured():
    text = (HOME / "docs/statistics.md").read_text("utf-8")
    table = text.partition("| interval of |")[2].partition("\n\n")[0]
    few = [row.split("|")[2:5] for row in table.splitlines()[2:]]
    shares = [float(cell) for row in few for cell in row if cell.strip()]
    assert len(shares) > 100
    assert (round(min(shares), 2), round(max(shares), 2)) == intervals.MEASURED


def test_kappas_of_single_pairs_are_by_cluster_too():
    sample = study(9)
    found = agreement_statistics(sample.table, clusters=sample.phrase, plan=PLAN)
    for name in ("cohen_kappa", "cohen_kappa_quadratic", "scott_pi"):
        for place, pair in enumerate(found[name].details["pairs"]):
            rest = [
                agreement_statistics(kept(sample, phrase))[name].details["pairs"][place]["value"]
                for phrase in range(9)
            ]
            low, high = by_hand(pair["value"], rest, float, float)
            assert (pair["ci_low"], pair["ci_high"]) == pytest.approx((low, min(high, 1)))
    plain = agreement_statistics(sample.table, clusters=sample.phrase)["cohen_kappa"]
    assert all(pair["ci_low"] is None for pair in plain.details["pairs"])
