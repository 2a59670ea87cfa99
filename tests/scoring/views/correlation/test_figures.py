"""Figures and tables of the correlation pages: for the screen, for print, and their numbers."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Substitution
from scoring.selectors.correlation.figures import FIGURES
from scoring.selectors.correlation.tables import TABLES
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.correlation.world import get
from tests.scoring.views.site import done_run, login

pytestmark = pytest.mark.django_db


def test_figure_data() -> None:
    campaign = hand_campaign()
    Substitution.objects.filter(text="two").update(text="<b>two</b>")
    run = done_run(campaign, {"one": 0.9, "<b>two</b>": 0.5, "three": 0.1})
    client = login("vera")
    address = reverse("figure", args=[campaign.slug, "scatter", "json"])
    found = client.get(address, {"run": run.key, "scale": "MEANING"}).json()
    trace = found["data"][0]
    points = dict(zip(trace["text"], zip(trace["x"], trace["y"], strict=True), strict=True))
    assert points["first → one"] == (0.9, 4.5)
    assert points["second → &lt;b&gt;two&lt;/b&gt;"] == (0.5, 3.0)
    items = {
        f"{item.phrase.text}": reverse("item", args=[campaign.slug, item.key])
        for item in campaign.items.select_related("phrase")
    }
    assert trace["customdata"] == [items[text.split(" → ")[0]] for text in trace["text"]]
    assert found["layout"]["xaxis"]["title"]["text"] == "bleu"
    for data in ({"run": run.key, "scale": "?"}, {"run": "x"}, {"scale": "MEANING"}):
        assert client.get(address, data).status_code == 404
    for name, form in (("nothing", "json"), ("scatter", "gif")):
        other = reverse("figure", args=[campaign.slug, name, form])
        assert client.get(other, {"run": run.key, "scale": "MEANING"}).status_code == 404
    stranger = login("charlie").get(address, {"run": run.key, "scale": "MEANING"})
    assert stranger.status_code == 404


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_files(world: Any, name: str) -> None:
    _, client = world
    answer = get(client, "correlation-table", name, "csv")
    assert answer["Content-Disposition"] == f'attachment; filename="world-{name}.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert rows and all(row["human"] for row in rows)
    tex = get(client, "correlation-table", name, "tex").content.decode()
    assert tex.count(r"\\") >= len(rows) + 1 and r"\begin{tabular}" in tex
    markdown = get(client, "correlation-table", name, "md").content.decode()
    assert sum(line.startswith("|") for line in markdown.splitlines()) == len(rows) + 2
    assert get(client, "correlation-table", name, "pdf").status_code == 404
    assert get(client, "correlation-table", "nothing", "csv").status_code == 404


@pytest.mark.once  # It computes; its report comes as on other pages.
@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_on_screen_and_paper(world: Any, name: str) -> None:
    campaign, client = world
    query = {
        "run": campaign.runs.first().key, "scale": "MEANING", "metric": "bleu", "beside": "pinc",
        "by": "pearson",
    }  # fmt: skip
    found = get(client, "figure", name, "json", **query).json()
    assert found["data"]
    assert get(client, "figure", name, "svg", **query).content.startswith(b"<?xml")
