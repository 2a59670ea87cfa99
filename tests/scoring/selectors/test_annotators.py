"""What is known of every annotator of a campaign; a constant number of queries."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from annotation.models import (
    Annotator,
    Campaign,
    Judgment,
    JudgmentVersion,
    Scale,
    Slot,
    Substitution,
)
from annotation.services.collecting.claiming import claim_next
from annotation.services.people.exclusions import exclusion_add
from annotation.services.quality.rules import Band, expected_set, plan_set
from scoring.models import Report
from scoring.selectors.annotators import annotators_for
from scoring.selectors.ratings.tables import ratings_get
from scoring.stats.annotators.catalogue import keys_of
from scoring.stats.annotators.statistics import annotator_statistics
from tests.factories import add_judgments, make_annotator, make_campaign, make_user, rate_sheet
from tests.scoring.selectors.clusters import drawn
from tests.scoring.selectors.ratings.hand import item_rows
from tests.scoring.selectors.small import (
    EIGHT,
    NINE,
    judged,
    numbers,
    rows_of_items,
    shown,
    small_campaign,
)
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


def test_annotators_draw_items(campaign: Campaign) -> None:
    assert drawn(annotators_for(campaign=campaign)["scales"]) == {"clusters"}


def test_the_report_holds_the_pure_statistics() -> None:
    campaign = small_campaign()
    ratings = ratings_get(campaign=campaign)
    report = annotators_for(campaign=campaign)
    codes = [voice["code"] for voice in report["voices"]]
    for name, table in ratings.tables.items():
        # The file was written from the last judgment to the first.
        order = -np.arange(float(table.n_ratings))
        pure = annotator_statistics(table, clusters=ratings.item, order=order)
        block = report["scales"][name]
        assert list(block["voices"]) == codes == ["a", "b", "c"]
        for key in keys_of("ratings"):
            assert block["methods"][key] == pure[key][0].method
            for code, estimate in zip(codes, pure[key], strict=True):
                wanted = json.loads(json.dumps(estimate.as_json()))
                found = block["voices"][code][key]
                assert {**found, "method": wanted["method"], "seed": None} == wanted
    assert block["voices"]["a"]["n_ratings"] == 2 * EIGHT
    assert block["voices"]["a"]["severity"]["ci_low"] is not None
    assert block["voices"]["a"]["trend"]["value"] is not None


def test_an_import_without_times_has_no_order_and_no_pace() -> None:
    found = numbers(small_campaign(timed=False), "a")
    for key in ("trend", "equal_neighbours", "longest_run"):
        assert found[key]["reason"] == "undefined: the order of judging is not known"
    assert found["severity"]["value"] is not None


def test_repeats_controls_and_their_bands() -> None:
    campaign = small_campaign()
    again = [
        {**row, "occasion": 2, "value": row["value"] if row["item"] != "i1" else 5}
        for row in judged()
        if row["annotator"] == "a" and row["scale"] == "MEANING" and row["item"] < "i6"
    ]
    control = {"item": "i0", "paraphrase": "a control", "role": "control", "annotator": "b"}
    add_judgments(campaign, [*again, {**control, "scale": "MEANING", "value": 3}])
    first = [row["value"] for row in judged() if row["annotator"] == "a"
             and row["scale"] == "MEANING" and row["item"] == "i1"]  # fmt: skip
    kept = 10 + sum(value == 5 for value in first)
    near = 10 + sum(value >= 4 for value in first)
    found = numbers(campaign, "a")
    assert (found["repeat_exact"]["value"], found["repeat_exact"]["n"]) == (kept / 12, 12)
    assert found["repeat_within"]["value"] == near / 12
    assert numbers(campaign, "a", "GRAMMAR")["repeat_exact"]["n"] == 0
    assert found["controls"]["reason"] == "undefined: no control was judged"
    # What was said the second time enters nothing else.
    assert found["n_ratings"] == 2 * EIGHT

    text = Substitution.objects.get(campaign=campaign, role="control")
    scale = campaign.scales.get(name="MEANING")
    page = reverse("annotators", args=[campaign.slug])
    for band, inside in ((Band(1, 2), 0), (Band(1, 3), 1)):
        expected_set(substitution=text, bands={scale: band}, actor=None)
        login("alice").get(page)
        report = Report.objects.filter(kind="annotators").latest("pk").result
        assert report["scales"]["MEANING"]["voices"]["b"]["controls"]["value"] == inside


def test_the_pace_of_sheets_judged_here_and_of_imported_judgments() -> None:
    campaign = make_campaign("paced", rows=rows_of_items(2), k=3)
    bob = make_annotator(campaign, "bob")
    for seconds in (8, 40):
        rate_sheet(bob, claim_next(annotator=bob))
        slot = Slot.objects.filter(annotator=bob, state="done").latest("done_at")
        Slot.objects.filter(pk=slot.pk).update(claimed_at=NINE + timedelta(hours=seconds))
        first = JudgmentVersion.objects.filter(judgment__slot=slot, version=1)
        first.update(recorded_at=NINE + timedelta(hours=seconds, seconds=seconds))
    answers = Judgment.objects.filter(slot__annotator=bob).count()
    report = annotators_for(campaign=campaign)
    pace = report["pace"]["voices"][bob.code]
    assert answers == 2 * (2 + 2) + 2 and pace["seconds"]["n"] == 2
    sizes = [4, 6]  # The control stands on the sheet of the first item.
    found = pace["seconds"]["value"]
    assert any(
        found == pytest.approx((8 / one + 40 / other) / 2) for one, other in (sizes, sizes[::-1])
    )
    plan_set(campaign=campaign, actor=None, changes={"fast_seconds": 5.0})
    report = annotators_for(campaign=campaign)
    assert (report["fast_seconds"], report["pace"]["voices"][bob.code]["too_fast"]["value"]) == (
        5,
        0.5,
    )

    # Imported: 70 seconds from one item's last answer to the next one's; the first has no
    # beginning. Every item has four answers.
    told = annotators_for(campaign=small_campaign())["pace"]["voices"]["a"]["seconds"]
    assert (told["n"], told["value"]) == (EIGHT - 1, 60 / 4)


def test_scales_without_an_order_have_what_has_a_meaning() -> None:
    campaign = small_campaign()
    Scale.objects.filter(campaign=campaign, name="GRAMMAR").update(level="nominal")
    found = numbers(campaign, "a", "GRAMMAR")
    assert "severity" not in found and found["agreement"]["value"] is not None
    page = login("alice").get(reverse("annotators", args=["small"]), {"scale": "GRAMMAR"})
    assert "Severity" not in re.sub(r"<title>.*?</title>", "", page.content.decode())
    key = campaign.annotators.get(code="a").key
    assert login("alice").get(reverse("annotator", args=["small", key])).status_code == 200


def test_the_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    small, large = small_campaign("one", 2), small_campaign("two", 12)
    with django_assert_num_queries(14):
        annotators_for(campaign=small)
    with django_assert_num_queries(14):
        annotators_for(campaign=large)


def test_voices_that_have_no_numbers() -> None:
    campaign = small_campaign()
    client, bob = login("alice"), make_annotator(campaign, "bob")
    page = client.get(reverse("annotator", args=["small", bob.key])).content.decode()
    assert "No judgment of this annotator counts yet" in page
    c = campaign.annotators.get(code="c")
    exclusion_add(target=c, reason="test", actor=make_user("alice"))
    page = client.get(reverse("annotator", args=["small", c.key])).content.decode()
    assert "Judgments of excluded annotators do not count" in page
    assert shown(client) == ["a", "b"]

    Annotator.objects.filter(code="a").update(origin="anonymous")
    page = client.get(reverse("annotators", args=["small"])).content.decode()
    assert "undefined: annotators are anonymous" in page and "<table" not in page
    assert annotators_for(campaign=campaign)["voices"] == []
    b = campaign.annotators.get(code="b")
    page = client.get(reverse("annotator", args=["small", b.key])).content.decode()
    assert "undefined: annotators are anonymous" in page

    empty = make_campaign("empty", rows=item_rows(), k=1)
    page = client.get(reverse("annotators", args=[empty.slug])).content.decode()
    assert "There are no judgments yet" in page
