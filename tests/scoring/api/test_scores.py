"""Scores of metrics of one's own."""

from scoring.models import Run
from tests.clients import client_of
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
