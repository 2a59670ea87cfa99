"""Builds on the page of resources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.models import Build, Resource
from scoring.services.builds.work import builds_work
from tests.clients import html_of, text_of
from tests.scoring.building.alignment.test_aligner import sentences
from tests.scoring.services.builds.parts import asked, corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def content_of(client: Client, resource: Resource) -> bytes:
    answer: Any = client.get(f"/resources/{resource.key}/file/")
    assert answer["Content-Disposition"].startswith(f'attachment; filename="{resource.kind}.')
    return b"".join(answer.streaming_content)


def test_one_is_made_watched_and_downloaded(owner: Client, tmp_path: Path) -> None:
    assert "Add a file of this kind first: Corpus." in html_of(owner.get("/resources/"))
    source = corpus(tmp_path)
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
    assert content_of(owner, made).startswith(b"\\data\\\nngram 1=")
    assert owner.get(f"/resources/{source.key}/file/").status_code == 404
    again = owner.post("/builds/", sent, follow=True)
    assert "The same was made before, as Tiny." in html_of(again)


def test_wrong_options_are_told_and_cancelling_is_for_active_ones(
    owner: Client, tmp_path: Path
) -> None:
    source = corpus(tmp_path)
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "many"}
    refused = owner.post("/builds/", sent, follow=True)
    assert "lm: order=many is not allowed" in text_of(refused) and not Build.objects.exists()
    cancel = f"/builds/{asked(source).key}/cancel/"
    assert "was cancelled" in text_of(owner.post(cancel, follow=True))
    assert owner.post(cancel).status_code == 409


@pytest.mark.slow
def test_two_texts_make_a_paraphrase_table(owner: Client, tmp_path: Path) -> None:
    english, foreign, _ = sentences(200)
    # Of each sentence a second one, with another word for one of the foreign words.
    english += [[{"dog": "hound"}.get(word, word) for word in words] for words in english]
    keys = {}
    for role, lines in (("english", english), ("foreign", foreign * 2)):
        path = tmp_path / f"{role}.txt"
        path.write_text("".join(" ".join(words) + "\n" for words in lines))
        call_command("add_resource", "corpus", str(path), "--name", role)
        keys[f"input-{role}"] = str(Resource.objects.get(name=role).key)
    html = html_of(owner.get("/resources/"))
    assert "English sentences" in html and "Their translations, line by line" in html
    assert '<option value="">Choose one' in html  # Not the newest corpus for both.
    owner.post("/builds/", {"recipe": "paraphrases", "name": "Pairs", **keys})
    builds_work()
    made = Resource.objects.get(kind="table", status=Resource.Status.READY)
    _phrase, _paraphrase, share = content_of(owner, made).splitlines()[0].split(b"\t")
    assert 0 < float(share) <= 1
