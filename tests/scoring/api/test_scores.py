"""Scores of metrics of one's own."""

import pytest

from annotation.importing import size
from annotation.models import ImportJob
from paraanno.jobs.engine import job_work
from scoring.models import Run
from tests.clients import client_of, html_of
from tests.scoring.services.runs.score_files import FILE, upload

IMPORTS = "/api/v1/campaigns/camp/imports/"


def send(text, **more):
    return client_of("dora").post(f"{IMPORTS}scores", {"file": upload(text), **more})


def test_the_api(camp):
    wrong = send("item,paraphrase,score\n9,x,1\n")
    [problem] = wrong.json()["problems"]
    assert (wrong.status_code, wrong.json()["runs"]) == (422, [])
    assert (problem["line"], problem["severity"]) == (2, "error")
    assert send(FILE, dry_run="true").status_code == 200 and not Run.objects.exists()
    wide = "item,paraphrase,score.a,score.b\n1,thus,1,2\n"
    made = send(wide, lower=["b"])
    assert made.status_code == 201
    assert [(run["label"], run["higher_is_better"]) for run in made.json()["runs"]] == [
        ("a", True),
        ("b", False),
    ]
    assert send(wide, lower=["b"]).status_code == 200


@pytest.fixture
def small_files_are_large(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(size, "AT_ONCE", 2)
    yield
    assert not list(tmp_path.glob("files/imports/*")), "a file was left behind"


@pytest.mark.usefixtures("small_files_are_large")
def test_a_large_file_is_imported_by_a_worker(camp):
    def imported(text):
        answer = send(text, higher_is_better="false")
        job = answer.json()
        assert (answer.status_code, job["what"], job["status"]) == (202, "scores", "queued")
        job_work("import", ImportJob.objects.get(key=job["key"]).pk)
        done = client_of("dora").get(f"{IMPORTS}{job['key']}").json()
        return done["status"], done["report"]

    status, report = imported(FILE)
    run = Run.objects.get()
    assert (status, report["runs"]) == ("done", [str(run.key)])
    assert report["counts"] == {"scores": 2, "system_scores": 0}
    assert (run.label, run.higher_is_better, run.status) == ("mine", False, "done")
    status, report = imported(FILE.replace("0.5", "much"))
    [problem] = report["problems"]
    assert (status, report["runs"]) == ("failed", [])
    assert (problem["line"], problem["column"]) == (2, "score")


@pytest.mark.usefixtures("small_files_are_large")
def test_the_page_leaves_a_large_file_to_a_worker_too(camp):
    dora = client_of("dora")
    data = {"file": upload(), "label": "blem"}
    page = dora.post("/c/camp/runs/import/", data, follow=True)
    assert "The file is waiting for a worker" in html_of(page)
    job_work("import", ImportJob.objects.get().pk)
    html = html_of(dora.get(page.redirect_chain[-1][0]))
    assert "Imported: 2 scores." in html and Run.objects.get().label == "blem"
