"""Pages of archives, packages, restoring and deleting."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import Campaign
from paraanno.jobs.engine import job_work
from scoring.models import ExportFile, RestoreJob
from tests.clients import client_of, html_of
from tests.factories import make_campaign

HOME = "/c/camp/archive/"


@pytest.fixture
def alice():
    make_campaign(items=2)
    return client_of("alice")


def restored(client, data, slug=""):
    """The page that a file of an archive leads to."""
    sent = {"file": SimpleUploadedFile("camp.zip", data), "slug": slug}
    return html_of(client.post("/restore/", sent, follow=True))


def test_an_archive_is_made_downloaded_and_restored(alice):
    assert "every 2s" in html_of(alice.post(f"{HOME}new/archive/", follow=True))
    file = ExportFile.objects.get()
    job_work("export", file.pk)
    page = html_of(alice.get(HOME))
    assert "every 2s" not in page and f"{HOME}{file.key}/" in page
    answer = alice.get(f"{HOME}{file.key}/")
    page = restored(alice, b"".join(answer.streaming_content), "again")
    assert "every 1s" in page and "camp.zip" in page
    job = RestoreJob.objects.get()
    job_work("restore", job.pk)
    assert "/c/again/" in html_of(alice.get(f"/restore/{job.key}/"))
    assert "restored from an archive of" in html_of(alice.get("/c/again/archive/"))
    assert "camp.zip" in html_of(alice.get("/restore/"))


def test_a_package_has_a_licence_and_creators(alice):
    assert "cc-by-4.0" in html_of(alice.get("/c/camp/publish/"))
    sent = {"licence": "cc-by-4.0", "creators": "Doe, Jane\r\n\r\nRoe, Richard\r\n"}
    alice.post(f"{HOME}new/package/", sent)
    assert ExportFile.objects.get().options == {
        "licence": "cc-by-4.0",
        "creators": ["Doe, Jane", "Roe, Richard"],
    }
    assert alice.post(f"{HOME}new/items/").status_code == 400


def test_deleting_asks_for_the_name_and_who_may_not_own_sees_no_button(alice):
    page = html_of(client_of("dora").get(HOME))
    assert f"{HOME}delete/" not in page and f"{HOME}away/" not in page
    page = html_of(alice.post(f"{HOME}delete/", {"typed": "no"}, follow=True))
    assert "Type the short name" in page and Campaign.objects.exists()
    assert f"{HOME}delete/" in page and f"{HOME}away/" in page
    page = html_of(alice.post(f"{HOME}delete/", {"typed": "camp"}, follow=True))
    assert "is deleted" in page and not Campaign.objects.exists()
