"""Reports that workers make: what becomes of one that failed."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.campaigns.services import threshold_set
from annotation.models import Judgment
from paraanno.jobs.engine import job_work
from scoring.models import Look, Report, Run, TrendPoint
from scoring.ratings.choice import Choice
from scoring.reports import compute
from scoring.reports.compute import TRY_AGAIN, ReportView
from scoring.runs.queries import UnderWay
from tests.factories import add_judgments, judgment_row
from tests.scoring.factories import done_run, report_of, started
from tests.scoring.hand import exclude, hand_campaign
from tests.scoring.selectors.rows import admin_page, row_of

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


# How often comparisons were looked at while judgments arrived.


def looks(campaign, kind="results", **choice):
    view = report_of(campaign, kind, choice=Choice.from_json(choice))
    assert view.fresh
    return view.result.get("looks")


def another(campaign):
    """A judgment more."""
    code = f"d{Judgment.objects.count()}"
    row = judgment_row("i1", "two", code, 3)
    add_judgments(campaign, [row])


@pytest.mark.slow
def test_every_state_counts_once(capsys, hand):
    assert (looks(hand)["states"], looks(hand)["told"]) == (1, None)
    assert looks(hand, systems=["S0", "S1"])["states"] == 1
    assert looks(hand, "results-gold", method="median")["states"] == 1
    another(hand)
    call_command("results", hand.slug, json=True)
    assert json.loads(capsys.readouterr().out)["looks"]["states"] == 2
    Report.objects.all().delete()
    assert looks(hand, "results-gold")["states"] == looks(hand)["states"] == 2
    another(hand)
    found = looks(hand)
    assert found["states"] == 3 and "3 states" in found["told"]
    call_command("results", hand.slug)
    assert found["told"] in capsys.readouterr().out
    # One as of a day tells the number, and is no look at what is there now.
    another(hand)
    assert looks(hand, as_of=f"{timezone.now():%Y-%m-%d}")["states"] == 3
    assert looks(hand, "agreement") is None


def test_exclusions_and_thresholds_make_states_and_names_make_none(hand):
    looks(hand)
    hand.systems.filter(label="S0").update(label="S9")
    assert looks(hand)["states"] == 1
    exclude(hand.annotators.get(code="a"))
    assert looks(hand)["states"] == 2
    threshold_set(scale=hand.scales.get(name="MEANING"), threshold=2, actor=None)
    assert looks(hand)["states"] == 3


def test_what_compares_nothing_is_no_look(hand):
    assert looks(hand, systems=["S0"]) is None
    assert looks(hand, "correlation") is None  # No metric.
    assert not Look.objects.exists()


def test_looks_before_they_were_counted_are_unknown(hand):
    """A site that is older than the count has rows without a state."""
    Look.objects.create(campaign=hand, about="results", state="")
    found = looks(hand)
    assert (found["states"], found["unknown_before"]) == (1, True)
    assert "not known" in found["told"]


# Keeping the main numbers of reports for the overview's course of time.


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
