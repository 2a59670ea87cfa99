"""The figures of the correlation pages by name: what is asked for, and what is not there."""

import pytest

from annotation.errors import NotFound
from scoring.correlation.figures import FigureRequest, figure_get
from scoring.ratings.choice import Choice
from scoring.reports.compute import KINDS
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run


def figure(campaign, name, report=None, **data):
    """The figure of a report, by default of one that is computed, of the campaign's one run."""

    def found(kind, about=None):
        if report is None:
            return KINDS[kind](campaign=campaign, choice=Choice(), parameters=about)
        return report[kind]

    data = {"run": str(campaign.runs.get().key), "scale": "MEANING", **data}
    return figure_get(name=name, request=FigureRequest(campaign, Choice(), data, found))


@pytest.fixture
def hand():
    """With one metric that agrees with people."""
    campaign = hand_campaign()
    done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    return campaign


def test_points_are_the_texts_with_metric_and_scale(hand):
    scatter = figure(hand, "scatter")
    [series] = scatter.series
    assert sorted(zip(series.x, series.y, strict=True)) == [(0.1, 1), (0.5, 3), (0.9, 4.5)]
    assert scatter.x.title == "BLEU"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nothing", {}),
        ("scatter", {"scale": "nothing"}),
        ("scatter", {"run": "nothing"}),
        ("mix", {}),  # Of one metric.
    ],
)
def test_what_is_not_there_is_not_found(hand, name, data):
    with pytest.raises(NotFound):
        figure(hand, name, **data)


def test_where_all_texts_pass_there_is_no_curve(hand):
    assert figure(hand, "roc").series
    hand.scales.update(threshold=1)
    with pytest.raises(NotFound, match="no text passes, or all do"):
        figure(hand, "roc")


@pytest.mark.parametrize(
    ("by", "name"), [("spearman", "spearman"), ("nonsense", "pearson"), ("", "pearson")]
)
def test_stability_is_drawn_by_a_coefficient_that_is_computed(hand, by, name):
    points = [{"size": 1, "mean": 0.5, "low": 0.4, "high": 0.6}]
    curves = [
        {"metric": one, "coefficient": one, "points": points} for one in ("pearson", "spearman")
    ]
    report = {"stability": {"human": {"MEANING": {"items": curves, "annotators": []}}}}
    assert [one.name for one in figure(hand, "by-items", report, by=by).series] == [name]
    with pytest.raises(NotFound, match="nothing to draw"):
        figure(hand, "by-annotators", report, by=by)
