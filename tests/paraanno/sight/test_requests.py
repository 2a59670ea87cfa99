"""Ids of requests, and the access log: routes and logins by number, no addresses and no texts."""

import logging

import pytest
from django.test import Client
from django.urls import reverse

from paraanno.observability.logs import HEADER, request_id
from tests.clients import client_of
from tests.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def lines(caplog):
    return [one.access for one in caplog.records if hasattr(one, "access")]


def test_a_line_tells_route_campaign_status_and_login(settings, caplog):
    settings.ACCESS_LOG = True
    campaign = make_campaign()
    client = client_of("alice")
    with caplog.at_level(logging.INFO, "paraanno.access"):
        client.get(reverse("campaign", args=[campaign.slug]), {"q": "a sentence"})
        client.get("/nothing/secret-text/")
        Client().get("/healthz")
    page, unknown, health = lines(caplog)
    assert page.pop("ms") >= 0
    assert page == {
        "method": "GET",
        "route": "c/<slug:slug>/",
        "campaign": campaign.slug,
        "status": 200,
        "user": f"u{make_user('alice').pk}",
    }
    assert (unknown["route"], unknown["status"]) == ("-", 404)
    assert (health["route"], health["user"]) == ("healthz", "")
    said = " ".join(one.getMessage() for one in caplog.records if hasattr(one, "access"))
    assert "sentence" not in said and "secret" not in said and "alice" not in said


def test_without_the_setting_nothing_is_written(caplog):
    with caplog.at_level(logging.INFO, "paraanno.access"):
        assert len(Client().get("/healthz")[HEADER]) == 32
    assert lines(caplog) == []
    assert request_id.get() == ""


@pytest.mark.parametrize(
    ("proxy", "given", "taken"),
    [
        (True, "from-the-proxy", True),
        (False, "from-the-proxy", False),
        (True, "short", False),
        (True, "two\tparts and more", False),
    ],
)
def test_an_id_is_taken_from_a_proxy_alone(proxy, given, taken, settings):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if proxy else None
    answer = Client().get("/healthz", headers={HEADER: given})
    assert (answer[HEADER] == given) is taken
