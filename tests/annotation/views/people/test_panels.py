"""The pages about panels: made, changed, closed, erased, people whose part has ended."""

from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Campaign, Panel, PartRecord
from annotation.panels.participation import panel_enter
from tests.annotation.services.people.test_entering import make_panel
from tests.clients import client_of, messages_of, text_of
from tests.factories import make_annotator

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
    file = SimpleUploadedFile("ids.txt", '\ufeff"two"\nstranger\n'.encode())
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
