"""Archives by program."""

import pytest
from django.contrib.auth.models import User

from annotation.campaigns.services import campaign_close
from annotation.models import Campaign
from paraanno.jobs.engine import job_work
from scoring.models import ExportFile, RestoreJob
from tests.clients import confirm
from tests.factories import make_campaign
from tests.scoring.services.archives.parts import archived

CAMP = "/api/v1/campaigns/camp"


@pytest.fixture
def alice(login):
    make_campaign(items=2)
    return login("alice")


def test_an_archive_is_ordered_and_fetched(alice):
    home = f"{CAMP}/archives"
    package = {"what": "package", "licence": "cc0-1.0", "creators": ["Doe, Jane"]}
    answer = alice.post(home, package)
    assert answer.status_code == 202 and answer.json()["what"] == "package"
    key = alice.post(home).json()["key"]
    assert alice.get(f"{home}/{key}/file").status_code == 409
    job_work("export", ExportFile.objects.get(key=key).pk)
    assert alice.get(f"{home}/{key}").json()["status"] == "done"
    assert alice.get(home).json()["count"] == 2
    assert b"".join(alice.get(f"{home}/{key}/file").streaming_content)[:2] == b"PK"
    assert alice.post(home, {"what": "items"}).status_code == 400
    assert alice.get(f"{CAMP}/exports/{key}").status_code == 404


def test_an_archive_is_sent_and_restored(alice):
    sent = archived(Campaign.objects.get())
    sent.name = "a.zip"
    answer = alice.post("/api/v1/restores", {"file": sent, "slug": "again"}, format="multipart")
    assert answer.status_code == 202, answer.content
    job_work("restore", RestoreJob.objects.get().pk)
    job = alice.get(f"/api/v1/restores/{answer.json()['key']}").json()
    assert (job["status"], job["campaign"]) == ("done", "again")
    assert alice.get("/api/v1/restores").json()["count"] == 1


def test_away_back_and_deleted(alice):
    away = f"{CAMP}/archive-away"
    assert alice.post(away, {"archived": True}).status_code == 400
    campaign_close(campaign=Campaign.objects.get(), actor=None)
    assert alice.post(away, {"archived": True}).json()["archived_at"]
    assert alice.post(f"{CAMP}/runs", {"metric": "pinc"}).status_code == 403
    assert alice.post(away, {"archived": False}).json() == {"archived_at": None}
    assert alice.post(f"{CAMP}/delete", {"typed": "camp"}).json()["code"] == "confirm"
    confirm(alice, User.objects.get(username="alice"))
    assert alice.post(f"{CAMP}/delete", {"typed": "x"}).status_code == 400
    assert alice.post(f"{CAMP}/delete", {"typed": "camp"}).status_code == 204
    assert not Campaign.objects.exists()
