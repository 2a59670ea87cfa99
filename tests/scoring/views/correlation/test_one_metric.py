"""One metric against people: scatter, regions, disagreements, values, ROC; and figures as files."""

from datetime import date

import numpy as np
import pytest

from scoring.correlation import more_views
from scoring.correlation.one_metric import points_asked
from scoring.correlation.report import columns_get
from scoring.models import TrendPoint
from scoring.stats.evaluation.one_metric import roc_curves
from tests.clients import html_of
from tests.scoring.factories import done_run, stored
from tests.scoring.views.correlation.world import figure_rows, get


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


# Metrics and people over systems, by amount of data, and as a ranking of paraphrases.


def test_ranking_leaves_out_what_equals_a_reference(world):
    numbers = get("ranking/", scale="MEANING").context["numbers"]
    assert numbers["excluded"] == 1
    # A table in the form of White heads what it has: its corner is empty, so it heads nothing.
    with stored("ranking") as result:
        result["human"]["MEANING"] |= {
            "tests": [{"column": "a", "other": "b", "mcnemar_p": 0.1, "swap_p": 0.2}],
            "table": [["", "bleu"], ["Model + metric", "50.0"]],
        }
    head = html_of(get("ranking/", scale="MEANING")).split("With models")[1].split("</thead>")[0]
    assert head.count("<th ") == 1 and head.count("<td></td>") == 1 and ">bleu</th>" in head


def test_many_metrics_are_not_all_drawn_nor_listed_at_length(world, monkeypatch):
    html = html_of(get("stability/"))
    assert "Drawn: the" not in html and "<summary>How many phrases" not in html
    monkeypatch.setattr(more_views, "MOST_LINES", 1)
    with stored("stability") as result:
        result["human"]["MEANING"]["power"] *= 16
    html = html_of(get("stability/"))
    assert "Drawn: the 1 metrics of 2 that are highest with all data." in html
    assert "<summary>How many phrases are needed to distinguish two metrics: 16 pairs" in html


# Mixes of metrics: two by weight, and the best linear one of all.


def test_the_ratios_of_the_curve_are_marked(world):
    page = get("mixes/", scale="MEANING", scaling="z")
    ratios = [point["ratio"] for point in page.context["points"]]
    assert ratios == ["0:10", "2:8", "5:5", "8:2", "10:0"]
    assert all(f'dx="4">{one}</text>' in html_of(page) for one in ratios[1:4])
    first = world.runs.get(metric="bleu").key
    assert get("mixes/", first=first, second=first).context["curve"]["second"] == "pinc"
