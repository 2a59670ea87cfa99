"""Stored reports are found without computing anything."""

from __future__ import annotations

import pytest

from annotation.models import System
from scoring.models import Report
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.stored import stored_report
from scoring.services.reports.compute import report_get
from tests.scoring.selectors.ratings.hand import hand_campaign

pytestmark = pytest.mark.django_db


def test_the_newest_about_all_judgments_and_whether_it_is_fresh() -> None:
    campaign = hand_campaign()
    assert stored_report(campaign=campaign, kind="results") is None
    assert not Report.objects.exists()
    report_get(campaign=campaign, kind="results", actor=None, choice=Choice(systems=("S0",)))
    assert stored_report(campaign=campaign, kind="results") is None
    view = report_get(campaign=campaign, kind="results", actor=None)
    found = stored_report(campaign=campaign, kind="results")
    assert found is not None and found.report == view.report and found.fresh
    System.objects.create(campaign=campaign, label="late")
    later = stored_report(campaign=campaign, kind="results")
    assert later is not None and later.report == view.report and not later.fresh
