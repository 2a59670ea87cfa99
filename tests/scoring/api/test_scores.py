"""Scores of metrics of one's own."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from scoring.models import Run
from tests.clients import client_of
from tests.scoring.services.runs.score_files import upload

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
