"""The stored reports about metrics and people."""

import re
from dataclasses import replace

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.correlation.report import (
    best_mix_get,
    columns_get,
    correlation_for,
    mix_get,
    ranking_for,
    stability_for,
    systems_for,
)
from scoring.models import Run
from scoring.ratings.choice import Choice
from tests.factories import add_judgments, judgment_row, make_campaign
from tests.scoring.factories import done_run
from tests.scoring.hand import ERRORS, reversed_campaign
from tests.scoring.selectors.clusters import behind, drawn
from tests.scoring.selectors.points import points_get


def test_corpus_scores_of_systems_are_turned_as_well():
    campaign = reversed_campaign()
    run = done_run(campaign, ERRORS, higher_is_better=False)
    for label, value in (("S0", 0.2), ("S1", 0.7)):
        system = campaign.systems.get(label=label)
        run.system_scores.create(system=system, kind="corpus", value=value, n=2)
    found = str(systems_for(campaign=campaign, choice=Choice()))
    assert "-0.7" in found and "-0.2" in found


def test_stability_turns_a_metric_with_the_scale(campaign):
    """People count errors, and the metrics as they do."""
    campaign.scales.update(higher_is_better=False)
    campaign.runs.update(higher_is_better=False)
    found = stability_for(campaign=campaign, choice=Choice())["human"]["MEANING"]
    for curve in (*found["items"], *found["annotators"]):
        assert all(one["mean"] is None or one["mean"] > 0.3 for one in curve["points"]), curve


def test_intervals_of_correlation_and_systems_are_by_phrase(campaign):
    report = correlation_for(campaign=campaign, choice=Choice())
    assert drawn(report["human"]) == drawn(report["ceiling"]) == {"phrases"}
    # Of one phrase all pairs within items are ties.
    assert behind(report["human"]) == {5, 6} and behind(report["ceiling"]) == {6}
    systems = systems_for(campaign=campaign, choice=Choice())
    assert report["clusters"] == systems["clusters"] == 6
    assert drawn(systems["human"]) == {"phrases"} and behind(systems["human"]) == {6}
    stability = stability_for(campaign=campaign, choice=Choice())
    assert behind(stability["human"]) == {6}


def test_a_ranking_names_no_original_in_its_statements():
    """PostgreSQL takes 65,535 parameters. The text that its reference has is left out."""
    campaign = make_campaign(items=4, systems=3, k=1)
    exact = campaign.substitutions.get(text="system 1 paraphrase 0")
    exact.item.references.update(text=exact.sentence())
    done_run(campaign, dict(campaign.substitutions.values_list("text", "pk")))
    rows = [
        judgment_row(f"item-{item}", f"system {one} paraphrase {item}", "A", 1 + one)
        for item in (0, 1)
        for one in range(3)
    ]
    add_judgments(campaign, rows)
    with CaptureQueriesContext(connection) as seen:
        found = ranking_for(campaign=campaign, choice=Choice())["human"]["MEANING"]
    assert found["excluded"] == 1
    assert not [one for one in seen if re.search(r"item_id\" IN \(\d", one["sql"])]


# What people say and what metrics say, as columns on the same units.


@pytest.mark.parametrize("errors", [True, False])
def test_larger_is_better_in_every_column_of_correlation(errors):
    """The metric counts errors as people do, or the opposite of them."""
    campaign = reversed_campaign()
    # "one" has most errors.
    values = {text: 1 - value if errors else value for text, value in ERRORS.items()}
    run = done_run(campaign, values, higher_is_better=not errors)
    columns = columns_get(campaign=campaign)
    assert columns.turned_human == ("MEANING",)
    said, better = columns.gold["MEANING"], columns.human["MEANING"]
    assert np.allclose(better, -said) and np.nanargmax(better) == np.nanargmin(said)
    [metric] = columns.metrics.values()
    assert np.corrcoef(metric, better)[0, 1] > 0.9
    points = points_get(campaign=campaign, run=run, human="MEANING")
    assert np.corrcoef(*points.better)[0, 1] > 0.9
    report = correlation_for(campaign=campaign, choice=Choice())
    assert report["turned"] == ["MEANING"]
    assert [one["turned"] for one in report["runs"]] == [errors]
    [found] = report["human"]["MEANING"]["metrics"].values()
    assert found["pearson"]["value"] > 0.9


# Two metrics mixed, and all of them fitted to people: computed when asked for.


def test_intervals_of_mixes_are_by_phrase(campaign):
    columns = columns_get(campaign=campaign)
    first, second = columns.runs
    curve = mix_get(columns=columns, runs=(first, second), human="MEANING", scale="minmax")
    best = best_mix_get(columns=columns, human="MEANING", fit="nnls")
    for found in (curve, best):
        assert drawn(found) == {"phrases"} and behind(found.to_json()) == {6}


def test_a_phrase_of_several_items_is_held_out_whole(campaign):
    """Its texts recur in its items: a fold of one of them would be fitted on the others."""
    columns = columns_get(campaign=campaign)
    ratings = columns.ratings
    one_an_item = replace(ratings, item=np.arange(ratings.item.size))
    folds = [
        best_mix_get(columns=replace(columns, ratings=given), human="MEANING", fit="nnls").by_fold
        for given in (ratings, one_an_item, replace(ratings, phrase=one_an_item.item))
    ]
    assert folds[0] == folds[1] != folds[2]


# One metric against people, text by text: the points, and what they are when looked at.


def test_lower_is_better_turns_the_order_but_not_the_values(one_world):
    campaign, run, _ = one_world
    Run.objects.filter(pk=run.pk).update(higher_is_better=False)
    run.refresh_from_db()
    points = points_get(campaign=campaign, run=run, human="MEANING")
    higher, _lower = points.disagreements()
    assert points.metric.min() == 0 and higher[0].point.metric == 1
