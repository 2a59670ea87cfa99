"""Scores of metrics of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Campaign, ImportJob
from annotation.services.importing import size
from annotation.services.importing.jobs import import_make
from scoring.models import Run
from tests.clients import client_of
from tests.scoring.services.runs.score_files import FILE, upload

pytestmark = pytest.mark.django_db


def test_the_api(camp: Campaign) -> None:
    dora = client_of("dora")
    address = "/api/v1/campaigns/camp/imports/scores"
    wrong = dora.post(address, {"file": upload("item,paraphrase,score\n9,x,1\n")})
    assert wrong.status_code == 422
    [problem] = wrong.json()["problems"]
    assert (problem["line"], problem["severity"], wrong.json()["runs"]) == (2, "error", [])
    dry = dora.post(address, {"file": upload(), "dry_run": "true"})
    assert dry.status_code == 200 and not Run.objects.exists()
    wide = "item,paraphrase,score.a,score.b\n1,thus,1,2\n"
    made = dora.post(address, {"file": upload(wide), "lower": ["b"]})
    assert made.status_code == 201
    assert [(run["label"], run["higher_is_better"]) for run in made.json()["runs"]] == [
        ("a", True),
        ("b", False),
    ]
    assert dora.post(address, {"file": upload(wide), "lower": ["b"]}).status_code == 200


@pytest.fixture
def small_files_are_large(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(size, "AT_ONCE", 2)
    yield
    assert not list(tmp_path.glob("files/imports/*")), "a file was left behind"


@pytest.mark.usefixtures("small_files_are_large")
def test_a_large_file_is_imported_by_a_worker(camp: Campaign) -> None:
    dora = client_of("dora")
    address = "/api/v1/campaigns/camp/imports/"
    for text in (FILE, FILE.replace("0.5", "much")):
        answer = dora.post(f"{address}scores", {"file": upload(text), "higher_is_better": "false"})
        assert answer.status_code == 202, answer.content
        assert (answer.json()["what"], answer.json()["status"]) == ("scores", "queued")
        import_make(job_pk=ImportJob.objects.get(key=answer.json()["key"]).pk)
        told = dora.get(f"{address}{answer.json()['key']}").json()
        run = Run.objects.get()
        if text == FILE:
            assert (told["status"], told["done"]) == ("done", told["total"])
            assert told["report"]["counts"] == {"scores": 2, "system_scores": 0}
            assert told["report"]["runs"] == [str(run.key)]
            assert (run.label, run.higher_is_better, run.status) == ("mine", False, "done")
        else:
            assert told["status"] == "failed" and told["report"]["runs"] == []
            [problem] = told["report"]["problems"]
            assert (problem["line"], problem["column"]) == (2, "score")


@pytest.mark.usefixtures("small_files_are_large")
def test_the_page_leaves_a_large_file_to_a_worker_too(camp: Campaign) -> None:
    dora = client_of("dora")
    data = {"file": upload(), "label": "blem"}
    page = dora.post(reverse("scores-import", args=["camp"]), data, follow=True)
    assert "The file is waiting for a worker" in page.content.decode()
    import_make(job_pk=ImportJob.objects.get().pk)
    text = dora.get(page.redirect_chain[-1][0]).content.decode()
    assert "Imported: 2 scores." in text and Run.objects.get().label == "blem"
