"""Archives made and restored by workers, also by workers that are killed."""

from __future__ import annotations

import errno
import io
import zipfile

import pytest
from django.conf import settings
from django.db import OperationalError
from pytest import MonkeyPatch

from annotation.errors import Invalid, NoRoom
from annotation.models import AuditEntry, Campaign
from scoring.models import ExportFile, RestoreJob
from scoring.services.archives import jobs
from scoring.services.archives.jobs import (
    FOLDER,
    restore_make,
    restore_order,
    restores_expire,
    whole_order,
)
from scoring.services.reports.exports import export_make
from tests.factories import make_campaign, make_user
from tests.scoring.services.archives.parts import archived

pytestmark = pytest.mark.django_db


def order(slug: str = "again", data: bytes | None = None) -> RestoreJob:
    if data is None:
        campaign = Campaign.objects.filter(slug="camp").first() or make_campaign(items=2)
        data = archived(campaign).getvalue()
    return restore_order(stream=io.BytesIO(data), name="a.zip", actor=make_user("alice"), slug=slug)


def test_a_worker_makes_the_file_and_restores_it() -> None:
    campaign = make_campaign(items=2)
    for what in ("archive", "package"):
        file = whole_order(campaign=campaign, actor=make_user("alice"), what=what)
        export_make(export_pk=file.pk)
        file.refresh_from_db()
        assert file.status == ExportFile.Status.DONE, file.error
        assert zipfile.is_zipfile(file.stored)
    job = order()
    restore_make(job_pk=job.pk)
    job.refresh_from_db()
    assert (job.status, job.path, job.done) == ("done", "", job.total)
    assert job.campaign is not None and job.campaign.slug == "again"
    assert not any((settings.DATA_DIR / FOLDER).glob(f"{job.key}*"))
    restore_make(job_pk=job.pk)
    assert Campaign.objects.count() == 2


def test_a_bad_file_is_told_and_forgotten() -> None:
    job = order(data=b"no zip")
    restore_make(job_pk=job.pk)
    job.refresh_from_db()
    assert job.status == "failed"
    assert "nothing was restored: this is no zip file" in job.error
    assert not any((settings.DATA_DIR / FOLDER).glob(f"{job.key}*"))


def test_a_database_that_goes_away_leaves_the_job_to_the_sweep(monkeypatch: MonkeyPatch) -> None:
    job = order()

    def away(**_: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(jobs, "archive_restore", away)
    with pytest.raises(OperationalError):
        restore_make(job_pk=job.pk)
    job.refresh_from_db()
    assert job.status == "running" and job.stored.is_file()


def test_a_process_that_lost_its_claim_writes_nothing(monkeypatch: MonkeyPatch) -> None:
    """Killed, swept and done again, while the first still lives: one campaign."""
    job = order()
    real = jobs.archive_restore

    def slow(**options: object) -> Campaign:
        RestoreJob.objects.filter(pk=job.pk).update(status="queued", worker="")
        monkeypatch.setattr(jobs, "archive_restore", real)
        restore_make(job_pk=job.pk)
        options["slug"] = "twice"
        return real(**options)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "archive_restore", slow)
    restore_make(job_pk=job.pk)
    assert not Campaign.objects.filter(slug="twice").exists()
    assert Campaign.objects.filter(slug="again").count() == 1


def test_a_full_disk_is_told(monkeypatch: MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    data = archived(make_campaign(items=1)).getvalue()
    monkeypatch.setattr(jobs.shutil, "copyfileobj", full)
    with pytest.raises(NoRoom):
        order(data=data)
    assert not RestoreJob.objects.exists()


def test_what_cannot_be_is_refused_at_once() -> None:
    campaign = make_campaign(items=1)
    with pytest.raises(Invalid, match="exists already"):
        order(slug=campaign.slug)
    with pytest.raises(Invalid, match="letters, digits"):
        order(slug="a b")
    with pytest.raises(Invalid, match="an archive or a package"):
        whole_order(campaign=campaign, actor=None, what="items")
    with pytest.raises(Invalid, match="no licence"):
        whole_order(campaign=campaign, actor=None, what="package", licence="mine")
    whole_order(campaign=campaign, actor=make_user("alice"), what="archive")
    assert AuditEntry.objects.filter(campaign=campaign, verb="archive").exists()


def test_files_that_no_job_needs_are_removed(monkeypatch: MonkeyPatch) -> None:
    job = order()
    stray = job.stored.with_name("stray.zip")
    stray.touch()
    assert restores_expire() == 0
    monkeypatch.setattr(jobs, "STRAY_AFTER", -jobs.STRAY_AFTER)
    assert restores_expire() >= 1
    assert not stray.exists() and job.stored.exists()
