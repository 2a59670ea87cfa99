"""Panels on their pages; the link and the last page, as a person of a platform meets them."""

import pytest
from django.test import Client

from annotation.models import Campaign, Panel, Participant, PartOutcome, PartRecord
from annotation.panels.participation import panel_enter, part_end
from annotation.panels.services import panel_update
from paraanno import clock
from tests.annotation.crowd import NearBrowser, Person, event, make_panel
from tests.clients import client_of, messages_of, text_of, upload
from tests.factories import ask_consent, make_annotator

GIVEN = {
    "name": "Crowd",
    "sheets_per_person": "2",
    "parameter": "PROLIFIC_PID",
    "code_complete": "C1",
}


def test_a_panel_is_made_changed_closed_and_erased():
    first = make_panel()
    alice = client_of("alice")
    pages = "/c/camp/panels/"
    made = alice.post(pages, GIVEN, follow=True)
    panel = Panel.objects.exclude(pk=first.pk).get()
    assert panel.codes == {"complete": "C1"} and panel.event_secret
    assert f"/p/{panel.token}" in text_of(made)
    one = f"{pages}{panel.key}/"
    wrong = alice.post(one, {**GIVEN, "return_url": "javascript:1"})
    assert wrong.status_code == 422 and "New panels may not" not in text_of(wrong)
    Panel.objects.update(return_url="http://example.org/")  # Of an earlier release.
    assert "New panels may not have this: An address that" in text_of(alice.get(one))
    Panel.objects.update(return_url="")
    alice.post(one, {**GIVEN, "name": "Second", "event_secret": "s"})
    panel.refresh_from_db()
    assert (panel.name, panel.event_secret) == ("Second", "s")
    for act in ("close", "open"):
        alice.post(f"{one}act/", {"act": act})
        assert ("Closed" in text_of(alice.get(one))) == (act == "close")
    unsure = alice.post(f"{one}act/", {"act": "erase"}, follow=True)
    assert "sure" in " ".join(messages_of(unsure))
    alice.post(f"{one}act/", {"act": "erase", "sure": "on"})
    panel.refresh_from_db()
    assert panel.erased_at is not None
    assert "erased" in text_of(alice.get(one))


def test_parts_end_by_pasted_ids_a_file_and_a_button():
    panel = make_panel()
    parts = {name: panel_enter(panel=panel, platform_id=name) for name in ("one", "two", "three")}
    alice, one = client_of("alice"), f"/c/camp/panels/{panel.key}/"
    file = upload("ids.txt", '\ufeff"two"\nstranger\n'.encode())
    form = {"outcome": "timed_out", "ids": "one\n", "file": file}
    assert messages_of(alice.post(f"{one}ended/", form, follow=True)) == [
        "2 participations ended.",
        "Nobody here has these ids: stranger",
    ]
    alice.post(f"{one}ended/", {"part": str(parts["three"].key)})
    outcomes = panel.participants.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["timed_out", "timed_out", "withdrawn"]
    assert alice.post(f"{one}ended/", {"outcome": "timed_out"}).status_code == 422
    assert alice.post(f"{one}ended/", {"part": "x"}).status_code == 404
    table = text_of(alice.get(one))
    assert "A01" in table and "Time was up" in table


def test_a_draft_is_told_and_parts_of_before_an_archive_are_listed():
    panel = make_panel()
    for annotator, name in (
        (make_annotator(panel.campaign, "ben"), "Old crowd"),
        (panel_enter(panel=panel, platform_id="one").annotator, "Told above"),
    ):
        PartRecord.objects.create(
            annotator=annotator, number=1, panel=name, sheets=2, quota=2, active_seconds=60
        )
    alice = client_of("alice")
    page = text_of(alice.get("/c/camp/panels/"))
    assert "Old crowd" in page and "Told above" not in page
    one = f"/c/camp/panels/{panel.key}/"
    assert "The campaign is a draft" not in text_of(alice.get(one))
    Campaign.objects.update(status="draft")
    assert "The campaign is a draft" in text_of(alice.get(one))


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
    ask_consent(panel.campaign, "We ask you to judge.")
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
