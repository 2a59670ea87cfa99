"""Stored reports are found without computing anything."""

from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.reports.compute import StoredReport, stored_report
from tests.scoring.services.reports.files import report_of


def test_the_newest_about_all_judgments_and_whether_it_is_fresh(hand):
    assert stored_report(campaign=hand, kind="results") is None
    assert not Report.objects.exists()
    report_of(hand, "results", choice=Choice(systems=("S0",)))
    assert stored_report(campaign=hand, kind="results") is None
    report = report_of(hand, "results").report
    assert stored_report(campaign=hand, kind="results") == StoredReport(report, True)
    hand.systems.create(label="late")
    assert stored_report(campaign=hand, kind="results") == StoredReport(report, False)
