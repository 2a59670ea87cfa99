"""Pages of archives, packages, restoring and deleting."""

from __future__ import annotations

import io

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


def test_an_archive_is_made_downloaded_and_restored(alice: Client) -> None:
    campaign = make_campaign(items=2)
    home = f"/c/{campaign.slug}/archive/"
    assert "every 2s" in alice.post(f"{home}new/archive/", follow=True).content.decode()
    file = ExportFile.objects.get()
    export_make(export_pk=file.pk)
    page = alice.get(home).content.decode()
    assert "every 2s" not in page and f"{home}{file.key}/" in page
    answer = alice.get(f"{home}{file.key}/")
    data = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    sent = io.BytesIO(data)
    sent.name = "camp.zip"
    page = alice.post("/restore/", {"file": sent, "slug": "again"}, follow=True).content.decode()
    assert "every 1s" in page and "camp.zip" in page
    restore_make(job_pk=RestoreJob.objects.get().pk)
    job = RestoreJob.objects.get()
    assert "/c/again/" in alice.get(f"/restore/{job.key}/").content.decode()
    page = alice.get("/c/again/archive/").content.decode()
    assert "restored from an archive of" in page and job.campaign is not None
    assert "camp.zip" in alice.get("/restore/").content.decode()


def test_a_refused_file_says_why(alice: Client) -> None:
    sent = io.BytesIO(b"no zip")
    sent.name = "a.zip"
    alice.post("/restore/", {"file": sent})
    job = RestoreJob.objects.get()
    restore_make(job_pk=job.pk)
    page = alice.get(f"/restore/{job.key}/").content.decode()
    assert "Nothing was restored" in page and "this is no zip file" in page


def test_a_name_that_is_taken_and_a_file_that_is_too_large(alice: Client, settings) -> None:  # type: ignore[no-untyped-def]
    campaign = make_campaign(items=1)
    sent = archived(campaign)
    sent.name = "a.zip"  # type: ignore[misc]
    page = alice.post("/restore/", {"file": sent, "slug": campaign.slug}).content.decode()
    assert "exists already" in page
    settings.ARCHIVE_MAX_BYTES = 10
    sent.seek(0)
    page = alice.post("/restore/", {"file": sent}).content.decode()
    assert "the most this site takes" in page
    assert not RestoreJob.objects.exists()


def test_a_package_has_a_licence_and_creators(alice: Client) -> None:
    campaign = make_campaign(items=1)
    assert "cc-by-4.0" in alice.get(f"/c/{campaign.slug}/publish/").content.decode()
    asked = {"licence": "cc-by-4.0", "creators": "Doe, Jane\r\n\r\nRoe, Richard\r\n"}
    alice.post(f"/c/{campaign.slug}/archive/new/package/", asked)
    assert ExportFile.objects.get().options == {
        "licence": "cc-by-4.0", "creators": ["Doe, Jane", "Roe, Richard"],
    }  # fmt: skip
    assert alice.post(f"/c/{campaign.slug}/archive/new/items/").status_code == 400


def test_archiving_away_and_back(alice: Client) -> None:
    campaign = make_campaign(items=1)
    home = f"/c/{campaign.slug}/archive/"
    assert "close it first" in alice.post(f"{home}away/", follow=True).content.decode()
    campaign_close(campaign=campaign, actor=None)
    assert "has been archived since" in alice.post(f"{home}away/", follow=True).content.decode()
    listed = alice.get("/campaigns/").content.decode()
    assert f"/c/{campaign.slug}/" not in listed and "?archived=1" in listed
    assert f"/c/{campaign.slug}/" in alice.get("/campaigns/?archived=1").content.decode()
    assert alice.get(f"/c/{campaign.slug}/settings/").status_code == 403
    assert alice.get(f"/c/{campaign.slug}/results/").status_code == 200
    alice.post(f"{home}away/", {"act": "back"})
    assert alice.get(f"/c/{campaign.slug}/settings/").status_code == 200


def test_deleting_asks_for_the_name(alice: Client) -> None:
    campaign = make_campaign(items=1)
    home = f"/c/{campaign.slug}/archive/"
    page = alice.post(f"{home}delete/", {"typed": "no"}, follow=True).content.decode()
    assert "Type the short name" in page and Campaign.objects.exists()
    page = alice.post(f"{home}delete/", {"typed": campaign.slug}, follow=True).content.decode()
    assert "is deleted" in page and not Campaign.objects.exists()


def test_who_may_not_own_sees_no_button() -> None:
    campaign = make_campaign(items=1)
    client = Client()
    client.force_login(make_user("dora"))
    page = client.get(f"/c/{campaign.slug}/archive/").content.decode()
    assert "archive/delete/" not in page and "archive/away/" not in page
    client.force_login(make_user("vera"))
    assert client.get(f"/c/{campaign.slug}/archive/").status_code == 403
