"""Gold, passes and results per system, on the units of `Ratings`."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.models import Campaign, Judgment, Substitution, System
from annotation.services.people.exclusions import exclusion_add
from scoring.selectors.gold.outcomes import gold_columns, gold_passes, results_for
from scoring.selectors.ratings.tables import ratings_get
from scoring.stats.combine import gold
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.selectors.ratings.reversed import reversed_campaign

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", ["control", "degraded", "copy", "practice"])
def test_no_other_role_reaches_gold_results_or_correlation(role: str) -> None:
    campaign = hand_campaign()
    before = outcome(campaign)
    control = Substitution.objects.get(campaign=campaign, role="control")
    Substitution.objects.filter(pk=control.pk).update(role=role)
    system = System.objects.get(campaign=campaign, label="S0")
    system.outputs.create(item=control.item, rank=2, substitution=control)
    assert outcome(campaign) == before


def outcome(campaign: Campaign) -> object:
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    return (
        {name: np.nan_to_num(column.mean, nan=-1).tolist() for name, column in columns.items()},
        results_for(campaign=campaign),
        results_for(campaign=campaign, unit="gold"),
    )


def test_gold_is_that_of_the_pure_statistics() -> None:
    campaign = hand_campaign()
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    texts = dict(Substitution.objects.values_list("pk", "text"))
    order = [texts[pk] for pk in ratings.units.tolist()]
    two = order.index("two")
    meaning = columns["MEANING"]
    assert meaning.mean[two] == pytest.approx(3)
    assert meaning.median[two] == 3
    assert meaning.spread[two] == pytest.approx(1)
    assert meaning.n[two] == 3
    # Within one annotator: a 2 + 4, b 4 + 1, c 3 + 5.
    assert columns["MEANING + GRAMMAR"].mean[two] == pytest.approx((6 + 5 + 8) / 3)
    assert columns["MEANING + GRAMMAR"].n[order.index("three")] == 1  # only c gave both
    pure = gold(ratings.tables["GRAMMAR"])
    np.testing.assert_array_equal(columns["GRAMMAR"].mean, pure.mean)


def test_gold_passes_where_every_threshold_is_reached() -> None:
    campaign = hand_campaign()  # MEANING from 3, GRAMMAR from 4
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    texts = dict(Substitution.objects.values_list("pk", "text"))
    passed = gold_passes(columns=columns, ratings=ratings)
    found = {texts[pk]: value for pk, value in zip(ratings.units.tolist(), passed, strict=True)}
    assert found == {"one": True, "two": False, "three": False}


def test_imported_gold_fills_gaps_or_replaces() -> None:
    campaign = hand_campaign()
    scale = campaign.scales.get(name="MEANING")
    two = Substitution.objects.get(text="two")
    Judgment.objects.filter(substitution__text="one").delete()
    for text, value in (("one", 4.5), ("two", 1.5)):
        campaign.imported_gold.create(
            substitution=Substitution.objects.get(text=text), scale=scale, value=value, n=9,
            spread=0.5, source="paper",
        )  # fmt: skip
    ratings = ratings_get(campaign=campaign)
    two_at = ratings.units.tolist().index(two.pk)
    gaps = gold_columns(campaign=campaign, ratings=ratings)["MEANING"]
    assert gaps.mean[two_at] == 3 and not gaps.imported[two_at]
    assert 4.5 in gaps.mean.tolist()
    always = gold_columns(campaign=campaign, ratings=ratings, imported="always")["MEANING"]
    assert (always.mean[two_at], always.n[two_at], always.spread[two_at]) == (1.5, 9, 0.5)
    never = gold_columns(campaign=campaign, ratings=ratings, imported="never")["MEANING"]
    assert 4.5 not in never.mean.tolist()


def test_results_by_hand() -> None:
    campaign = hand_campaign()
    found = results_for(campaign=campaign)
    # S0 made t0 and t1: judged by a, b and by a, b, c.
    s0 = found["systems"]["S0"]
    assert s0["n"] == 5
    assert s0["coverage"] == 1
    assert s0["scales"]["MEANING"]["distribution"] == {
        "1": 0, "2": 0.2, "3": 0.2, "4": 0.4, "5": 0.2,
    }  # fmt: skip
    assert s0["scales"]["MEANING"]["pass"] == pytest.approx(4 / 5)
    assert s0["pass_all"] == pytest.approx(3 / 5)  # t0 a, t0 b, t1 c
    assert (found["contexts"], found["phrases"], found["phrases_excluded"]) == (2, 2, 0)
    exclusion_add(target=Substitution.objects.get(text="one").item.phrase, reason="x", actor=None)
    found = results_for(campaign=campaign)
    assert (found["contexts"], found["phrases"], found["phrases_excluded"]) == (1, 1, 1)


def test_what_is_up_to_the_threshold_passes() -> None:
    """Means: "one" 4.5, "two" 3 (the threshold itself), "three" 1."""
    campaign = reversed_campaign()
    ratings = ratings_get(campaign=campaign)
    columns = gold_columns(campaign=campaign, ratings=ratings)
    assert not columns["MEANING"].higher_is_better
    passes = gold_passes(columns=columns, ratings=ratings)
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    found = {texts[pk]: one for pk, one in zip(ratings.units.tolist(), passes, strict=True)}
    assert found == {"one": False, "two": True, "three": True}
    results = results_for(campaign=campaign)
    # S0: "one" by a and b (5 4), "two" by a, b and c (2 4 3); S1: "one", and "three" by a and c.
    assert [results["systems"][one]["pass_all"] for one in ("S0", "S1")] == [2 / 5, 2 / 4]


def test_systems_stand_with_the_fewest_errors_first() -> None:
    campaign = reversed_campaign()
    for unit in ("judgment", "gold"):
        found = results_for(campaign=campaign, unit=unit)
        by_name = {(one["outcome"], one["scale"]): one["groups"] for one in found["clusters"]}
        [errors] = [groups for (_, scale), groups in by_name.items() if scale == "MEANING"][-1:]
        assert [label for group in errors for label in group] == ["S1", "S0"], unit


def test_there_is_no_sum_of_what_is_better_up_and_better_down() -> None:
    campaign = reversed_campaign()
    assert list(ratings_get(campaign=campaign).columns()) == ["MEANING", "GRAMMAR"]
    campaign.scales.update(higher_is_better=False)
    ratings = ratings_get(campaign=campaign)
    assert list(ratings.columns()) == ["MEANING", "GRAMMAR", "MEANING + GRAMMAR"]
    columns = gold_columns(campaign=campaign, ratings=ratings)
    assert not columns["MEANING + GRAMMAR"].higher_is_better


def test_results_draw_phrases(campaign: Campaign) -> None:
    found = results_for(campaign=campaign)
    assert "draws of phrases" in str(found) and "draws of items" not in str(found)
