"""Archives by program."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Campaign
from annotation.services.campaigns.campaigns import campaign_close
from scoring.models import ExportFile, RestoreJob
from scoring.services.archives.jobs import restore_make
from scoring.services.reports.exports import export_make
from tests.factories import make_campaign, make_user
from tests.scoring.services.archives.parts import archived

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice() -> Client:
    client = Client()
    client.force_login(make_user("alice"))
    return client


def test_an_archive_is_ordered_and_fetched(alice: Client) -> None:
    campaign = make_campaign(items=2)
    home = f"/api/v1/campaigns/{campaign.slug}/archives"
    asked = {"what": "package", "licence": "cc0-1.0", "creators": ["Doe, Jane"]}
    answer = alice.post(home, asked, content_type="application/json")
    assert answer.status_code == 202 and answer.json()["what"] == "package"
    key = alice.post(home).json()["key"]
    assert alice.get(f"{home}/{key}/file").status_code == 409
    export_make(export_pk=ExportFile.objects.get(key=key).pk)
    assert alice.get(f"{home}/{key}").json()["status"] == "done"
    assert alice.get(home).json()["count"] == 2
    assert b"".join(alice.get(f"{home}/{key}/file").streaming_content)[:2] == b"PK"  # type: ignore[attr-defined]
    assert alice.post(home, {"what": "items"}).status_code == 400
    exports = f"/api/v1/campaigns/{campaign.slug}/exports"
    assert alice.get(f"{exports}/{key}").status_code == 404


def test_an_archive_is_sent_and_restored(alice: Client) -> None:
    sent = archived(make_campaign(items=2))
    sent.name = "a.zip"  # type: ignore[misc]
    answer = alice.post("/api/v1/restores", {"file": sent, "slug": "again"})
    assert answer.status_code == 202, answer.content
    restore_make(job_pk=RestoreJob.objects.get().pk)
    said = alice.get(f"/api/v1/restores/{answer.json()['key']}").json()
    assert (said["status"], said["campaign"]) == ("done", "again")
    assert alice.get("/api/v1/restores").json()["count"] == 1


def test_away_back_and_deleted(alice: Client) -> None:
    campaign = make_campaign(items=1)
    home = f"/api/v1/campaigns/{campaign.slug}"
    away = f"{home}/archive-away"
    json = {"content_type": "application/json"}
    assert alice.post(away, {"archived": True}, **json).status_code == 400
    campaign_close(campaign=campaign, actor=None)
    assert alice.post(away, {"archived": True}, **json).json()["archived_at"]
    assert alice.post(f"{home}/runs", {"metric": "pinc"}, **json).status_code == 403
    assert alice.post(away, {"archived": False}, **json).json() == {"archived_at": None}
    assert alice.post(f"{home}/delete", {"typed": "x"}, **json).status_code == 400
    assert alice.post(f"{home}/delete", {"typed": campaign.slug}, **json).status_code == 204
    assert not Campaign.objects.exists()
