"""Pages about metrics and people: matrix, differences, systems, mixes, stability, ranking."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from annotation.models import Campaign
from scoring.models import Report, Score, SystemScore
from scoring.selectors.columns import columns_get
from scoring.selectors.correlation_tables import TABLES
from scoring.selectors.figures import FIGURES
from scoring.stats.mixes import best_mix, mix_curve
from scoring.stats.ranking import paraphrase_ranking
from tests.bridge.hand import hand_campaign
from tests.factories import add_judgments, make_campaign
from tests.pages.clients import client_of
from tests.scoring_pages.test_pages import done_run

pytestmark = pytest.mark.django_db
PAGES = ("correlation", "one-metric", "differences", "correlation-systems", "mixes", "stability",
         "ranking")  # fmt: skip
ITEMS, SYSTEMS = 10, "ABC"


@pytest.fixture
def world() -> tuple[Campaign, Any]:
    """30 texts of three systems, two annotators, and two metrics of which bleu is the better."""
    campaign = make_campaign("world", rows=list(item_rows()))
    rng = np.random.default_rng(1)
    texts = list(campaign.substitutions.order_by("pk"))
    quality = rng.normal(size=len(texts))
    rows = []
    for voice in "ab":
        values = np.clip(np.rint(3 + 1.5 * quality + rng.normal(size=len(texts)) / 2), 1, 5)
        rows += [
            {"item": f"i{at // 3}", "paraphrase": one.text, "annotator": voice, "scale": scale,
             "value": float(value)}
            for at, (one, value) in enumerate(zip(texts, values, strict=True))
            for scale in ("MEANING", "GRAMMAR")
        ]  # fmt: skip
    add_judgments(campaign, rows)
    for spec, noise in (("bleu", 0.4), ("pinc", 3.0)):
        run = done_run(campaign, {}, spec=spec)
        Score.objects.bulk_create(
            Score(run=run, substitution=one, value=float(q + noise * rng.normal()))
            for one, q in zip(texts, quality, strict=True)
        )
    for at, system in enumerate(campaign.systems.order_by("label")):
        SystemScore.objects.create(
            run=campaign.runs.get(metric="bleu"), system=system, kind="corpus", value=at, n=10
        )
    return campaign, client_of("vera")


def item_rows() -> Any:
    for item in range(ITEMS):
        for system in SYSTEMS:
            row = {"item": f"i{item}", "phrase": "old", "sentence": f"The old number {item}.",
                   "paraphrase": f"text {item} {system}", "system": system}  # fmt: skip
            yield row | ({"reference": f"The text {item} A number {item}."} if item == 0 else {})


def get(client: Any, name: str, *more: str, **query: Any) -> Any:
    return client.get(reverse(name, args=["world", *more]), query)


def test_every_page_answers_and_keeps_the_choice(world: Any) -> None:
    _, client = world
    for name in PAGES:
        answer = get(client, name, systems=["A", "B"], references="without")
        assert answer.status_code == 200, name
        assert all("systems=A&systems=B&references=without" in part["url"]
                   for part in answer.context["parts"]), name  # fmt: skip
        assert [part["current"] for part in answer.context["parts"]].count(True) == 1
        assert "Items without references" in answer.content.decode(), name


def test_pages_of_an_empty_campaign() -> None:
    hand_campaign("world")
    client = client_of("vera")
    for name in PAGES:
        assert "No metric run is finished yet" in get(client, name).content.decode(), name
    for name in FIGURES:
        assert get(client, "figure", name, "json").status_code in (200, 404), name
    for name in TABLES:
        assert get(client, "correlation-table", name, "csv").status_code == 404, name


def test_gold_by_another_method_changes_the_report(world: Any) -> None:
    campaign, client = world
    mean = get(client, "correlation").context["found"]
    by_z = get(client, "correlation", method="z").context["found"]
    assert Report.objects.filter(kind="correlation").count() == 2
    one, other = (
        found["human"]["MEANING"]["metrics"]["bleu"]["pearson"]["value"] for found in (mean, by_z)
    )
    assert one != other and one == pytest.approx(other, abs=0.1)


def test_only_items_with_references(world: Any) -> None:
    _, client = world
    with_them = get(client, "correlation", references="with").context["found"]["n"]
    without = get(client, "correlation", references="without").context["found"]["n"]
    assert (with_them, without) == (3, 27)
    assert get(client, "correlation", references="perhaps").context["found"]["n"] == 30


def test_the_better_metric_stands_first_and_in_a_group_of_its_own(world: Any) -> None:
    _, client = world
    page = get(client, "correlation")
    for table in page.context["tables"]:
        assert [row["run"]["label"] for row in table["rows"]] == ["bleu", "pinc"]
        assert [row["group"] for row in table["rows"]] == [1, 2]
        assert table["whole"] and len(table["rows"][0]["more"]) == len(table["heads"])
        assert table["rows"][0]["free"]["value"] > table["rows"][0]["cells"][0]["value"]
        assert table["rows"][0]["roc"]["value"] > table["rows"][1]["roc"]["value"]
    assert {figure["name"] for figure in page.context["figures"]} == {"coefficients", "among"}


def test_differences_show_the_report(world: Any) -> None:
    _, client = world
    page = get(client, "differences", scale="GRAMMAR")
    found = page.context["found"]["human"]["GRAMMAR"]["comparisons"]
    [row] = page.context["rows"]
    assert (row["a"], row["b"]) == ("bleu", "pinc")
    assert row["gaps"][0]["gap"]["value"] == found[0]["difference"]["value"]
    assert row["gaps"][0]["clear"] == (found[0]["holm_p"] < 0.05)
    text = page.content.decode()
    assert f"{found[0]['williams_p']:.4f}" in text or "&lt; 0.0001" in text
    assert page.context["scale"] == "GRAMMAR"
    assert get(client, "differences", scale="?").context["scale"] == "MEANING"


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


@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_on_screen_and_paper(world: Any, name: str) -> None:
    campaign, client = world
    query = {
        "run": campaign.runs.first().key, "scale": "MEANING", "metric": "bleu", "by": "pearson",
    }  # fmt: skip
    found = get(client, "figure", name, "json", **query).json()
    assert found["data"]
    assert get(client, "figure", name, "svg", **query).content.startswith(b"<?xml")


def test_everything_as_one_document(world: Any) -> None:
    campaign, client = world
    campaign.name = "A <b>name</b>"
    campaign.save()
    page = get(client, "correlation-report")
    text = page.content.decode()
    assert "Content-Disposition" not in page and "A &lt;b&gt;name&lt;/b&gt;" in text
    assert text.count("<svg") >= 3 and "src=" not in text and 'href="http' not in text
    found = get(client, "correlation").context["found"]["human"]["MEANING"]
    assert f"{found['metrics']['bleu']['pearson']['value']:.3f}" in text
    assert f"{found['comparisons'][0]['difference']['value']:.3f}" in text
    file = get(client, "correlation-report", file=1)
    assert file["Content-Disposition"] == 'attachment; filename="world-correlation.html"'
    hand_campaign("empty")
    assert client.get(reverse("correlation-report", args=["empty"])).status_code == 404


def test_queries_do_not_grow(world: Any, django_assert_max_num_queries: Any) -> None:
    _, client = world
    for name in PAGES:
        get(client, name)
        with django_assert_max_num_queries(40):
            get(client, name)
