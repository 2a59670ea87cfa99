"""Rules of the engine that need no second process."""

import logging
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django.db.models.functions import Now

from annotation.errors import Invalid
from annotation.models import PausedWork
from paraanno.common import progress
from paraanno.jobs import engine
from paraanno.jobs.engine import KINDS, all_work, job_work, reason
from scoring.exports import services
from scoring.models import ExportFile, WorkerBeat
from scoring.work.workers import Owners, worker_status
from tests.paraanno.jobs import examples

pytestmark = pytest.mark.django_db
EXPORT = KINDS["export"]


@pytest.fixture
def order():
    return lambda n=0: examples.of_export(n, None)


def now(row):
    return ExportFile.objects.get(pk=row.pk)


def fail_with(monkeypatch, *errors):
    """The next exports raise these errors, one each."""
    left, real = list(errors), services.export_write
    tried = []

    def write(**options):
        tried.append(options)
        if left:
            raise left.pop(0)
        return real(**options)

    monkeypatch.setattr(services, "export_write", write)
    return tried


def test_what_this_process_could_not_put_back_it_puts_back_before_other_work(order, monkeypatch):
    """As long as the process lives nobody else may take it."""
    owed, other = order(), order(1)
    fail_with(monkeypatch, OperationalError("gone"))
    claim = engine.Claim(EXPORT, now(owed), engine.claim(EXPORT, [owed.pk]))
    with monkeypatch.context() as patch:
        patch.setattr(engine, "short_write", _away)
        with pytest.raises(OperationalError):
            engine.carry_out(claim)
    assert now(owed).status == "running" and engine.take_back(EXPORT, Owners(), idle=False) == 0
    assert job_work("export", other.pk)
    assert (now(owed).status, now(owed).attempts, now(owed).token) == ("queued", 0, "")
    assert job_work("export", owed.pk) and now(owed).status == "done"


def test_what_was_written_before_the_clock_was_set_back_keeps_nothing_waiting(order):
    """By an hour: a dead worker looked alive and its jobs running, and a pause was an hour."""
    ahead = Now() + timedelta(hours=1)
    WorkerBeat.objects.create(
        name="dead:1:x", host="dead", pid=1, queues=["paraanno"], started_at=ahead, seen_at=ahead
    )
    assert not worker_status().alive
    held, paused = order(), order(1)
    ExportFile.objects.filter(pk=held.pk).update(
        status="running",
        worker="dead:1:x/2",
        token="t",
        attempts=1,
        heartbeat=ahead,
        started_at=ahead,
    )
    ExportFile.objects.filter(pk=paused.pk).update(not_before=ahead)
    assert engine.take_back(EXPORT, Owners(), idle=False) == 1 and now(held).status == "queued"
    assert engine.wake_due(engine.KINDS.values()) == 1 and job_work("export", paused.pk)
    # One who never sent a heartbeat is asked by the claim alone.
    ExportFile.objects.filter(pk=held.pk).update(
        status="running", worker="never:1:x/2", token="t", heartbeat=ahead
    )
    assert engine.take_back(EXPORT, Owners(), idle=False) == 1


def _away():
    raise OperationalError("gone")


def test_the_pauses_grow_and_end(order, monkeypatch):
    row = order()
    fail_with(monkeypatch, *(OperationalError("gone") for _ in range(engine.RETRIES + 1)))
    pauses = []
    for _ in range(engine.RETRIES + 1):
        ExportFile.objects.filter(pk=row.pk).update(not_before=None)
        with pytest.raises(OperationalError):
            job_work("export", row.pk)
        one = now(row)
        if one.not_before is not None:
            pauses.append(round((one.not_before - one.heartbeat).total_seconds()))
            assert not job_work("export", row.pk)
    assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert one.status == "failed" and "gone" in one.error


@pytest.mark.parametrize("error", [OSError(2, "None such", "{}/files/a"), Invalid("no {}/b")])
def test_messages_show_no_folder_of_the_server(order, monkeypatch, error):
    """What an error says is shown to people; a refusal was written for them."""
    folder = str(settings.DATA_DIR)
    if isinstance(error, OSError):
        error = OSError(2, "None such", f"{folder}/files/a")
        assert folder in str(error) and folder not in str(reason(error))
    row = order()
    fail_with(monkeypatch, error)
    job_work("export", row.pk)
    assert now(row).status == "failed" and now(row).error and folder not in now(row).error


def test_what_was_put_back_goes_behind_the_others(order, monkeypatch):
    bad, later = order(), order(1)
    ExportFile.objects.filter(pk=bad.pk).update(retries=1)
    begun = fail_with(monkeypatch)
    newest = []

    def work(*args, **options):
        if not newest:
            newest.append(order(2))
        return real(*args, **options)

    real = engine.job_work
    monkeypatch.setattr(engine, "job_work", work)
    assert all_work(EXPORT) == 3 and len(begun) == 3
    [newest] = newest
    assert now(later).started_at <= now(newest).started_at <= now(bad).started_at


def test_a_job_that_may_not_begin_ends_no_round(order, monkeypatch):
    PausedWork.objects.create(name="export")
    order()
    assert all_work(EXPORT) == 0


def test_a_cancelled_job_stops_where_it_says_how_far_it_is(order, monkeypatch, caplog):
    row, steps = order(), []
    monkeypatch.setattr(progress.time, "monotonic", iter(range(0, 10**6, 10)).__next__)

    def write(*, stream, **options):
        stream.write(b"half")
        for step in progress.steps(range(9)):
            steps.append(step)
            if step == 1:
                assert engine.cancel(EXPORT, now(row))
        return 0

    monkeypatch.setattr(services, "export_write", write)
    with caplog.at_level(logging.WARNING):
        job_work("export", row.pk)
    one = now(row)
    assert steps == [0, 1] and (one.status, one.worker, one.path) == ("cancelled", "", "")
    assert not list((settings.MEDIA_ROOT / "exports").glob(f"{row.key}*"))


def test_an_export_that_lost_its_claim_leaves_no_file(order, monkeypatch):
    """Also where it is lost between the last byte and the end."""
    row, real = order(), services.put_in_place

    def late(draft, path):
        real(draft, path)
        ExportFile.objects.filter(pk=row.pk).update(token="another", status="running")

    monkeypatch.setattr(services, "put_in_place", late)
    job_work("export", row.pk)
    assert (now(row).status, now(row).token, now(row).path) == ("running", "another", "")
    assert not list((settings.MEDIA_ROOT / "exports").glob(f"{row.key}*"))
