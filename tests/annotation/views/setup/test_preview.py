"""The annotator's screen, before there are annotators; in Chromium, that nothing is kept of it."""

import pytest

from annotation.campaigns.setup import preview_now
from annotation.models import Annotator
from tests.axe import violations
from tests.browser import fits
from tests.clients import client_of, text_of
from tests.factories import make_campaign


@pytest.fixture
def campaign(db):
    return make_campaign(open_it=False)


def test_it_is_the_page_of_rating_in_a_frame_of_this_site(campaign):
    alice = client_of("alice")
    page = alice.get("/c/camp/preview/?width=phone")
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    frame = alice.get(page.context["frame"])
    assert frame["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in frame["Content-Security-Policy"]
    assert "annotation/rate.html" in [one.name for one in frame.templates]
    scripts = frame.content.decode()
    assert scripts.index("js/rate/preview") < scripts.index("js/rate/main")
    item = campaign.items.get(position=1)
    assert item.sentence[:9] in text_of(alice.get(f"/c/camp/preview/sheet/?item={item.key}"))
    assert not Annotator.objects.exists()


def test_looking_is_noted_if_it_is_what_was_seen(campaign):
    alice = client_of("alice")
    assert alice.post("/c/camp/preview/", {"seen": "x"}).status_code == 409
    seen = preview_now(campaign=campaign)
    assert alice.post("/c/camp/preview/", {"seen": seen})["Location"] == "/c/camp/steps/"
    assert "Nothing that it shows has changed" in text_of(alice.get("/c/camp/preview/"))
    assert [one.verb for one in campaign.audit.filter(verb="approve preview")]


@pytest.mark.browser
def test_a_whole_sheet_is_answered_and_neither_server_nor_browser_keeps_it(world, page):
    place = world()
    place.log_in(page.context, "alice")
    sent = []
    page.on("request", lambda one: sent.append(f"{one.method} {one.url}"))
    page.goto(f"{place.proxy.url}/c/{place.slug}/preview/?width=phone")
    assert violations(page) == [] and fits(page, 390)
    frame = page.frame_locator("iframe.preview")
    frame.locator("#rate.live").wait_for()
    done = frame.get_by_role("heading", name="The sheet is complete")
    for _answer in range(frame.locator(".question").count()):
        frame.locator("form.sheet:not([data-fresh]) .question.current .point").first.click()
    done.wait_for()
    kept = page.evaluate(
        "async () => [...Object.keys(localStorage),"
        " ...Object.keys(sessionStorage).filter((name) => !name.startsWith('htmx')),"
        " ...(await indexedDB.databases()), ...(await caches.keys())]"
    )
    assert kept == []
    assert not [one for one in sent if "/api/" in one or not one.startswith("GET")]
