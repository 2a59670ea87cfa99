"""Mixes of metrics: two by weight, and the best linear one of all."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.models import Report
from scoring.selectors.correlation.columns import columns_get
from scoring.services.reports.compute import report_make
from scoring.stats.evaluation.mixes import best_mix, mix_curve
from tests.scoring.views.correlation.world import get

pytestmark = pytest.mark.django_db


def test_mixes_are_those_of_the_pure_functions(world: Any) -> None:
    campaign, client = world
    page = get(client, "mixes", scale="MEANING", scaling="z", fit="ols")
    columns = columns_get(campaign=campaign)
    human, item = columns.human["MEANING"], columns.ratings.item
    pure = mix_curve(
        human, ("bleu", columns.metrics["bleu"]), ("pinc", columns.metrics["pinc"]), item,
        scale="z",
    )  # fmt: skip
    curve = page.context["curve"]
    assert [one["pearson"]["value"] for one in curve["points"]] == [
        one.value for one in pure.pearson
    ]
    assert [point["ratio"] for point in page.context["points"]] == [
        "0:10", "2:8", "5:5", "8:2", "10:0",
    ]  # fmt: skip
    best = best_mix(human, columns.metrics, item, fit="ols")
    assert page.context["best"]["weights"] == pytest.approx(list(best.weights))
    first = campaign.runs.get(metric="bleu").key
    same = get(client, "mixes", first=first, second=first)
    assert same.context["curve"]["second"] == "pinc"
    data = get(client, "figure", "mix", "json", scale="MEANING", scaling="z").json()
    assert [one["text"] for one in data["layout"]["annotations"]] == ["2:8", "5:5", "8:2"]


@pytest.mark.parametrize("name", ["mixes", "one-metric"])
def test_a_page_that_takes_long_says_so_and_fills_itself(
    world: Any, name: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REPORT_ON_THE_SPOT = 0
    with monkeypatch.context() as patched:  # Nothing is computed within a page.
        patched.delattr("scoring.selectors.correlation.mixes.columns_get")
        patched.delattr("scoring.selectors.correlation.one_metric.columns_get")
        page = get(world[1], name, scale="GRAMMAR")
    text = page.content.decode()
    assert "The first report is being made by a worker" in text
    assert 'hx-trigger="every 4s"' in text and "<table" not in text
    assert '<option value="GRAMMAR" selected' in text, "another one can be asked for"
    waiting = Report.objects.get(kind=name)
    assert waiting.options["asked"]["scale"] == "GRAMMAR"
    report_make(report_pk=waiting.pk)
    text = get(world[1], name, scale="GRAMMAR").content.decode()
    assert "being made" not in text and "<table" in text
    assert Report.objects.count() == 1
