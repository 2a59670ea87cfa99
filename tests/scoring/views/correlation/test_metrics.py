"""How far each metric agrees with people: all of them beside each other, and pair by pair."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.urls import reverse
from django.utils.html import conditional_escape

from annotation.models import Substitution
from annotation.services.campaigns.campaigns import campaign_update
from scoring.models import Look, Report, Run
from scoring.paper.methods import methods_paragraph
from scoring.presenters.correlation import p_text
from scoring.selectors.correlation.figures import FIGURES
from scoring.selectors.correlation.tables import TABLES
from scoring.selectors.demo import demo_mark
from scoring.selectors.gold.outcomes import gold_columns
from scoring.selectors.ratings.fingerprint import fingerprint
from scoring.selectors.ratings.tables import ratings_get
from scoring.services.demo.asking import demo_runs_ask
from scoring.services.runs.start import run_cancel, run_start
from scoring.stats import correlation_report
from tests.clients import client_of, text_of
from tests.scoring.paper.campaign import AGREEMENT, NAMES, facts
from tests.scoring.paper.test_methods import RESULTS
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.correlation.world import get
from tests.scoring.views.site import done_run, login

pytestmark = pytest.mark.django_db


def test_correlation_page_shows_the_pure_statistics() -> None:
    campaign = hand_campaign()
    scores = {"one": 0.9, "two": 0.5, "three": 0.1}
    run = done_run(campaign, scores)
    answer = login("vera").get(reverse("correlation", args=[campaign.slug]))
    ratings = ratings_get(campaign=campaign)
    texts = dict(Substitution.objects.values_list("pk", "text"))
    metric = np.array([scores[texts[pk]] for pk in ratings.units.tolist()])
    human = {
        name: column.mean
        for name, column in gold_columns(campaign=campaign, ratings=ratings).items()
    }
    pure = correlation_report(human, {"bleu": metric}, clusters=ratings.item)
    tables = answer.context["tables"]
    assert [table["human"] for table in tables] == list(human)
    for table in tables:
        [row] = table["rows"]
        assert row["run"]["key"] == str(run.key)
        expected = pure["human"][table["human"]]["metrics"]["bleu"]
        assert [cell["value"] for cell in row["cells"]] == [
            expected[name]["value"]
            for name in ("pearson", "spearman", "kendall", "pairwise_accuracy")
        ]
    assert "style-src 'self' 'unsafe-inline'" in answer["Content-Security-Policy"]
    other = login("vera").get(reverse("gold", args=[campaign.slug]))
    assert "unsafe-inline" not in other["Content-Security-Policy"]


def test_lower_is_better_turns_the_sign() -> None:
    campaign = hand_campaign()
    done_run(campaign, {"one": 0.1, "two": 0.5, "three": 0.9}, higher_is_better=False)
    answer = login("vera").get(reverse("correlation", args=[campaign.slug]))
    assert answer.context["tables"][0]["rows"][0]["cells"][0]["value"] > 0.9
    assert "better when lower" in answer.content.decode()


PAGES = ("correlation", "one-metric", "differences", "correlation-systems", "mixes", "stability",
         "ranking")  # fmt: skip


def test_every_page_answers_and_keeps_the_choice(world: Any) -> None:
    _, client = world
    for name in PAGES:
        answer = get(client, name, systems=["A", "B"], references="without")
        assert answer.status_code == 200, name
        pages = [one for one in answer.context["room"]["pages"] if one["name"] in PAGES]
        assert len(pages) == len(PAGES), name
        assert all("systems=A&systems=B&references=without" in one["url"] for one in pages), name
        assert [one["current"] for one in pages].count(True) == 1
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
    _campaign, client = world
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
    # Every p-value stands under the head of its test.
    table = text[text.index('aria-labelledby="literature"') :]
    heads = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', table[: table.index("</thead>")])
    cells = re.findall(r"<td[^>]*>(.*?)</td>", table[: table.index("</tbody>")], re.DOTALL)
    shown = dict(zip(heads[1:], (" ".join(cell.split()) for cell in cells), strict=True))
    for head, key in (("Williams", "williams_p"), ("McNemar", "mcnemar_p")):
        assert shown[head].startswith(conditional_escape(p_text(found[0][key]))), head
    one = found[0]["decisions"]
    assert shown["Only one is right"].startswith(f"{one['only_a']} : {one['only_b']}")
    assert page.context["scale"] == "GRAMMAR"
    assert get(client, "differences", scale="?").context["scale"] == "MEANING"


def test_differences_say_how_often_they_were_looked_at(world: Any) -> None:
    campaign, client = world
    get(client, "differences")
    assert "data-looks" not in get(client, "differences").content.decode()
    Look.objects.create(campaign=campaign, about=Look.About.CORRELATION, state="an earlier one")
    Report.objects.all().delete()
    assert "made from 2 states" in text_of(get(client, "differences"))
    assert "data-looks" not in get(client, "results").content.decode()


def test_queries_do_not_grow(world: Any, django_assert_max_num_queries: Any) -> None:
    _, client = world
    for name in PAGES:
        get(client, name)
        with django_assert_max_num_queries(40):
            get(client, name)


def test_a_page_without_a_report_says_how_far_the_runs_are_and_fills_itself(
    data_dir: Path,
) -> None:
    campaign = hand_campaign()
    address = reverse("correlation", args=[campaign.slug])
    vera = login("vera")

    def polled() -> str:
        return vera.get(
            address, headers={"HX-Request": "true", "X-Report": "none"}
        ).content.decode()

    demo_runs_ask(campaign=campaign)
    assert "are about to start" in polled() and "hx-trigger" in polled()
    assert "hx-trigger" in vera.get(reverse("runs-list", args=[campaign.slug])).content.decode()
    run = run_start(campaign=campaign, spec="pinc", actor=None)
    demo_mark().unlink()
    assert "0 of 1 metric runs are finished" in polled() and "data-fill" not in polled()
    run_cancel(run=run, actor=None)
    done_run(campaign, {"one": 0.9, "two": 0.5, "three": 0.1})
    assert "data-fill" in polled()  # report.js then loads the page again.


def test_pages_and_reports_say_which_runs_read_another_language(world: Any) -> None:
    campaign, client = world
    campaign_update(campaign=campaign, actor=None, changes={"language": "en"})
    run = campaign.runs.get(metric="bleu")
    campaign.refresh_from_db()
    Run.objects.filter(pk=run.pk).update(language_changes=campaign.language_changes)
    told = "Computed before the language of the texts was changed: bleu."
    page = get(client, "correlation")
    assert told not in text_of(page)
    assert not any(one["old_language"] for one in page.context["found"]["runs"])
    before = fingerprint(campaign=campaign)
    campaign_update(campaign=campaign, actor=None, changes={"language": "ko"})
    assert fingerprint(campaign=campaign) != before
    page = get(client, "correlation")
    assert {one["label"]: one["old_language"] for one in page.context["found"]["runs"]} == {
        "bleu": True, "pinc": False,
    }  # fmt: skip
    for name in PAGES:
        assert told in text_of(get(client, name)), name
    text = methods_paragraph(
        facts(), AGREEMENT, RESULTS, names=NAMES, signature="", correlation=page.context["found"]
    )
    assert "Computed before the language of the texts was corrected: bleu." in text
