"""The import page: a file is checked first, and imported when that is confirmed."""

import json
import os
import time

import pytest

from annotation.importing import jobs
from annotation.importing.views import KEPT_FOR, kept_paths
from annotation.models import ImportJob
from paraanno.jobs.engine import job_work
from tests.annotation.views.campaigns.drafts import PAGE
from tests.clients import client_of, messages_of, text_of, upload
from tests.factories import item_rows, make_campaign

BAD = b"phrase,sentence,rank\nmoon,the sun,x\n"
GOOD = "".join(json.dumps(row) + "\n" for row in item_rows(3)).encode()


def send(contents, *, language="en", **options):
    file = upload("items.csv" if contents == BAD else "items.jsonl", contents)
    headers = {"Accept-Language": language}
    return client_of("dora").post(PAGE, {"what": "items", "file": file, **options}, headers=headers)


@pytest.mark.parametrize(("language", "words"), [("ko", "정수가 아닙니다"), ("en", "whole number")])
def test_a_file_with_problems_is_refused_and_not_kept(draft, data_dir, language, words):
    page = send(BAD, language=language)
    assert page.status_code == 422 and words in text_of(page)
    assert list((data_dir / "tmp" / "imports").iterdir()) == []


def test_a_checked_file_is_that_of_one_user_in_one_campaign(draft, data_dir):
    """It is imported when that is confirmed, once, and in time."""
    make_campaign("other", items=1, open_it=False)
    checked = send(GOOD)
    assert checked.status_code == 200 and draft.items.count() == 1
    old = time.time() - KEPT_FOR - 1
    for path in kept_paths(checked.context["kept"]):
        os.utime(path, (old, old))
    dora, kept = client_of("dora"), {"kept": send(GOOD).context["kept"]}
    for wrong in (checked.context["kept"], "../secret"):
        assert dora.post(PAGE, {"kept": wrong}).status_code == 400
    assert client_of("alice").post(PAGE, kept).status_code == 400
    assert dora.post("/c/other/import/", kept).status_code == 400
    [message] = messages_of(dora.post(PAGE, kept, follow=True))
    assert message.startswith("Imported: ") and "2 items" in message
    assert draft.items.count() == 3
    assert list((data_dir / "tmp" / "imports").iterdir()) == []
    assert dora.post(PAGE, kept).status_code == 400


def test_a_large_file_is_checked_and_imported_by_a_worker(draft, monkeypatch):
    monkeypatch.setattr(jobs, "AT_ONCE", 5)
    monkeypatch.setattr("scoring.work.workers._send", lambda *args: None)
    dora = client_of("dora")
    address = send(GOOD)["Location"]
    waiting = dora.get(address)
    assert "is waiting for a worker" in text_of(waiting) and b"hx-trigger" in waiting.content
    assert "items.jsonl" in text_of(dora.get(PAGE))
    for _ in range(2):  # the check, then the import
        job_work("import", ImportJob.objects.latest("pk").pk)
        page = dora.get(address)
        assert b'hx-trigger="every' not in page.content
        if page.context["kept"]:
            assert "It would add:" in text_of(page) and draft.items.count() == 1
            address = dora.post(address)["Location"]
    assert "The file is imported" in text_of(page) and draft.items.count() == 3
    assert "Look at the screen Open…" in text_of(page)
    assert dora.post(address).status_code == 409
    send(BAD * 6)
    job_work("import", ImportJob.objects.latest("pk").pk)
    refused = dora.get(f"{PAGE}{ImportJob.objects.latest('pk').key}/")
    assert "Nothing was imported" in text_of(refused) and "is not JSON" in text_of(refused)
