"""One metric against people: scatter, regions, disagreements, values, ROC; and figures as files."""

from datetime import date

import numpy as np
import pytest

from scoring.correlation.one_metric import points_asked
from scoring.correlation.report import columns_get
from scoring.models import TrendPoint
from scoring.stats.evaluation.one_metric import roc_curves
from tests.clients import html_of
from tests.scoring.views.correlation.world import figure_rows
from tests.scoring.views.site import done_run


@pytest.fixture
def look(one_world):
    """The page about the one run and MEANING, or what is at another address about them."""
    _campaign, run, client = one_world

    def answer(address="metric/", headers=None, **more):
        query = {"run": run.key, "scale": "MEANING", **more}
        return client.get(f"/c/world/correlation/{address}", query, headers=headers)

    return answer


def test_the_page_lists_where_metric_and_people_disagree(look):
    page = look()
    (_, higher), (_, lower) = page.context["sides"]
    assert (higher[0][0].point.metric, higher[0][0].point.human) == (11, 1)
    assert (lower[0][0].point.metric, lower[0][0].point.human) == (0, 5)
    assert "disagree most" in html_of(page)


def test_a_region_lists_its_texts_with_and_without_scripts(look):
    for address in ("metric/", "texts/"):
        page = look(address, x0="2", x1="9", y1="2")
        assert [point.metric for point, _ in page.context["listed"]] == [2, 3, 4, 5]
        assert page.context["inside"] == 4 and "4 texts in this region" in html_of(page)
    assert look("texts/", x0="2", x1="", y1="x").context["inside"] == 10


def test_figures_have_the_curve_of_the_pass_decision_and_values_at_each_human_value(
    one_world, look
):
    columns = columns_get(campaign=one_world[0])
    assert np.nansum(columns.passed) == 4  # meaning >= 3 and grammar >= 4: the 4s and 5s
    pure = roc_curves(columns.passed, columns.metrics)["bleu"]
    about = {"run": one_world[1].key, "scale": "MEANING"}
    curve, values = (figure_rows(name, **about) for name in ("roc", "values"))
    assert [(float(row[1]), float(row[2])) for row in curve] == [point[:2] for point in pure.curve]
    assert [(row[1], float(row[2])) for row in values[:5]] == [
        ("1", 2),
        ("2", 4),
        ("3", 6.5),
        ("4", 8.5),
        ("5", 5),
    ]


def test_many_texts_are_shown_as_a_density(look, one_world, monkeypatch):
    monkeypatch.setattr("scoring.correlation.one_metric.MOST_POINTS", 11)
    rows = figure_rows("scatter", run=one_world[1].key, scale="MEANING")
    assert sum(int(float(row[3])) for row in rows) == 12
    assert html_of(look()).count("<rect x=") == len(rows)


def test_the_metric_that_agreed_best_is_shown_first(one_world):
    campaign, bleu, _client = one_world
    pinc = done_run(campaign, {}, spec="pinc")
    for label, run in (("pinc", pinc), ("bleu", bleu), ("gone", bleu)):
        TrendPoint.objects.update_or_create(
            campaign=campaign,
            kind="correlation",
            day=date(2026, 1, 2),
            defaults={"numbers": {"MEANING": [0.5, 0.4, 0.6, label]}},
        )
        assert points_asked(campaign=campaign, data={})["run"] == str(run.key)
