"""Figures and tables of the correlation pages: for the screen, for print, and their numbers."""

import csv
import io
import re

import pytest

from annotation.models import Campaign, Substitution
from scoring.correlation.figures import FIGURES, TABLES
from tests.clients import client_of
from tests.scoring.factories import done_run
from tests.scoring.hand import hand_campaign
from tests.scoring.views.correlation.world import figure_rows, get


def test_points_lead_to_their_items_and_texts_are_escaped():
    campaign = hand_campaign("world")
    Substitution.objects.filter(text="two").update(text="<b>two</b>")
    run = done_run(campaign, {"one": 0.9, "<b>two</b>": 0.5, "three": 0.1})
    about = {"run": run.key, "scale": "MEANING"}
    page = get("metric/", **about).content.decode()
    items = {item.phrase.text: item.key for item in campaign.items.select_related("phrase")}
    for phrase, text, place in (
        ("first", "one", "0.9, MEANING 4.5"),
        ("second", "&lt;b&gt;two&lt;/b&gt;", "0.5, MEANING 3"),
    ):
        told = f'aria-label="{phrase} → {text}: BLEU {place}"'
        assert f'<a href="/c/world/items/{items[phrase]}/" {told}' in page
    assert get("figure/scatter.csv", scale="MEANING").status_code == 404
    for form in ("gif", "json"):
        assert get(f"figure/scatter.{form}", **about).status_code == 404


@pytest.mark.slow
def test_tables_are_files(world):
    for name in TABLES:
        answers = {form: get(f"table/{name}.{form}") for form in ("csv", "tex", "md", "pdf")}
        assert answers["csv"]["Content-Disposition"] == f'attachment; filename="world-{name}.csv"'
        text = {form: answer.content.decode() for form, answer in answers.items()}
        rows = list(csv.DictReader(io.StringIO(text["csv"])))
        assert rows and all(row["human"] for row in rows)
        assert text["tex"].count(r"\\") >= len(rows) + 1 and r"\begin{tabular}" in text["tex"]
        assert sum(line.startswith("|") for line in text["md"].splitlines()) == len(rows) + 2
        # Programs read the keys of metrics, people their names.
        assert {"bleu", "pinc"} & {row.get("metric", row.get("a")) for row in rows}
        assert re.search("BLEU|PINC", text["tex"]) and re.search("BLEU|PINC", text["md"])
        assert answers["pdf"].status_code == get("table/nothing.csv").status_code == 404


@pytest.mark.slow
@pytest.mark.once  # It computes; its report comes as on other pages.
def test_figures_draw_on_paper(world):
    query = {
        "run": world.runs.first().key,
        "scale": "MEANING",
        "metric": "bleu",
        "beside": "pinc",
        "by": "pearson",
    }
    for name in FIGURES:
        assert figure_rows(name, **query), name
        assert get(f"figure/{name}.svg", **query).content.startswith(b"<?xml"), name


# The correlation pages as one document: to print, and to keep as a file without the site.


@pytest.mark.slow
@pytest.mark.once  # It computes; its report comes as on other pages.
def test_everything_as_one_document(world):
    Campaign.objects.update(name="A <b>name</b>")
    page = get("report/")
    text = page.content.decode()
    assert "Content-Disposition" not in page and "A &lt;b&gt;name&lt;/b&gt;" in text
    assert text.count("<svg") >= 3 and "src=" not in text and 'href="http' not in text
    human = get().context["found"]["human"]["MEANING"]
    assert f"{human['metrics']['bleu']['pearson']['value']:.3f}" in text
    assert f"{human['comparisons'][0]['difference']['value']:.3f}" in text
    file = get("report/", file=1)
    assert file["Content-Disposition"] == 'attachment; filename="world-correlation.html"'
    hand_campaign("empty")
    assert client_of("vera").get("/c/empty/correlation/report/").status_code == 404
