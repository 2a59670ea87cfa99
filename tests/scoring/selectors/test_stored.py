"""Stored reports are found without computing anything."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import Report
from scoring.ratings.choice import Choice
from scoring.reports.compute import SECONDS, StoredReport, estimated_seconds, stored_report
from tests.scoring.factories import done_run, report_of
from tests.scoring.services.at_work import beat


def test_the_newest_about_all_judgments_and_whether_it_is_fresh(hand):
    assert stored_report(campaign=hand, kind="results") is None
    assert not Report.objects.exists()
    report_of(hand, "results", choice=Choice(systems=("S0",)))
    assert stored_report(campaign=hand, kind="results") is None
    report = report_of(hand, "results").report
    assert stored_report(campaign=hand, kind="results") == StoredReport(report, True)
    hand.systems.create(label="late")
    assert stored_report(campaign=hand, kind="results") == StoredReport(report, False)


# Reports that take longer than a page waits are left to a worker, if there is one.


@pytest.mark.slow
def test_a_page_waits_for_nothing_that_takes_long(hand):
    first = report_of(hand, "influence")
    assert first.fresh
    slow = timezone.now() - timedelta(seconds=2 * SECONDS)
    Report.objects.update(started_at=slow, finished_at=timezone.now(), fingerprint="older")
    alone = report_of(hand, "influence")
    assert alone.fresh, "no worker could make it"
    Report.objects.filter(fingerprint=alone.report.fingerprint).delete()
    beat(queues=["paraanno"])
    waits = report_of(hand, "influence")
    assert not waits.fresh and waits.report == first.report
    assert waits.waiting.status == "queued"
    assert report_of(hand, "gold").fresh


@pytest.mark.once  # Counts what the test before writes.
def test_the_estimate_grows_with_judgments_annotators_and_runs(hand):

    def seconds(kind, judgments):
        return estimated_seconds(campaign=hand, kind=kind, judgments=judgments)

    people = hand.annotators.count()
    some = seconds("influence", 100)
    assert seconds("influence", 200) == 2 * some > 0
    hand.annotators.create(code="new")
    assert seconds("influence", 100) == pytest.approx(some * (people + 1) / people)
    assert seconds("correlation", 9000) == 0
    done_run(hand, {"one": 0.9})
    one = seconds("mixes", 9000)
    done_run(hand, {"one": 0.9}, spec="pinc")
    assert seconds("mixes", 9000) == 2 * one > 0
