"""What an annotator is told between two sheets: to read something, or that their work is paused."""

from annotation.collecting.claiming import claim_next
from annotation.models import QualityAction
from tests.annotation.views.quality.clients import watched
from tests.clients import client_of, html_of
from tests.factories import rate_sheet


def test_a_warning_is_read_between_two_sheets_without_javascript():
    watched("warn")
    client = client_of("bob")
    assert client.post("/rate/camp/")["Location"] == "/rate/camp/notice/"
    page = html_of(client.get("/rate/camp/notice/"))
    assert "guidelines once more" in page
    for secret in ("control", "copy", "degraded", "fail", "paraphrase 0", "rule"):
        assert secret not in page.casefold(), secret
    client.post("/rate/camp/notice/")
    assert client.post("/rate/camp/")["Location"].startswith("/rate/camp/")
    assert "There is nothing to read" in html_of(client.get("/rate/camp/notice/"))


def test_after_a_sheet_the_program_hears_of_the_warning():
    _, bob = watched("warn")
    QualityAction.objects.update(taken_at=None)
    sheet = claim_next(annotator=bob)
    assert sheet is not None
    rate_sheet(bob, sheet, 1, submit=False)
    body = {"state": "done", "annotator": str(bob.key)}
    answer = client_of("bob").put(f"/api/v1/sheets/{sheet.key}/state", body, "application/json")
    found = answer.json()
    assert answer.status_code == 200 and found["state"] == "done" and found["sheet"] is None
    assert (found["code"], found["url"]) == ("warned", "/rate/camp/notice/")
