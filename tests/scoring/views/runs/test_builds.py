"""Builds on the page of resources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.models import Build, Resource
from scoring.services.builds.work import builds_work
from tests.scoring.building.alignment.test_aligner import sentences
from tests.scoring.services.builds.parts import asked, corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def page(client: Client, **options: Any) -> str:
    return client.get("/resources/", **options).content.decode()


def test_one_is_made_watched_and_downloaded(owner: Client, tmp_path: Path) -> None:
    assert "Add a file of this kind first: Corpus." in page(owner)
    source = corpus(tmp_path)
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "2", "name": "Tiny"}
    said = owner.post("/builds/", sent, follow=True).content.decode()
    assert "Tiny is being made" in said
    build = Build.objects.get()
    row = owner.get(f"/builds/{build.key}/")
    assert "waits for a worker" in row.content.decode() and "HX-Refresh" not in row
    Build.objects.update(status="running", worker="x/1", stage="estimate", number=1)
    assert "stage 1 of 2: estimate" in owner.get(f"/builds/{build.key}/").content.decode()
    Build.objects.update(status="queued", worker="")
    builds_work()
    assert owner.get(f"/builds/{build.key}/")["HX-Refresh"] == "true"
    made = Resource.objects.get(kind="lm")
    assert "Download as text" in page(owner)
    answer: Any = owner.get(f"/resources/{made.key}/file/")
    content = b"".join(answer.streaming_content)
    assert answer["Content-Disposition"] == 'attachment; filename="lm.arpa"'
    assert content.startswith(b"\\data\\\nngram 1=")
    assert owner.get(f"/resources/{source.key}/file/").status_code == 404
    said = owner.post("/builds/", sent, follow=True).content.decode()
    assert "The same was made before, as Tiny." in said


def test_wrong_options_are_told_and_cancelling_is_for_active_ones(
    owner: Client, tmp_path: Path
) -> None:
    source = corpus(tmp_path)
    sent = {"recipe": "lm", "input-text": str(source.key), "option-order": "many"}
    assert (
        "lm: order=many is not allowed"
        in owner.post("/builds/", sent, follow=True).content.decode()
    )
    assert not Build.objects.exists()
    build = asked(source)
    said = owner.post(f"/builds/{build.key}/cancel/", follow=True).content.decode()
    assert "was cancelled" in said
    assert owner.post(f"/builds/{build.key}/cancel/").status_code == 409


def test_the_page_is_there_in_korean(owner: Client, tmp_path: Path) -> None:
    asked(corpus(tmp_path))
    said = page(owner, HTTP_ACCEPT_LANGUAGE="ko")
    assert "Make one" not in said
    assert "만드는 중" in said


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
    said = page(owner)
    assert "English sentences" in said
    assert "Their translations, line by line" in said
    assert '<option value="">Choose one' in said  # Not the newest corpus for both.
    owner.post("/builds/", {"recipe": "paraphrases", "name": "Pairs", **keys})
    builds_work()
    made = Resource.objects.get(kind="table")
    assert made.status == Resource.Status.READY
    answer: Any = owner.get(f"/resources/{made.key}/file/")
    first = b"".join(answer.streaming_content).splitlines()[0].split(b"\t")
    assert len(first) == 3
    assert 0 < float(first[2]) <= 1
