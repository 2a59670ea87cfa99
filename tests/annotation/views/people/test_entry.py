"""The link and the last page, as a person of a platform meets them."""

import pytest
from django.test import Client

from annotation.models import Participant, PartOutcome
from annotation.panels.services import panel_update
from annotation.people.background import consent_text_add
from annotation.people.participation import part_end
from paraanno import clock
from tests.annotation.crowd import NearBrowser, Person, event
from tests.annotation.services.people.test_entering import make_panel
from tests.clients import text_of


@pytest.fixture
def panel():
    return make_panel(codes={"complete": "C1K7-VH2P", "withdrawn": "LEFT"}, contact="x@example.org")


def person(panel, name="one"):
    return Person(name, f"/p/{panel.token}", panel.campaign.slug, NearBrowser())


def last_page(one):
    page = one.browser.open("GET", f"{one.link}/end")
    assert page.status == 200
    return page.body.decode()


def test_the_link_without_an_id_asks_for_it_and_one_off_the_pattern_is_told_so(
    panel,
):
    link = f"/p/{panel.token}"
    page = Client().get(link)
    assert page.status_code == 200 and b'name="PROLIFIC_PID"' in page.content
    assert Client().get("/p/unknown?PROLIFIC_PID=one").status_code == 404
    panel_update(panel=panel, actor=None, id_pattern="[0-9]+")
    page = Client().get(link, {"PROLIFIC_PID": "one"})
    assert page.status_code == 400 and "not an id of this study" in text_of(page)
    assert not Participant.objects.exists()
    assert "Open the link on the platform" in text_of(Client().get(f"{link}/end"))
    assert Client().post(f"{link}/leave").status_code == 302


def test_the_first_step_is_the_consent_and_who_does_not_agree_gets_a_code(panel):
    consent_text_add(campaign=panel.campaign, text="We ask you to judge.", actor=None)
    one = person(panel)
    assert one.enter().location == "/rate/camp/consent/"
    page = one.browser.open("GET", "/rate/camp/consent/").body.decode()
    assert f"/p/{panel.token}/leave" in page
    token = one.browser.cookie("csrftoken")
    left = one.browser.open("POST", f"{one.link}/leave", b"", **{"X-CSRFToken": token})
    assert left.location == f"/p/{panel.token}/end"
    assert "LEFT" in last_page(one)
    assert one.enter().location.endswith("/end")


def test_the_code_is_on_the_last_page_once_all_is_judged(panel):
    one = person(panel)
    one.enter()
    one.work(at_most=1)
    page = last_page(one)
    assert "C1K7-VH2P" not in page and "1 of 2" in page
    one.work()
    page = last_page(one)
    assert "C1K7-VH2P" in page and "2 of 2" in page and "x@example.org" in page


def test_events_are_taken_by_signature(panel):
    one = person(panel)
    one.enter()
    address = f"{one.link}/events"
    assert event(one.browser, address, "other", person="one", status="RETURNED").status == 401
    assert one.browser.open("POST", address, b"x" * 70_000).status == 413
    right = event(one.browser, address, panel.event_secret, person="one", status="RETURNED")
    assert right.data == {"state": "taken"}


def test_participants_create_nothing_and_are_led_to_the_last_page_after_the_end(panel, settings):
    settings.EVERYBODY_CREATES = True
    one = person(panel)
    one.enter()
    assert one.browser.open("GET", "/campaigns/new/").status == 403
    assert one.browser.open("GET", "/rate/camp/").status == 200
    part_end(part=panel.participants.get(), outcome=PartOutcome.WITHDRAWN, now=clock.now())
    assert one.browser.open("GET", "/rate/camp/").location == f"/p/{panel.token}/end"
