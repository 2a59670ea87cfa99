"""What is known of every annotator of a campaign; a constant number of queries."""

from datetime import timedelta

import numpy as np
import pytest
from django.urls import reverse

from annotation.collecting.claiming import claim_next
from annotation.models import Judgment, JudgmentVersion, Slot
from annotation.quality.expected import Band, expected_set
from annotation.quality.rules import plan_set
from scoring.annotators.report import annotators_for
from scoring.ratings.tables import ratings_get
from scoring.stats.annotators.own_judgments import annotator_statistics
from tests.clients import client_of
from tests.factories import add_judgments, make_annotator, make_campaign, rate_sheet
from tests.scoring.factories import report_of
from tests.scoring.selectors.clusters import drawn
from tests.scoring.selectors.small import (
    EIGHT,
    NINE,
    judged,
    numbers,
    rows_of_items,
    small_campaign,
)


def test_intervals_of_annotators_are_by_phrase(campaign):
    ratings, report = ratings_get(campaign=campaign), annotators_for(campaign=campaign)
    assert drawn(report["scales"]) == {"clusters"}
    voices = report["scales"]["MEANING"]["voices"]
    found = [voices[one.code]["severity"]["ci_low"] for one in ratings.annotators]
    by_phrase, by_item = (
        [one.ci_low for one in annotator_statistics(table, clusters=codes)["severity"]]
        for table in [ratings.tables["MEANING"]]
        for codes in (ratings.phrase, ratings.item)
    )
    assert found == pytest.approx(by_phrase) and found != pytest.approx(by_item)


def test_judgments_are_in_the_order_of_their_times():
    campaign = small_campaign()
    table = ratings_get(campaign=campaign).tables["MEANING"]
    # The file was written from the last judgment to the first.
    pure = annotator_statistics(table, order=-np.arange(float(table.n_ratings)))["trend"]
    found = [numbers(campaign, code)["trend"]["value"] for code in "abc"]
    assert found == [one.value for one in pure]
    assert numbers(campaign, "a")["n_ratings"] == 2 * EIGHT


def test_an_import_without_times_has_no_order_and_no_pace():
    found = numbers(small_campaign(timed=False), "a")
    for key in ("trend", "equal_neighbours", "longest_run"):
        assert found[key]["reason"] == "undefined: the order of judging is not known"
    assert found["severity"]["value"] is not None


def test_repeats_controls_and_their_bands():
    campaign = small_campaign()
    of_a = [row for row in judged() if row["annotator"] == "a" and row["scale"] == "MEANING"]
    again = [
        {**row, "occasion": 2, "value": row["value"] if row["item"] != "i1" else 5}
        for row in of_a
        if row["item"] < "i6"
    ]
    control = {"item": "i0", "paraphrase": "a control", "role": "control", "annotator": "b"}
    add_judgments(campaign, [*again, {**control, "scale": "MEANING", "value": 3}])
    first = [row["value"] for row in of_a if row["item"] == "i1"]
    found = numbers(campaign, "a")
    exact = (10 + sum(value == 5 for value in first)) / 12
    assert (found["repeat_exact"]["value"], found["repeat_exact"]["n"]) == (exact, 12)
    assert found["repeat_within"]["value"] == (10 + sum(value >= 4 for value in first)) / 12
    assert numbers(campaign, "a", "GRAMMAR")["repeat_exact"]["n"] == 0
    assert found["controls"]["reason"] == "undefined: no control was judged"
    # What was said the second time enters nothing else.
    assert found["n_ratings"] == 2 * EIGHT

    text = campaign.substitutions.get(role="control")
    scale = campaign.scales.get(name="MEANING")
    for most, inside in ((2, 0), (3, 1)):
        expected_set(substitution=text, bands={scale: Band(1, most)}, actor=None)
        scales = report_of(campaign, "annotators").result["scales"]
        assert scales["MEANING"]["voices"]["b"]["controls"]["value"] == inside


def test_the_pace_of_sheets_judged_here_and_of_imported_judgments():
    campaign = make_campaign("paced", rows=rows_of_items(2), k=3)
    bob = make_annotator(campaign, "bob")
    for seconds in (8, 40):
        rate_sheet(bob, claim_next(annotator=bob))
        slot = Slot.objects.filter(annotator=bob, state="done").latest("done_at")
        began = NINE + timedelta(hours=seconds)
        Slot.objects.filter(pk=slot.pk).update(claimed_at=began)
        first = JudgmentVersion.objects.filter(judgment__slot=slot, version=1)
        first.update(recorded_at=began + timedelta(seconds=seconds))
    pace = annotators_for(campaign=campaign)["pace"]["voices"][bob.code]["seconds"]
    assert Judgment.objects.count() == 2 * (2 + 2) + 2 and pace["n"] == 2
    # The control stands on the sheet of the first item: 4 and 6 answers, in either order.
    assert pace["value"] in (
        pytest.approx((8 / 4 + 40 / 6) / 2),
        pytest.approx((8 / 6 + 40 / 4) / 2),
    )
    plan_set(campaign=campaign, actor=None, changes={"fast_seconds": 5.0})
    report = annotators_for(campaign=campaign)
    too_fast = report["pace"]["voices"][bob.code]["too_fast"]["value"]
    assert (report["fast_seconds"], too_fast) == (5, 0.5)

    # Imported: 70 seconds from one item's last answer to the next one's; the first has no
    # beginning. Every item has four answers.
    pace = annotators_for(campaign=small_campaign())["pace"]["voices"]["a"]["seconds"]
    assert (pace["n"], pace["value"]) == (EIGHT - 1, 60 / 4)


def test_scales_without_an_order_have_what_has_a_meaning():
    campaign = small_campaign()
    campaign.scales.filter(name="GRAMMAR").update(level="nominal")
    found = numbers(campaign, "a", "GRAMMAR")
    assert "severity" not in found and found["agreement"]["value"] is not None
    key = campaign.annotators.get(code="a").key
    assert client_of("alice").get(reverse("annotator", args=["small", key])).status_code == 200


def test_the_number_of_queries_does_not_grow(django_assert_num_queries):
    for slug, items in (("one", 2), ("two", 12)):
        campaign = small_campaign(slug, items)
        with django_assert_num_queries(14):
            annotators_for(campaign=campaign)
