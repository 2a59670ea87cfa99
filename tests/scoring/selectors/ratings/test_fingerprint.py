"""What a report was made from, in a few index look-ups."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotator
from annotation.services.people.exclusions import exclusion_add
from scoring.models import Report
from scoring.selectors.ratings.fingerprint import OF_PEOPLE
from scoring.selectors.ratings.tables import Choice
from scoring.services.reports.compute import KINDS, report_get
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import login

pytestmark = pytest.mark.django_db


def test_reports_are_kept_until_the_data_change() -> None:
    campaign = hand_campaign()
    client = login("vera")
    address = reverse("agreement", args=[campaign.slug])
    for _ in range(3):
        client.get(address)
    assert Report.objects.filter(kind="agreement").count() == 1
    before = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    exclusion_add(target=Annotator.objects.get(code="a"), reason="x", actor=None, free_slots=False)
    after = client.get(address).context["scales"][0]["numbers"]["n_ratings"]
    assert (before, after) == (7, 4)


def test_the_end_of_a_metric_makes_no_report_of_people_again() -> None:
    campaign = hand_campaign()
    for kind in ("agreement", "correlation"):
        report_get(campaign=campaign, kind=kind, actor=None)
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    for _ in range(3):  # prepared, scored, finished
        run_work(run_pk=run.pk)
    for kind in ("agreement", "correlation"):
        report_get(campaign=campaign, kind=kind, actor=None)
    made = list(Report.objects.order_by("pk").values_list("kind", flat=True))
    assert (made.count("agreement"), made.count("correlation")) == (1, 2)
    assert set(KINDS) > OF_PEOPLE


def test_reports_of_people_read_no_scores() -> None:
    """What a fingerprint without runs leaves out, no query of theirs may read."""
    campaign = hand_campaign()
    for kind in sorted(OF_PEOPLE):
        with CaptureQueriesContext(connection) as asked:
            KINDS[kind](campaign=campaign, choice=Choice())
        read = " ".join(one["sql"] for one in asked.captured_queries)
        assert "scoring_run" not in read and "scoring_score" not in read, kind
