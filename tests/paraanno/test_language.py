"""The language of a request: chosen in the footer, otherwise by the browser."""

from datetime import date

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from paraanno.http.middleware import ANNOTATOR_ROUTES
from tests.clients import client_of
from tests.factories import make_campaign
from tests.site.permissions.world import all_routes

# Once: other tests ask for these pages, in English.
pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.mark.parametrize(("asked", "given"), [("fr", "en"), ("fr, ko;q=0.5", "ko"), ("ar", "en")])
def test_pages_that_annotators_do_not_meet_are_in_english_or_korean(asked, given):
    make_campaign()
    client = client_of("alice")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ar"  # Chosen on a page of annotators.
    for path in ("/campaigns/", "/c/camp/people/", "/c/camp/agreement/"):
        page = client.get(path, headers={"accept-language": asked})
        assert f'<html lang="{given}" dir="ltr">' in page.content.decode(), path
        assert 'lang="fr"' not in page.content.decode(), path
    page = client.get("/rate/camp/", headers={"accept-language": asked}, follow=True)
    assert '<html lang="ar" dir="rtl">' in page.content.decode()
    assert 'value="fr" lang="fr"' in page.content.decode()


def test_routes_of_annotators_are_there():
    """Each part of the pattern is the name of a route."""
    names = {route.name for route in all_routes()}
    chosen = {name for name in names if ANNOTATOR_ROUTES.fullmatch(name)}
    assert {"rate", "rate-sheet", "rate-practice-try", "panel-end", "api-sheet", "join"} <= chosen
    assert not {"campaign", "panel", "panels", "people", "api-items", "export"} & chosen


def test_the_choice_in_the_footer_is_kept_and_can_be_taken_back():
    """By a form, without a script."""
    client, address = Client(), "/accounts/login/?next=/x"
    for path in ("/no/such/page", address):
        page = client.get(path)
        assert {"Accept-Language", "Cookie"} <= set(page["Vary"].split(", "))
    assert '<form method="post" action="/language/"' in (html := page.content.decode())
    assert f'name="next" value="{address}"' in html and 'value="ko" lang="ko"' in html
    chosen = client.post("/language/", {"language": "ko", "next": address})
    assert chosen["Location"] == address
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and int(cookie["max-age"]) > 10**6
    assert '<html lang="ko" dir="ltr">' in client.get("/accounts/login/").content.decode()
    client.post("/language/", {"language": "en", "next": "/"})
    page = client.get("/accounts/login/", headers={"accept-language": "ko"})
    assert '<html lang="en" dir="ltr">' in page.content.decode()


@pytest.mark.parametrize(
    ("language", "shown"), [("ar", "\u20662026-12-10\u2069"), ("ko", "2026-12-10")]
)
def test_a_date_keeps_its_order_in_a_sentence_from_the_right(language, shown):
    page = Template("{% load languages %}{{ day|date:'Y-m-d'|left_to_right }}")
    with translation.override(language):
        assert page.render(Context({"day": date(2026, 12, 10)})) == shown
