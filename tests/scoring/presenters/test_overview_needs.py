"""What of the analysis needs somebody."""

from datetime import UTC, date, datetime, timedelta

import pytest

from annotation.sheets.progress import WorkCourse
from scoring.http.overview import analysis_needs
from scoring.models import Run, TrendPoint
from tests.factories import add_items, item_rows
from tests.scoring.factories import done_run

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 22, tzinfo=UTC)


def said(campaign, done=1):
    found = analysis_needs({campaign: WorkCourse(NOW, 9, done, ())})
    return [f"{need.sentence} ({need.fact})" for _campaign, need in found]


def test_metrics_that_lack_scores(hand):
    assert said(hand) == ["No metric was run (scores need no judgments)"]
    assert said(hand, done=0) == []
    run = done_run(hand, {})
    assert said(hand) == []
    rows = [{**row, "sentence": f"New: {row['sentence']}"} for row in item_rows(1, 2)]
    add_items(hand, [{**row, "item": f"new {row['item']}"} for row in rows])
    assert said(hand) == ["2 new texts have no scores (1 metric is to be updated)"]
    Run.objects.filter(pk=run.pk).update(status="failed", error="It broke.")
    assert said(hand) == ["1 metric run failed (the run says why)"]


def test_agreement_that_is_low_or_falls(hand):
    done_run(hand, {})
    today = date(2026, 11, 22)
    for ago, value in ((30, 0.95), (5, 0.80), (0, 0.70)):
        TrendPoint.objects.create(
            campaign=hand,
            kind="agreement",
            day=today - timedelta(days=ago),
            numbers={
                "M": [value, value - 0.1, value + 0.1, "alpha_ordinal"],
                "G": [0.5, 0.4, 0.6, "alpha_ordinal"],
                "WIDE": [0.5, 0.2, 0.7, "alpha_ordinal"],
                "FEW": [0.5, None, None, "alpha_ordinal"],
                "N": [None, None, None, ""],
            },
        )
    assert said(hand) == [
        "Agreement on M fell by .10 since 17 Nov (now .70 [.60, .80])",
        "Agreement on G is low (.50 [.40, .60]; .667 is the minimum for tentative conclusions)",
    ]
