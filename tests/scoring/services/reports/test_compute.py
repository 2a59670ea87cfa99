"""Reports that workers make: what becomes of one that failed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from paraanno.jobs.engine import job_work
from scoring.models import Report, Run
from scoring.ratings.choice import Choice
from scoring.reports import compute
from scoring.reports.compute import TRY_AGAIN, ReportView
from scoring.runs.queries import UnderWay
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.reports.files import report_of
from tests.scoring.services.runs.started import started
from tests.scoring.views.site import done_run

SCORES = {"one": 0.9, "two": 0.5, "three": 0.1}


def test_a_failed_report_is_tried_again_when_somebody_asks_later(settings, monkeypatch):
    settings.REPORT_ON_THE_SPOT = 0  # Too large for a page.
    campaign = hand_campaign()

    def waiting():
        view = report_of(campaign, "results")
        assert view.report is None
        return view.waiting

    def broken(**_):
        raise MemoryError("a neighbour needed it all")

    with monkeypatch.context() as patched:
        patched.setitem(compute.KINDS, "results", broken)
        job_work("report", waiting().pk)
    failed = waiting()
    assert failed.status == "failed" and "more memory" in failed.error
    long_ago = timezone.now() - TRY_AGAIN - timedelta(minutes=1)
    Report.objects.update(finished_at=long_ago)
    again = waiting()
    assert (again.pk, again.status, again.error) == (failed.pk, "queued", "")
    job_work("report", again.pk)
    assert report_of(campaign, "results") == ReportView(again, True)


@pytest.mark.slow
def test_reports_about_chosen_judgments_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(compute, "KEPT_CHOSEN", 2)
    campaign = hand_campaign()
    report_of(campaign)
    for day in range(1, 6):
        report_of(campaign, choice=Choice(since=f"2020-01-0{day}"))
    assert list(Report.objects.order_by("pk").values_list("options", flat=True)) == [
        {},
        {"since": "2020-01-04"},
        {"since": "2020-01-05"},
    ]


def test_reports_with_a_line_for_every_text_do_not_pile_up(
    monkeypatch,
):
    """Equal questions share one, also where they leave open what is asked."""
    monkeypatch.setitem(compute.KEPT_LARGE, "one-metric", 1)
    campaign = hand_campaign()
    run = done_run(campaign, SCORES)
    for asked in ({"scale": "GRAMMAR"}, {}, {"run": str(run.key), "scale": "MEANING", "x0": "1"}):
        view = report_of(campaign, "one-metric", parameters=asked)
        assert view.fresh and view.result["human"] == asked.get("scale", "MEANING")
    assert Report.objects.get().options == {"asked": {"run": str(run.key), "scale": "MEANING"}}


def test_the_first_report_of_a_page_waits_for_runs_that_are_under_way(hand):
    run = started(hand, "pinc")

    def view():
        return report_of(hand, "correlation", after_runs=True)

    done_run(hand, SCORES)
    assert view() == ReportView(None, False, under_way=UnderWay(1, 2))
    assert not Report.objects.exists()
    # A run that takes long keeps nobody waiting.
    Run.objects.filter(pk=run.pk).update(created_at=run.created_at - timedelta(minutes=3))
    first = view()
    assert first.fresh and first.under_way is None
    # Another run does not hide the report that there is.
    started(hand, "jaccard")
    done_run(hand, {**SCORES, "one": 0.8}, spec="self_bleu")
    assert view().report is not None
