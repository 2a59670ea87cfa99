"""What the correlation pages share: links that keep the choice, and formats of numbers."""

import pytest
from django.test import RequestFactory

from scoring.correlation.words import CorrelationPage, heads, p_text
from scoring.stats.evaluation.catalogue import COEFFICIENTS, at
from tests.factories import make_user


def page_request(query):
    request = RequestFactory().get(f"/c/hand/correlation/?{query}")
    request.user = make_user("vera")
    return CorrelationPage(request, "hand")


@pytest.mark.django_db
def test_links_keep_the_choice_and_forms_keep_more(monkeypatch, hand):
    shown = {}
    monkeypatch.setattr(
        "annotation.http.campaign_page.CampaignPage.render",
        lambda _page, template, **context: shown.update(context, template=template),
    )
    page = page_request("systems=S0&scale=GRAMMAR&page=2")
    assert page.choice.systems == ("S0",)
    page.render("some.html", parameters=[("scale", "GRAMMAR")], more=1)
    assert (shown["template"], shown["more"], shown["any_run"]) == ("some.html", 1, False)
    assert shown["choice_query"] == "systems=S0"
    assert shown["query"] == "scale=GRAMMAR&systems=S0"
    assert shown["hidden"] == [("scale", "GRAMMAR"), ("systems", "S0")]


@pytest.mark.django_db
def test_a_scale_that_is_not_there_is_the_first(hand):
    found = {"human": {"MEANING": {}, "GRAMMAR": {}}}
    assert page_request("scale=GRAMMAR").scale(found) == "GRAMMAR"
    assert page_request("scale=nothing").scale(found) == "MEANING"
    assert page_request("").scale({"human": {}}) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "< 0.0001"), (0.00009, "< 0.0001"), (0.0001, "0.0001"), (1.0, "1.0000")],
)
def test_a_p_value_is_never_zero(value, text):
    assert p_text(value) == text


def test_columns_are_headed_in_the_order_of_the_catalogue():
    found = heads("main")
    assert [one["label"] for one in found] == list(map(str, at("main").values()))
    assert [one["text"] for one in found] == [str(COEFFICIENTS[key].says) for key in at("main")]
