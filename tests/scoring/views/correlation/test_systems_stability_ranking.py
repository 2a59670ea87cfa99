"""Metrics and people over systems, by amount of data, and as a ranking of paraphrases."""

from scoring.correlation import more_views
from tests.clients import html_of
from tests.scoring.views.correlation.world import get
from tests.scoring.views.site import stored


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
