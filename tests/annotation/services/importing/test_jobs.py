"""Large files are queued, imported by a worker, resumed, and forgotten."""

import errno
import os
from datetime import timedelta
from io import BytesIO

import pytest
from django.utils import timezone

from annotation.errors import Conflict, NoRoom
from annotation.importing import jobs
from annotation.importing.jobs import import_confirm, import_order, imports_expire
from annotation.importing.tables import table_inspect
from annotation.models import ImportJob, Item
from paraanno.jobs.engine import job_work
from tests.annotation.files import RUG
from tests.factories import jsonl

ROWS = [{**RUG, "paraphrase": f"the rug {n}", "system": f"S{n}"} for n in range(6)]


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def order(campaign, *rows, **options):
    return import_order(
        campaign=campaign,
        what=options.pop("what", "items"),
        stream=jsonl(list(rows or ROWS)),
        name="items.jsonl",
        actor=None,
        **options,
    )


def files():
    return [file.name for file in jobs._folder().glob("*")]


def made(job):
    job_work("import", job.pk)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("judged", [True, False])
def test_judgments_beside_texts_are_queued_after_them_if_they_are_wanted(empty, judged):
    text = "source,paraphrase,rater,MEANING\n" + "".join(
        f"It gave way {n} times.,It broke {n} times.,{who},3\n" for n in "12" for who in ("a", "b")
    )
    data = BytesIO(text.encode())
    maps = {
        what: table_inspect(stream=data, name="t.csv", what=what, campaign=empty).mapping.to_json()
        for what in ("items", "judgments")
    }
    checked = import_order(
        campaign=empty,
        what="items",
        stream=data,
        name="t.csv",
        actor=None,
        dry_run=True,
        to_confirm=True,
        mapping=maps["items"],
        beside={"sure": True, "people": "a, b", "order": {"mapping": maps["judgments"]}},
    )
    job = made(import_confirm(job=made(checked), actor=None, judged=judged))
    assert job.status == "done" and empty.items.count() == 2
    after = ImportJob.objects.filter(what="judgments")
    assert [str(one.key) for one in after] == ([job.report["after"]] if judged else [])
    for one in after:
        assert made(one).report["counts"]["judgments"] == 4 == empty.judgments.count()


def test_a_fault_is_told_with_its_line_and_changes_nothing(empty):
    job = made(order(empty, *ROWS, {**RUG, "system": "S0"}))
    assert job.status == "failed" and "nothing was imported" in job.error
    (problem,) = job.full_report["problems"]
    assert (problem["line"], problem["file"]) == (7, "items.jsonl")
    assert "in line 1" in problem["message"] and not empty.items.exists() and not job.path


def test_a_checked_file_is_kept_until_it_is_confirmed_once(empty):
    checked = made(order(empty, dry_run=True, to_confirm=True))
    assert checked.status == "done" and checked.stored.is_file() and not empty.items.exists()
    job = import_confirm(job=checked, actor=None)
    with pytest.raises(Conflict):
        import_confirm(job=checked, actor=None)
    assert made(job).status == "done" and Item.objects.count() == 1
    alone = made(order(empty, dry_run=True))
    assert alone.report["dry_run"] and not alone.path and files() == []


def test_files_that_nobody_needs_are_removed(empty):
    waits, unconfirmed = order(empty), made(order(empty, dry_run=True, to_confirm=True))
    stray = jobs._folder() / "stray.data"
    stray.write_bytes(b"")
    assert imports_expire() == 0
    old = timezone.now() - timedelta(days=2)
    ImportJob.objects.filter(pk=unconfirmed.pk).update(finished_at=old)
    for file in (stray, unconfirmed.stored, waits.stored):
        os.utime(file, (old.timestamp(),) * 2)
    assert imports_expire() == 2 and files() == [waits.stored.name]


def test_a_full_disk_is_told(empty, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("annotation.importing.jobs.shutil.copyfileobj", full)
        with pytest.raises(NoRoom):
            order(empty)
    assert not ImportJob.objects.exists() and files() == []
    job = order(empty)
    monkeypatch.setattr(jobs, "LARGE", {"items": full})
    assert "disk is full" in made(job).error and job.stored.is_file()


def test_a_file_that_another_host_keeps_is_told(empty):
    job = order(empty)
    job.stored.unlink()
    assert "another host" in made(job).error
