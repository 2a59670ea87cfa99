"""The administrators' overview: numbers, their course, alerts; a constant number of queries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Campaign, Slot
from scoring.models import Report, Run, TrendPoint
from scoring.selectors.choice import Choice
from scoring.selectors.overview import Row, overview_rows
from scoring.services.reports import report_get
from scoring.views import sparks
from tests.bridge.hand import hand_campaign
from tests.factories import add_items, make_admin, make_annotator, make_campaign, rate_all
from tests.scoring_pages.test_pages import done_run

pytestmark = pytest.mark.django_db


def row_of(campaign: Campaign) -> Row:
    [row] = overview_rows([campaign])
    return row


def admin_page() -> str:
    client = Client()
    client.force_login(make_admin())
    return client.get(reverse("overview")).content.decode()


def test_shows_the_alpha_that_fits_the_level_and_warns_below_the_convention() -> None:
    campaign = hand_campaign()
    report = report_get(campaign=campaign, kind="agreement", actor=None)
    expected = report.result["scales"]["MEANING"]["alpha_ordinal"]
    first = row_of(campaign).alphas[0]
    assert (first.scale, first.value, first.name) == (
        "MEANING", expected["value"], "alpha_ordinal",
    )  # fmt: skip
    assert (first.low, first.high) == (expected["ci_low"], expected["ci_high"])
    low = [one.scale for one in row_of(campaign).low_alphas]
    assert low == [one.scale for one in row_of(campaign).alphas if one.value < 0.667]
    page = admin_page()
    assert f"{expected['value']:.2f}" in page and page.count("below 0.667") == len(low) > 0


def test_the_best_metric_is_the_one_that_correlates_best() -> None:
    campaign = hand_campaign()
    done_run(campaign, {"one": 9, "two": 5, "three": 1}, spec="bleu")
    done_run(campaign, {"one": 1, "two": 5, "three": 6}, spec="pinc")
    report = report_get(campaign=campaign, kind="correlation", actor=None)
    found = {one.scale: (one.name, one.value) for one in row_of(campaign).best}
    for human, numbers in report.result["human"].items():
        values = {name: one["pearson"]["value"] for name, one in numbers["metrics"].items()}
        label = max(values, key=lambda name: values[name])
        assert found[human] == (label, values[label])
    assert "Best metric" in admin_page()


def test_the_course_of_earlier_days_stays_when_reports_go() -> None:
    campaign = hand_campaign()
    report_get(campaign=campaign, kind="agreement", actor=None)
    today = TrendPoint.objects.get()
    TrendPoint.objects.create(
        campaign=campaign, kind="agreement", day=today.day - timedelta(days=3),
        numbers={"MEANING": [0.5, None, None, "alpha_ordinal"]},
    )  # fmt: skip
    Report.objects.all().delete()
    alphas = {one.scale: one for one in row_of(campaign).alphas}
    assert alphas["MEANING"].course == (0.5, today.numbers["MEANING"][0])
    assert len(alphas["GRAMMAR"].course) == 1
    assert 'aria-label="Course: 0.50' in admin_page()


def test_reports_about_chosen_judgments_leave_no_trace() -> None:
    campaign = hand_campaign()
    report_get(
        campaign=campaign, kind="agreement", actor=None,
        choice=Choice.from_json({"systems": ["S0"]}),
    )  # fmt: skip
    report_get(campaign=campaign, kind="results", actor=None)
    assert not TrendPoint.objects.exists()


def test_a_run_is_outdated_once_outputs_came_after_it() -> None:
    campaign = hand_campaign()
    run = done_run(campaign, {"one": 9, "two": 5, "three": 1})
    assert row_of(campaign).outdated == ()
    add_items(
        campaign,
        [{"item": "i9", "phrase": "new", "sentence": "A new one.", "paraphrase": "fresh",
          "system": "S0"}],
    )  # fmt: skip
    assert row_of(campaign).outdated == (run,)
    assert "is older than the newest text" in admin_page()
    newer = done_run(campaign, {"one": 9, "fresh": 5})
    assert row_of(campaign).outdated == () and row_of(campaign).last_run == newer


def test_a_campaign_without_progress_for_a_week_is_named() -> None:
    campaign = make_campaign(items=2)
    assert row_of(campaign).quiet_since is None
    old = timezone.now() - timedelta(days=8)
    Campaign.objects.update(opened_at=old)
    assert row_of(campaign).quiet_since == old
    assert "nobody has taken or finished one" in admin_page()
    rate_all(make_annotator(campaign), at_most=1)
    assert row_of(campaign).quiet_since is None
    assert sum(row_of(campaign).per_day) == row_of(campaign).per_day[-1] == 1
    Slot.objects.filter(state=Slot.State.DONE).update(done_at=old)
    Slot.objects.exclude(claimed_at=None).update(claimed_at=old)
    assert row_of(campaign).quiet_since == old
    Campaign.objects.update(status=Campaign.Status.CLOSED, closed_at=timezone.now())
    assert row_of(campaign).quiet_since is None


def test_queries_do_not_grow_with_the_campaigns(django_assert_num_queries) -> None:
    campaigns = [hand_campaign()]
    with django_assert_num_queries(5):
        overview_rows(campaigns)
    for number in range(3):
        campaigns.append(make_campaign(f"more-{number}", items=1, cast=False))
        done_run(campaigns[-1], {})
    with django_assert_num_queries(5):
        assert len(overview_rows(campaigns)) == 4
    assert Run.objects.count() == 3


def test_drawings() -> None:
    assert sparks.bars([0, 0]) == "" and sparks.line([0.5], low=0, high=1) == ""
    assert sparks.bars([0, 2]) == "M84.0 24V0.0"
    assert sparks.line([0, 1, 2], low=0, high=1) == "M1.0 23.0L56.0 1.0L111.0 1.0"
