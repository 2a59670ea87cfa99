"""Mixes of metrics: two by weight, and the best linear one of all."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.selectors.correlation.columns import columns_get
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
    assert [one.value for one in curve.pearson] == [one.value for one in pure.pearson]
    assert [point["ratio"] for point in page.context["points"]] == [
        "0:10", "2:8", "5:5", "8:2", "10:0",
    ]  # fmt: skip
    best = best_mix(human, columns.metrics, item, fit="ols")
    assert page.context["best"].weights == best.weights
    first = campaign.runs.get(metric="bleu").key
    same = get(client, "mixes", first=first, second=first)
    assert same.context["second"].metric == "pinc"
    data = get(client, "figure", "mix", "json", scale="MEANING", scaling="z").json()
    assert [one["text"] for one in data["layout"]["annotations"]] == ["2:8", "5:5", "8:2"]
