"""Builds on the page of resources."""

import pytest

from scoring.builds.work import builds_work
from scoring.models import Build, Resource
from tests.clients import html_of, text_of
from tests.scoring.services.builds.parts import asked, corpus

pytestmark = pytest.mark.usefixtures("data_dir")


@pytest.mark.slow
def test_one_is_made_watched_and_downloaded(owner, tmp_path):
    assert "Add a file of this kind first: Corpus." in html_of(owner.get("/resources/"))
    source = corpus(tmp_path)
    html = html_of(owner.get("/resources/"))
    assert "English sentences" in html and "Their translations, line by line" in html
    assert '<option value="">Choose one' in html  # Not the newest corpus for both.
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "2", "name": "Tiny"}
    assert "Tiny is being made" in html_of(owner.post("/builds/", sent, follow=True))
    page = f"/builds/{Build.objects.get().key}/"
    row = owner.get(page)
    assert "waits for a worker" in html_of(row) and "HX-Refresh" not in row
    Build.objects.update(status="running", worker="x/1", stage="estimate", number=1)
    assert "stage 1 of 2: estimate" in html_of(owner.get(page))
    korean = html_of(owner.get("/resources/", HTTP_ACCEPT_LANGUAGE="ko"))
    assert "만드는 중" in korean and "Make one" not in korean
    Build.objects.update(status="queued", worker="")
    builds_work()
    assert owner.get(page)["HX-Refresh"] == "true"
    assert "Download as text" in html_of(owner.get("/resources/"))
    made = Resource.objects.get(kind="lm")
    answer = owner.get(f"/resources/{made.key}/file/")
    assert answer["Content-Disposition"] == 'attachment; filename="lm.arpa"'
    assert b"".join(answer.streaming_content).startswith(b"\\data\\\nngram 1=")
    assert owner.get(f"/resources/{source.key}/file/").status_code == 404
    again = owner.post("/builds/", sent, follow=True)
    assert "The same was made before, as Tiny." in html_of(again)


def test_wrong_options_are_told_and_cancelling_is_for_active_ones(owner, tmp_path):
    source = corpus(tmp_path)
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "many"}
    refused = owner.post("/builds/", sent, follow=True)
    assert "lm: order=many is not allowed" in text_of(refused) and not Build.objects.exists()
    cancel = f"/builds/{asked(source).key}/cancel/"
    assert "was cancelled" in text_of(owner.post(cancel, follow=True))
    assert owner.post(cancel).status_code == 409
