"""Metrics and people over systems, by amount of data, and as a ranking of paraphrases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring.models import Report
from scoring.selectors.correlation.columns import columns_get
from scoring.stats.evaluation.ranking import paraphrase_ranking
from scoring.views.correlation import systems_stability_ranking as views
from tests.scoring.views.correlation.world import ITEMS, SYSTEMS, get

pytestmark = pytest.mark.django_db


def test_systems_by_means_and_corpus_scores(world: Any) -> None:
    campaign, client = world
    page = get(client, "correlation-systems", metric="bleu")
    (_, means), (_, corpus) = page.context["tables"]
    assert [row["label"] for row in means] == ["bleu", "pinc"]
    assert [row["label"] for row in corpus] == ["bleu"] and corpus[0]["n"] == 3
    columns = columns_get(campaign=campaign)
    texts = list(campaign.substitutions.order_by("pk"))
    by_system = {
        system: [at for at, one in enumerate(texts) if one.text.endswith(system)]
        for system in SYSTEMS
    }
    data = get(client, "figure", "systems", "json", scale="MEANING", metric="bleu").json()["data"]
    assert data[0]["text"] == list(SYSTEMS)
    assert data[0]["x"] == pytest.approx(
        [columns.metrics["bleu"][rows].mean() for rows in by_system.values()]
    )
    assert data[1]["x"] == [0, 1, 2]


def test_stability_and_the_items_that_would_do(world: Any) -> None:
    _, client = world
    page = get(client, "stability", by="spearman")
    assert page.context["by"] == "spearman"
    assert {one["name"] for one in page.context["figures"]} == {"by-items", "by-annotators"}
    [row] = page.context["power"]
    assert row["needed"] >= 5 and row["originals"] == ITEMS
    data = get(client, "figure", "by-items", "json", scale="MEANING", by="spearman").json()["data"]
    lines = [one for one in data if one.get("hoverinfo") != "skip"]
    assert [one["name"] for one in lines] == ["bleu", "pinc"]
    assert lines[0]["x"][-1] == ITEMS


def test_ranking_leaves_out_what_equals_a_reference(world: Any) -> None:
    campaign, client = world
    numbers = get(client, "ranking", scale="MEANING").context["numbers"]
    assert numbers["excluded"] == 1
    columns = columns_get(campaign=campaign)
    exact = np.array([
        text == "text 0 A" for text in campaign.substitutions.order_by("pk").values_list(
            "text", flat=True)
    ])  # fmt: skip
    pure = paraphrase_ranking(
        columns.human["MEANING"], columns.metrics, columns.ratings.item, exact=exact
    )
    assert numbers["accuracies"] == {name: one.to_json() for name, one in pure.accuracies.items()}


def test_a_table_in_the_form_of_white_heads_what_it_has(world: Any) -> None:
    """Its corner is empty, so it heads nothing."""
    _, client = world
    numbers = {"tests": [{"column": "a", "other": "b", "mcnemar_p": 0.1, "swap_p": 0.2}],
               "table": [["", "bleu"], ["Model + metric", "50.0"]]}  # fmt: skip
    get(client, "ranking", scale="MEANING")
    report = Report.objects.get(kind="ranking")
    report.result["human"]["MEANING"] |= numbers
    report.save()
    text = get(client, "ranking", scale="MEANING").content.decode()
    head = text[text.index("With models") :].partition("</thead>")[0]
    assert head.count("<th ") == 1 and head.count("<td></td>") == 1 and ">bleu</th>" in head


def test_many_metrics_are_not_all_drawn_nor_listed_at_length(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = world
    text = get(client, "stability").content.decode()
    assert "Drawn: the" not in text and "<summary>\n              How many items" not in text
    monkeypatch.setattr(views, "MOST_LINES", 1)
    report = Report.objects.get(kind="stability")
    report.result["human"]["MEANING"]["power"] *= 16
    report.save()
    page = get(client, "stability")
    text = page.content.decode()
    assert "Drawn: the 1 metrics of 2 that are highest with all data." in text
    assert "distinguish two metrics: 16 pairs" in " ".join(text.split())
