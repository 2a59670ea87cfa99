"""Gold, passes and results per system, on the units of `Ratings`."""

import re

import numpy as np
import pytest

from annotation.models import Judgment
from scoring.gold.report import gold_columns, gold_overview_for, gold_passes, results_for
from scoring.ratings.choice import Choice
from scoring.ratings.tables import ratings_get
from scoring.stats.table import gold
from tests.scoring.hand import exclude, hand_campaign, reversed_campaign


def outcome(campaign, **options):
    """Ratings, columns of gold, and the text of each unit."""
    ratings = ratings_get(campaign=campaign)
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    units = [texts[pk] for pk in ratings.units.tolist()]
    return ratings, gold_columns(campaign=campaign, ratings=ratings, **options), units


def passed(campaign):
    ratings, columns, units = outcome(campaign)
    return dict(zip(units, gold_passes(columns=columns, ratings=ratings), strict=True))


def test_gold_is_that_of_the_pure_statistics():
    ratings, columns, units = outcome(hand_campaign())
    two, meaning = units.index("two"), columns["MEANING"]
    assert (meaning.mean[two], meaning.median[two], meaning.n[two]) == (pytest.approx(3), 3, 3)
    assert meaning.spread[two] == pytest.approx(1)
    # Within one annotator: a 2 + 4, b 4 + 1, c 3 + 5.
    both = columns["MEANING + GRAMMAR"]
    assert both.mean[two] == pytest.approx((6 + 5 + 8) / 3)
    assert both.n[units.index("three")] == 1  # only c gave both
    pure = gold(ratings.tables["GRAMMAR"])
    np.testing.assert_array_equal(columns["GRAMMAR"].mean, pure.mean)


def test_gold_passes_where_every_threshold_is_reached():
    """MEANING from 3, GRAMMAR from 4."""
    assert passed(hand_campaign()) == {"one": True, "two": False, "three": False}


def test_imported_gold_fills_gaps_or_replaces(hand):
    Judgment.objects.filter(substitution__text="one").delete()
    for text, value in (("one", 4.5), ("two", 1.5)):
        hand.imported_gold.create(
            substitution=hand.substitutions.get(text=text),
            value=value,
            n=9,
            spread=0.5,
            scale=hand.scales.get(name="MEANING"),
            source="paper",
        )
    _, gaps, units = outcome(hand)
    two = units.index("two")
    assert gaps["MEANING"].mean[two] == 3 and not gaps["MEANING"].imported[two]
    assert 4.5 in gaps["MEANING"].mean.tolist()
    always = outcome(hand, imported="always")[1]["MEANING"]
    assert (always.mean[two], always.n[two], always.spread[two]) == (1.5, 9, 0.5)
    never = outcome(hand, imported="never")[1]["MEANING"]
    assert 4.5 not in never.mean.tolist()


def test_results_by_hand(hand):
    found = results_for(campaign=hand)
    # S0 made t0 and t1: judged by a, b and by a, b, c.
    s0 = found["systems"]["S0"]
    assert (s0["n"], s0["coverage"]) == (5, 1)
    assert s0["scales"]["MEANING"]["distribution"] == {
        "1": 0,
        "2": 0.2,
        "3": 0.2,
        "4": 0.4,
        "5": 0.2,
    }
    assert s0["scales"]["MEANING"]["pass"] == pytest.approx(4 / 5)
    assert s0["pass_all"] == pytest.approx(3 / 5)  # t0 a, t0 b, t1 c
    assert (found["contexts"], found["phrases"], found["phrases_excluded"]) == (2, 2, 0)
    exclude(hand.substitutions.get(text="one").item.phrase)
    found = results_for(campaign=hand)
    assert (found["contexts"], found["phrases"], found["phrases_excluded"]) == (1, 1, 1)


def test_what_is_up_to_the_threshold_passes():
    """Means: "one" 4.5, "two" 3 (the threshold itself), "three" 1."""
    campaign = reversed_campaign()
    assert not outcome(campaign)[1]["MEANING"].higher_is_better
    assert passed(campaign) == {"one": False, "two": True, "three": True}
    systems = results_for(campaign=campaign)["systems"]
    # S0: "one" by a and b (5 4), "two" by a, b and c (2 4 3); S1: "one", and "three" by a and c.
    assert [systems[one]["pass_all"] for one in ("S0", "S1")] == [2 / 5, 2 / 4]


def test_systems_stand_with_the_fewest_errors_first():
    campaign = reversed_campaign()
    for unit in ("judgment", "gold"):
        found = results_for(campaign=campaign, unit=unit)
        errors = [one["groups"] for one in found["clusters"] if one["scale"] == "MEANING"][-1]
        assert [label for group in errors for label in group] == ["S1", "S0"], unit


def test_there_is_no_sum_of_what_is_better_up_and_better_down():
    campaign = reversed_campaign()
    assert list(ratings_get(campaign=campaign).columns()) == ["MEANING", "GRAMMAR"]
    campaign.scales.update(higher_is_better=False)
    ratings, columns, _ = outcome(campaign)
    assert list(ratings.columns()) == ["MEANING", "GRAMMAR", "MEANING + GRAMMAR"]
    assert not columns["MEANING + GRAMMAR"].higher_is_better


def test_results_leave_out_phrases(campaign):
    found = str(results_for(campaign=campaign))
    assert set(re.findall(r"jackknife, \d+ \w+", found)) == {"jackknife, 6 phrases"}


# What the reports on gold hold.


@pytest.mark.parametrize(("up", "passing"), [(False, 1), (True, 2)])
def test_decisions_on_a_thread_are_of_the_same_direction(up, passing):
    campaign = reversed_campaign()
    campaign.scales.filter(name="MEANING").update(higher_is_better=up, threshold=2)
    found = str(gold_overview_for(campaign=campaign, choice=Choice()))
    assert f"'passing': {passing}" in found and f"'higher_is_better': {up}" in found
