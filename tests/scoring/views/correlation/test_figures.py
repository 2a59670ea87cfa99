"""Figures and tables of the correlation pages: for the screen, for print, and their numbers."""

import csv
import io

import pytest

from annotation.models import Substitution
from scoring.correlation.figures import FIGURES, TABLES
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.correlation.world import get
from tests.scoring.views.site import done_run


def test_points_lead_to_their_items_and_texts_are_escaped():
    campaign = hand_campaign("world")
    Substitution.objects.filter(text="two").update(text="<b>two</b>")
    run = done_run(campaign, {"one": 0.9, "<b>two</b>": 0.5, "three": 0.1})
    about = {"run": run.key, "scale": "MEANING"}
    figure = get("figure/scatter.json", **about).json()
    trace = figure["data"][0]
    points = dict(zip(trace["text"], zip(trace["x"], trace["y"], strict=True), strict=True))
    assert points["first → one"] == (0.9, 4.5)
    assert points["second → &lt;b&gt;two&lt;/b&gt;"] == (0.5, 3.0)
    items = {item.phrase.text: item.key for item in campaign.items.select_related("phrase")}
    assert trace["customdata"] == [
        f"/c/world/items/{items[text.split(' → ')[0]]}/" for text in trace["text"]
    ]
    assert figure["layout"]["xaxis"]["title"]["text"] == "bleu"
    assert get("figure/scatter.json", scale="MEANING").status_code == 404
    assert get("figure/scatter.gif", **about).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_tables_are_files(world, name):
    answers = {form: get(f"table/{name}.{form}") for form in ("csv", "tex", "md", "pdf")}
    assert answers["csv"]["Content-Disposition"] == f'attachment; filename="world-{name}.csv"'
    text = {form: answer.content.decode() for form, answer in answers.items()}
    rows = list(csv.DictReader(io.StringIO(text["csv"])))
    assert rows and all(row["human"] for row in rows)
    assert text["tex"].count(r"\\") >= len(rows) + 1 and r"\begin{tabular}" in text["tex"]
    assert sum(line.startswith("|") for line in text["md"].splitlines()) == len(rows) + 2
    assert answers["pdf"].status_code == get("table/nothing.csv").status_code == 404


@pytest.mark.slow
@pytest.mark.once  # It computes; its report comes as on other pages.
@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_on_screen_and_paper(world, name):
    query = {
        "run": world.runs.first().key,
        "scale": "MEANING",
        "metric": "bleu",
        "beside": "pinc",
        "by": "pearson",
    }
    assert get(f"figure/{name}.json", **query).json()["data"]
    assert get(f"figure/{name}.svg", **query).content.startswith(b"<?xml")
