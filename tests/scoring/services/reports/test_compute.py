"""Reports that workers make: what becomes of one that failed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Campaign
from scoring.models import Report, Run
from scoring.selectors.ratings.choice import Choice
from scoring.selectors.runs import UnderWay
from scoring.services.reports import compute as reports
from scoring.services.reports.compute import TRY_AGAIN, ReportView, report_get, report_make
from scoring.services.runs.start import run_start
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(settings: Any) -> Campaign:
    """A campaign whose reports are too large for a page."""
    settings.REPORT_ON_THE_SPOT = 0
    return hand_campaign()


def asked(campaign: Campaign) -> Report:
    view = report_get(campaign=campaign, kind="results", actor=None)
    assert view.report is None and view.waiting is not None
    return view.waiting


def test_a_failed_report_is_tried_again_when_somebody_asks_later(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: Any) -> Any:
        raise MemoryError("a neighbour needed it all")

    with monkeypatch.context() as patched:
        patched.setitem(reports.KINDS, "results", broken)
        report_make(report_pk=asked(campaign).pk)
    failed = asked(campaign)
    assert failed.status == "failed" and "neighbour" in failed.error
    long_ago = timezone.now() - TRY_AGAIN - timedelta(minutes=1)
    Report.objects.filter(pk=failed.pk).update(finished_at=long_ago)
    again = asked(campaign)
    assert (again.pk, again.status, again.error) == (failed.pk, "queued", "")
    report_make(report_pk=again.pk)
    view = report_get(campaign=campaign, kind="results", actor=None)
    assert view.fresh and view.report is not None and view.report.pk == failed.pk


def test_reports_about_chosen_judgments_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "KEPT_CHOSEN", 2)
    campaign = hand_campaign()
    report_get(campaign=campaign, kind="agreement", actor=None)
    for day in range(1, 6):
        choice = Choice(since=f"2020-01-0{day}")
        report_get(campaign=campaign, kind="agreement", actor=None, choice=choice)
    kept = [report.options for report in Report.objects.order_by("pk")]
    assert kept == [{}, {"since": "2020-01-04"}, {"since": "2020-01-05"}]


def test_reports_with_a_line_for_every_text_do_not_pile_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Equal questions share one, also where they leave open what is asked."""
    monkeypatch.setitem(reports.KEPT_LARGE, "one-metric", 1)
    campaign = hand_campaign()
    run = done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    for asked in ({"scale": "GRAMMAR"}, {}, {"run": str(run.key), "scale": "MEANING", "x0": "1"}):
        view = report_get(campaign=campaign, kind="one-metric", actor=None, asked=asked)
        assert view.fresh and view.result["human"] == asked.get("scale", "MEANING")
    [kept] = Report.objects.all()
    assert kept.options == {"asked": {"run": str(run.key), "scale": "MEANING"}}


def test_the_first_report_of_a_page_waits_for_runs_that_are_under_way() -> None:
    campaign = hand_campaign()
    run = run_start(campaign=campaign, spec="pinc", actor=None)

    def view() -> ReportView:
        return report_get(campaign=campaign, kind="correlation", actor=None, after_runs=True)

    done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    assert view() == ReportView(None, False, under_way=UnderWay(1, 2))
    assert not Report.objects.exists()
    # A run that takes long keeps nobody waiting.
    Run.objects.filter(pk=run.pk).update(created_at=run.created_at - timedelta(minutes=3))
    first = view()
    assert first.fresh and first.under_way is None
    # Another run does not hide the report that there is.
    run_start(campaign=campaign, spec="jaccard", actor=None)
    done_run(campaign, {"one": 0.8, "two": 0.5, "three": 0.1}, spec="self_bleu")
    assert view().report is not None
