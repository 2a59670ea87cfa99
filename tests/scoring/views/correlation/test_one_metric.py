"""One metric against people: scatter, regions, disagreements, values, ROC; and figures as files."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from annotation.models import Campaign
from paraanno.finders import NAME as PLOTLY
from scoring.models import Score
from scoring.selectors.correlation.columns import columns_get
from scoring.stats.evaluation.disagreement import disagreement
from scoring.stats.evaluation.roc import roc_curves
from tests.clients import client_of
from tests.factories import add_judgments, make_campaign
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run

pytestmark = pytest.mark.django_db


def address(campaign: Campaign, name: str, *more: str) -> str:
    return reverse(name, args=[campaign.slug, *more])


def test_the_page_lists_where_metric_and_people_disagree(one_world: Any) -> None:
    campaign, run, client = one_world
    page = client.get(address(campaign, "one-metric"), {"run": run.key, "scale": "MEANING"})
    columns = columns_get(campaign=campaign)
    pure = disagreement(columns.human["MEANING"], columns.metrics["bleu"], 10)
    (_, higher), (_, lower) = page.context["sides"]
    units = columns.ratings.units
    assert [row.point.substitution for row, _ in higher] == units[pure.metric_higher].tolist()
    assert [row.point.substitution for row, _ in lower] == units[pure.people_higher].tolist()
    assert (higher[0][0].point.metric, higher[0][0].point.human) == (11, 1)
    assert (lower[0][0].point.metric, lower[0][0].point.human) == (0, 5)
    assert "disagree most" in page.content.decode()


def test_a_region_lists_its_texts_with_and_without_scripts(one_world: Any) -> None:
    campaign, run, client = one_world
    asked = {"run": run.key, "scale": "MEANING", "x0": "2", "x1": "9", "y1": "2"}
    for name in ("one-metric", "metric-texts"):
        page = client.get(address(campaign, name), asked)
        assert [point.metric for point, _ in page.context["listed"]] == [2, 3, 4, 5]
        assert page.context["inside"] == 4 and "4 texts in this region" in page.content.decode()
    page = client.get(address(campaign, "metric-texts"), {**asked, "y1": "x", "x1": ""})
    assert page.context["inside"] == 10


def test_the_curve_is_that_of_the_pass_decision(one_world: Any) -> None:
    campaign, run, client = one_world
    found = client.get(
        address(campaign, "figure", "roc", "json"), {"run": run.key, "scale": "MEANING"}
    ).json()
    columns = columns_get(campaign=campaign)
    assert np.nansum(columns.passed) == 4  # meaning >= 3 and grammar >= 4: the 4s and 5s
    pure = roc_curves(columns.passed, columns.metrics)["bleu"]
    assert found["data"][0]["x"] == [point[0] for point in pure.curve]
    assert found["data"][0]["y"] == [point[1] for point in pure.curve]


@pytest.mark.parametrize(
    ("people", "offered"),
    [([5, 1], True), ([5, 4], False), ([1, 2], False), ([5, None], False), ([1, None], False)],
)
def test_the_curve_is_offered_where_texts_pass_and_fail(
    people: list[int | None], offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text without gold on every scale neither passes nor fails. The page draws no curve: the
    figure does, when it is asked for."""
    rows = [{"sentence": "It is old.", "paraphrase": f"text {n}"} for n in range(2)]
    campaign = make_campaign("world", rows=rows)
    texts = list(campaign.substitutions.order_by("pk"))
    add_judgments(
        campaign,
        [
            {"sentence": "It is old.", "paraphrase": one.text, "annotator": "a",
             "scale": scale, "value": 3 if value is None else value}
            for one, value in zip(texts, people, strict=True)
            for scale in ("MEANING", *(["GRAMMAR"] if value else []))
        ],
    )  # fmt: skip
    run, client = done_run(campaign, {}), client_of("vera")
    Score.objects.bulk_create(Score(run=run, substitution=one, value=0.5) for one in texts)
    asked = {"run": run.key, "scale": "MEANING"}
    figure = client.get(address(campaign, "figure", "roc", "json"), asked)
    assert figure.status_code == (200 if offered else 404)
    monkeypatch.delattr("scoring.selectors.correlation.one_metric.roc_curves")
    page = client.get(address(campaign, "one-metric"), asked)
    names = [one["name"] for one in page.context["figures"]]
    assert names == ["scatter", "values", *(["roc"] if offered else [])]


def test_values_of_the_metric_at_each_human_value(one_world: Any) -> None:
    campaign, run, client = one_world
    asked = {"run": run.key, "scale": "MEANING"}
    found = client.get(address(campaign, "figure", "values", "json"), asked).json()
    assert found["data"][0]["x"] == ["1", "2", "3", "4", "5"]
    assert found["data"][0]["y"] == [2, 4, 6.5, 8.5, 5]


def test_figures_are_files_too(one_world: Any) -> None:
    campaign, run, client = one_world
    asked = {"run": run.key, "scale": "MEANING"}
    for form, begins in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        answer = client.get(address(campaign, "figure", "scatter", form), asked)
        assert answer.content.startswith(begins)
        assert answer["Content-Disposition"] == f'attachment; filename="world-scatter.{form}"'
    answer = client.get(address(campaign, "figure", "scatter", "csv"), asked)
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(float(row["x"]), float(row["y"])) for row in rows[:2]] == [(0, 5), (1, 1)]


def test_people_read_minus_signs_and_programs_hyphens(one_world: Any) -> None:
    campaign, run, client = one_world
    Score.objects.filter(run=run, value=3).update(value=-2.5)
    asked = {"run": run.key, "scale": "MEANING", "x1": "0"}
    page = client.get(address(campaign, "one-metric"), asked).content.decode()
    assert '<td class="number">−2.500</td>' in page and "-2.5" not in page
    table = client.get(address(campaign, "figure", "scatter", "csv"), asked).content.decode()
    assert ",-2.5," in table and "−" not in table
    figure = client.get(address(campaign, "figure", "scatter", "json"), asked).json()
    assert figure["data"][0]["x"][3] == -2.5


def test_plotly_speaks_the_language_of_the_page(one_world: Any) -> None:
    """Its own sentences are the keys: another version of it may have others."""
    campaign, run, client = one_world
    asked = {"run": run.key, "scale": "MEANING"}
    page = client.get(
        address(campaign, "one-metric"), asked, headers={"Accept-Language": "ko"}
    ).content.decode()
    start = page.index('<script id="figure-texts" type="application/json">')
    words = json.loads(page[page.index(">", start) + 1 : page.index("</script>", start)])
    path = finders.find(PLOTLY)
    assert isinstance(path, str)
    plotly = Path(path).read_text(encoding="utf-8")
    for sentence, korean in words.items():
        assert f'"{sentence}"' in plotly and re.search("[가-힣]", korean), sentence


def test_many_texts_are_shown_as_a_density(one_world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, run, client = one_world
    monkeypatch.setattr("scoring.selectors.correlation.one_metric.MOST_POINTS", 11)
    asked = {"run": run.key, "scale": "MEANING"}
    [trace] = client.get(address(campaign, "figure", "scatter", "json"), asked).json()["data"]
    assert trace["type"] == "heatmap"
    assert sum(int(n) for line in trace["text"] for n in line if n) == 12


def test_a_campaign_without_a_run_or_texts_has_its_page() -> None:
    campaign = hand_campaign()
    client = client_of("vera")
    assert (
        "No metric run is finished yet"
        in client.get(address(campaign, "one-metric")).content.decode()
    )
    run = done_run(campaign, {})
    page = client.get(address(campaign, "one-metric"), {"run": run.key})
    assert "No text has both" in page.content.decode()
    assert client.get(address(campaign, "metric-texts")).status_code == 404


def test_queries_do_not_grow(one_world: Any, django_assert_max_num_queries: Any) -> None:
    campaign, run, client = one_world
    asked = {"run": run.key, "scale": "MEANING", "x0": 0}
    with django_assert_max_num_queries(65):
        client.get(address(campaign, "one-metric"), asked)
    with django_assert_max_num_queries(46):  # The report is there.
        client.get(address(campaign, "one-metric"), asked)
