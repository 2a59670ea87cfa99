"""Results per system."""

import json

import pytest

from annotation.models import Annotator
from scoring.gold.report import results_for
from scoring.ratings.choice import Choice
from tests.clients import client_of, html_of, text_of
from tests.factories import exclude
from tests.scoring.factories import stored
from tests.scoring.hand import reversed_campaign


def page_of(language="en", **query):
    headers = {"Accept-Language": language}
    return client_of("vera").get("/c/hand/results/", query, headers=headers)


def test_the_page_of_results_writes_the_sign_of_the_scale():
    campaign = reversed_campaign()
    page = text_of(client_of("vera").get(f"/c/{campaign.slug}/results/"))
    assert "≤ 3" in page and "≥ 3" not in page


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ({}, {"unit": "judgment"}),
        ({"unit": "gold"}, {"unit": "gold"}),
        (
            {"unit": "gold", "method": "median", "adjudicated": "first"},
            {"unit": "gold", "choice": Choice(method="adjudicated-median")},
        ),
    ],
)
def test_results_page_is_the_command(query, options, hand):
    shown = dict(page_of(**query).context["found"])
    shown.pop("looks", None)
    assert shown == json.loads(json.dumps(results_for(campaign=hand, **options)))


def test_the_page_says_what_the_numbers_are_of(hand):
    answer = page_of()
    html, text = html_of(answer), text_of(answer)
    assert "0.60" in html and "exclusion in force" in html and "S0 − S1" in html
    # It says why so few have no interval.
    assert "5 phrases are needed for an interval; there are 2" in text
    assert "new phrases judged by these annotators" in text
    for part in answer.context["comparisons"]:
        assert set(part["letters"]) == set(part["ranks"])
        assert set(part["ranks"]) == {label for group in part["groups"] for label in group}
    assert html.count("data-ranks") == len(answer.context["comparisons"]) > 0
    assert "Unadjusted clusters" in html and "p by max-T" in html
    by_z = page_of(unit="gold", method="z", adjudicated="first")
    assert "thresholds do not apply" in html_of(by_z)
    assert page_of(unit="gold", method="guess").status_code == 400


def test_results_of_the_version_before_are_shown_by_holm(hand):
    page_of()
    with stored("results") as result:
        for row in result["pairs"]:
            del row["p_max_t"]
            row["p_holm"] = 0.01
        for one in result["clusters"]:
            del one["ranks"], one["groups_unadjusted"], one["letters"]
    answer = page_of()
    html = html_of(answer)
    assert "data-ranks" not in html and "p by max-T" not in html and "after Holm" not in html
    for part in answer.context["comparisons"]:
        assert all(row["clear"] for row in part["pairs"])


def test_the_page_says_how_often_it_was_looked_at(hand):
    assert "data-looks" not in html_of(page_of())
    exclude(Annotator.objects.get(code="c"), reason="x", free_slots=False)
    for _ in range(2):
        assert "made from 2 states of the judgments" in text_of(page_of())
    assert "판단 상태 2가지" in text_of(page_of("ko", unit="gold"))
    answer = client_of("vera").get("/api/v1/campaigns/hand/reports/results").json()
    assert answer["result"]["looks"]["states"] == 2
