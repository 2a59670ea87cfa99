"""Keeping the main numbers of reports for the overview's course of time."""

from datetime import timedelta

import pytest

from scoring.models import Report, TrendPoint
from scoring.ratings.choice import Choice
from tests.scoring.selectors.rows import admin_page, row_of
from tests.scoring.services.reports.files import report_of


@pytest.mark.slow
def test_reports_about_all_judgments_leave_a_course_that_stays_when_they_go(hand):
    report_of(hand, choice=Choice(systems=("S0",)))
    report_of(hand, "results")
    assert not TrendPoint.objects.exists()
    report_of(hand)
    today = TrendPoint.objects.get()
    TrendPoint.objects.create(
        campaign=hand,
        kind="agreement",
        day=today.day - timedelta(days=3),
        numbers={"MEANING": [0.5, None, None, "alpha_ordinal"]},
    )
    Report.objects.all().delete()
    alphas = {one.scale: one for one in row_of(hand).alphas}
    assert alphas["MEANING"].course == (0.5, today.numbers["MEANING"][0])
    assert len(alphas["GRAMMAR"].course) == 1
    assert 'aria-label="Over time: 0.50' in admin_page()
