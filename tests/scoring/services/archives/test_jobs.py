"""Archives made and restored by workers, also by workers that are killed."""

import errno
import io
import zipfile

import pytest
from django.conf import settings
from django.db import OperationalError

from annotation.errors import Invalid, NoRoom
from annotation.models import AuditEntry, Campaign
from paraanno.jobs.engine import job_work
from scoring.archives import services
from scoring.archives.services import restore_order, whole_order
from scoring.models import RestoreJob
from scoring.models.files import RESTORES
from scoring.work import expiry
from tests.factories import make_campaign, make_user
from tests.scoring.rich import archived


@pytest.fixture
def campaign():
    return make_campaign(items=2)


def order(data, slug="again"):
    return restore_order(stream=io.BytesIO(data), name="a.zip", actor=make_user("alice"), slug=slug)


@pytest.fixture
def job(campaign):
    return order(archived(campaign).getvalue())


def made(job):
    job_work("restore", job.pk)
    job.refresh_from_db()
    return job


def lying(job):
    return list((settings.DATA_DIR / RESTORES).glob(f"{job.key}*"))


def test_a_worker_makes_the_file_and_restores_it(campaign, job):
    for what in ("archive", "package"):
        file = whole_order(campaign=campaign, actor=make_user("alice"), what=what)
        job_work("export", file.pk)
        file.refresh_from_db()
        assert file.status == "done" and zipfile.is_zipfile(file.stored), file.error
    assert lying(job)
    for _again in range(2):
        assert (made(job).status, job.path, job.done) == ("done", "", job.total)
        assert job.campaign.slug == "again" and Campaign.objects.count() == 2
    assert not lying(job)


def test_a_bad_file_says_why_and_is_forgotten():
    job = made(order(b"no zip"))
    assert job.status == "failed" and "nothing was restored: this is no zip file" in job.error
    assert not lying(job)


def test_a_database_that_goes_away_leaves_the_job_to_the_sweep(job, monkeypatch):
    def away(**_):
        raise OperationalError("gone")

    monkeypatch.setattr(services, "archive_restore", away)
    with pytest.raises(OperationalError):
        made(job)
    job.refresh_from_db()
    assert (job.status, job.attempts) == ("queued", 0) and job.stored.is_file()


def test_a_full_disk_refuses_the_file(monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(services.shutil, "copyfileobj", full)
    with pytest.raises(NoRoom):
        order(b"any")
    assert not RestoreJob.objects.exists()


def test_what_cannot_be_is_refused_at_once(campaign):
    for slug, problem in ((campaign.slug, "exists already"), ("a b", "letters, digits")):
        with pytest.raises(Invalid, match=problem):
            order(b"any", slug)
    for what, licence, problem in (
        ("items", "", "an archive or a package"),
        ("package", "mine", "no licence"),
    ):
        with pytest.raises(Invalid, match=problem):
            whole_order(campaign=campaign, actor=None, what=what, licence=licence)
    whole_order(campaign=campaign, actor=make_user("alice"), what="archive")
    assert AuditEntry.objects.filter(campaign=campaign, verb="archive").exists()


def test_files_that_no_job_needs_are_removed(job, monkeypatch):
    stray = job.stored.with_name("stray.zip")
    stray.touch()
    assert expiry.restores_expire() == 0
    monkeypatch.setattr(expiry, "STRAY_AFTER", -expiry.STRAY_AFTER)
    assert expiry.restores_expire() >= 1
    assert not stray.exists() and job.stored.exists()
