"""The overview of a campaign and its cards: what they show, compute and cost."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Campaign
from scoring.models import Look, Report
from tests.clients import text_of
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.views.site import done_run, login

pytestmark = pytest.mark.django_db
CARDS = ("card-agreement", "card-systems", "card-metrics")


def get(campaign: Campaign, name: str, user: str = "vera") -> Any:
    answer = login(user).get(reverse(name, args=[campaign.slug]))
    assert answer.status_code == 200
    return answer


def test_looking_at_the_overview_is_no_look_at_comparisons() -> None:
    campaign = hand_campaign()
    page = get(campaign, "campaign")
    assert all(reverse(name, args=["hand"]) in page.content.decode() for name in CARDS)
    for name in CARDS:
        get(campaign, name)
    assert set(Report.objects.values_list("kind", flat=True)) == {"agreement"}
    assert not Look.objects.exists()
    assert "none is taken here" in text_of(get(campaign, "card-systems"))


def test_cards_show_the_numbers_of_the_reports() -> None:
    campaign = hand_campaign()
    done_run(campaign, {})
    client = login("vera")
    results = client.get(reverse("results", args=["hand"])).context["found"]
    client.get(reverse("correlation", args=["hand"]))
    card = get(campaign, "card-systems")
    scale = next(iter(next(iter(results["systems"].values()))["scales"]))
    drawn = {row.name: row.value for row in card.context["chart"].rows}
    assert drawn == {name: one["scales"][scale]["mean"] for name, one in results["systems"].items()}
    agreement = get(campaign, "card-agreement").context["chart"]
    assert {row.name for row in agreement.rows} == set(
        campaign.scales.values_list("name", flat=True)
    )
    metrics = get(campaign, "card-metrics")
    assert metrics.context["stored"].fresh and metrics.context["runs"] == 1


def test_the_page_asks_few_questions_of_the_database_however_large() -> None:
    hand_campaign()
    client, address = login("vera"), reverse("campaign", args=["hand"])
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    assert len(queries) <= 30


def test_pages_open_with_pictures_of_the_numbers_in_their_tables() -> None:
    campaign = hand_campaign()
    agreement = get(campaign, "agreement")
    pictured = {row.name: row.value for row, _ in agreement.context["pictured"]}
    for scale in agreement.context["scales"]:
        table = {value["value"] for value in scale["numbers"].values()
                 if isinstance(value, dict) and "value" in value}  # fmt: skip
        assert pictured[scale["name"]] in table
    for _, shares in agreement.context["pictured"]:
        assert sum(shares) == pytest.approx(1.0)
    severity = get(campaign, "annotators", "dora").context["pictures"][0].chart.rows
    assert [row.value for row in severity] == sorted(row.value for row in severity)
    gold = get(campaign, "gold-picture")
    assert {one.name for one in gold.context["pictures"]} >= pictured.keys()
    assert all(sum(bar.n for bar in one.bars) == one.n for one in gold.context["pictures"])


def test_one_outcome_is_shown_and_the_choice_is_kept() -> None:
    campaign = hand_campaign()
    page = get(campaign, "results").context["pictures"]
    assert [shown for _, _, shown in page].count(True) == 1
    picture, query, _ = page[-1]
    answer = login("vera").get(f"{reverse('results', args=['hand'])}?{query}")
    assert [one.title for one, _, shown in answer.context["pictures"] if shown] == [picture.title]


def test_a_metric_stands_beside_the_matrix_with_the_texts_furthest_off() -> None:
    campaign = hand_campaign()
    texts = campaign.substitutions.filter(role="output").values_list("text", flat=True)
    done_run(campaign, {text: float(at % 3) for at, text in enumerate(texts)})
    page = get(campaign, "correlation")
    [(row, _query)] = page.context["rows"]
    assert page.context["chosen"] == row.key
    address = f"{reverse('metric-beside', args=['hand'])}?{page.context['beside']}"
    card = login("vera").get(address)
    assert card.context["plot"].total == card.context["points"].total > 0
    assert card.context["furthest"]
