"""Metrics and people over systems, by amount of data, and as a ranking of paraphrases."""

import pytest

from scoring.correlation import more_views
from scoring.correlation.report import columns_get
from tests.clients import html_of
from tests.scoring.views.correlation.world import ITEMS, SYSTEMS, figure_rows, get
from tests.scoring.views.site import stored


def test_systems_by_means_and_corpus_scores(world):
    (_, means), (_, corpus) = get("systems/", metric="bleu").context["tables"]
    assert [row["label"] for row in means] == ["bleu", "pinc"]
    assert [row["label"] for row in corpus] == ["bleu"] and corpus[0]["n"] == 3
    # Texts are in the order of items, each with one of every system.
    bleu = columns_get(campaign=world).metrics["bleu"].reshape(ITEMS, len(SYSTEMS))
    rows = figure_rows("systems", scale="MEANING", metric="bleu")
    drawn, whole = rows[: len(SYSTEMS)], rows[len(SYSTEMS) :]
    assert [row[-1] for row in drawn] == list(SYSTEMS)
    assert [float(row[1]) for row in drawn] == pytest.approx(bleu.mean(axis=0))
    assert [float(row[1]) for row in whole] == [0, 1, 2]


def test_stability_and_the_items_that_would_do(world):
    page = get("stability/", by="spearman")
    assert page.context["by"] == "spearman"
    assert {one["name"] for one in page.context["figures"]} == {"by-items", "by-annotators"}
    [row] = page.context["power"]
    assert row["needed"] >= 5 and row["originals"] == ITEMS
    rows = figure_rows("by-items", scale="MEANING", by="spearman")
    assert list(dict.fromkeys(row[0] for row in rows)) == ["bleu", "pinc"]
    assert float(rows[-1][1]) == ITEMS and ">BLEU</li>" in html_of(page).replace("</svg> ", ">")


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
