"""The stored reports about metrics and people."""

import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.correlation.report import correlation_for, ranking_for, stability_for, systems_for
from scoring.ratings.choice import Choice
from tests.factories import add_judgments, make_campaign
from tests.scoring.selectors.clusters import behind, drawn
from tests.scoring.selectors.ratings.reversed import ERRORS, reversed_campaign
from tests.scoring.views.site import done_run


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
        {
            "item": f"item-{item}",
            "paraphrase": f"system {one} paraphrase {item}",
            "annotator": "A",
            "scale": "MEANING",
            "value": 1 + one,
        }
        for item in (0, 1)
        for one in range(3)
    ]
    add_judgments(campaign, rows)
    with CaptureQueriesContext(connection) as seen:
        found = ranking_for(campaign=campaign, choice=Choice())["human"]["MEANING"]
    assert found["excluded"] == 1
    assert not [one for one in seen if re.search(r"item_id\" IN \(\d", one["sql"])]
