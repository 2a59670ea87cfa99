"""The figures of the correlation pages by name: what is asked for, and what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.errors import NotFound
from annotation.models import Campaign
from scoring.selectors.correlation.figures import FIGURES, FigureRequest, figure_get
from scoring.selectors.ratings.tables import Choice
from scoring.services.reports.compute import KINDS
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run

pytestmark = pytest.mark.django_db


def asked(campaign: Campaign, report: Any = None, **data: str) -> FigureRequest:
    def found(kind: str, about: Any = None) -> Any:
        if report is None:
            return KINDS[kind](campaign=campaign, choice=Choice(), asked=about)
        return report[kind]

    return FigureRequest(campaign, Choice(), data, found)


@pytest.fixture
def hand() -> Campaign:
    """With one metric that agrees with people."""
    campaign = hand_campaign()
    done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    return campaign


def run_key(campaign: Campaign) -> str:
    return str(campaign.runs.get().key)


def test_points_are_the_texts_with_metric_and_scale(hand: Campaign) -> None:
    figure = figure_get(name="scatter", asked=asked(hand, run=run_key(hand), scale="MEANING"))
    [series] = figure.series
    assert sorted(zip(series.x, series.y, strict=True)) == [(0.1, 1), (0.5, 3), (0.9, 4.5)]
    assert figure.x.title == "bleu"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("nothing", {"scale": "MEANING"}),
        ("scatter", {"scale": "nothing"}),
        ("scatter", {"scale": "MEANING", "run": "nothing"}),
        ("mix", {"scale": "MEANING"}),  # Of one metric.
    ],
)
def test_what_is_not_there_is_not_found(hand: Campaign, name: str, data: dict[str, str]) -> None:
    with pytest.raises(NotFound):
        figure_get(name=name, asked=asked(hand, **{"run": run_key(hand), **data}))


def test_where_all_texts_pass_there_is_no_curve(hand: Campaign) -> None:
    data = {"run": run_key(hand), "scale": "MEANING"}
    assert figure_get(name="roc", asked=asked(hand, **data)).series
    hand.scales.update(threshold=1)
    with pytest.raises(NotFound, match="no text passes, or all do"):
        figure_get(name="roc", asked=asked(hand, **data))


@pytest.mark.parametrize(
    ("by", "name"), [("spearman", "spearman"), ("nonsense", "pearson"), ("", "pearson")]
)
def test_stability_is_drawn_by_a_coefficient_that_is_computed(
    hand: Campaign, by: str, name: str
) -> None:
    points = [{"size": 1, "mean": 0.5, "low": 0.4, "high": 0.6}]
    curves = [
        {"metric": one, "coefficient": one, "points": points} for one in ("pearson", "spearman")
    ]
    report = {"stability": {"human": {"MEANING": {"items": curves, "annotators": []}}}}
    figure = figure_get(name="by-items", asked=asked(hand, report, scale="MEANING", by=by))
    assert [one.name for one in figure.series] == [name]
    with pytest.raises(NotFound):
        figure_get(name="by-annotators", asked=asked(hand, report, scale="MEANING", by=by))
    assert {"by-items", "by-annotators"} <= set(FIGURES)
