"""What administrators see of every campaign, in a constant number of queries."""

from __future__ import annotations

import pytest
from django.db import connection

from scoring.models import Run
from scoring.selectors.overview import overview_rows
from scoring.services.reports.compute import report_get
from tests.factories import add_items, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.selectors.rows import admin_page, row_of
from tests.scoring.views.site import done_run

pytestmark = pytest.mark.django_db


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


def test_queries_do_not_grow_with_the_campaigns(django_assert_num_queries) -> None:
    campaigns = [hand_campaign()]
    done_run(campaigns[0], {})
    # PostgreSQL is asked for the time as well.
    queries = 6 if connection.vendor == "postgresql" else 5
    with django_assert_num_queries(queries):
        overview_rows(campaigns)
    for number in range(3):
        campaigns.append(make_campaign(f"more-{number}", items=1, cast=False))
        done_run(campaigns[-1], {})
    with django_assert_num_queries(queries):
        assert len(overview_rows(campaigns)) == 4
    assert Run.objects.count() == 4
