"""Resources are removed, and whatever dies, no half of one is left; memory of workers."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from annotation.errors import Conflict
from annotation.models import AuditEntry
from scoring.models import Resource, WorkerBeat
from scoring.services.resources.convert import resource_convert
from scoring.services.resources.remove import resource_remove, resources_expire
from scoring.services.runs.start import run_cancel, run_start
from scoring.services.sweep import sweep
from scoring.services.workers import heartbeats as workers
from scoring.services.workers.heartbeats import process_name
from tests.factories import make_admin, make_campaign, make_user
from tests.scoring.services.resources.parts import LARGE, files, logged_in, ready, upload

pytestmark = pytest.mark.django_db


def test_who_may_remove_and_what_stays(
    owner: Client, django_capture_on_commit_callbacks: Any
) -> None:
    resource = ready(owner)
    campaign = make_campaign("other", items=2, open_it=False)
    address = f"/resources/{resource.key}/remove/"
    dora = logged_in(make_user("dora"))  # A researcher.
    assert address not in dora.get("/resources/").content.decode()
    assert dora.post(address).status_code == 403
    spec = f"weem4pg:vectors={resource.key}"
    run = run_start(campaign=campaign, spec=spec, actor=make_user("dora"))
    assert owner.post(address).status_code == 409
    with pytest.raises(Conflict, match="in Other is using it"):
        resource_remove(resource=resource, actor=None)
    assert resource.stored.is_dir()
    run_cancel(run=run, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        assert "v.txt was removed" in owner.post(address, follow=True).content.decode()
    assert not Resource.objects.exists() and not resource.stored.exists()
    run.refresh_from_db()
    assert resource.sha256[:8] in run.signature
    assert AuditEntry.objects.filter(verb="remove resource", object_id=resource.pk).exists()


def test_administrators_remove_what_others_added(
    owner: Client, django_capture_on_commit_callbacks: Any
) -> None:
    resource = ready(owner)
    admin = logged_in(make_admin("adam"))
    with django_capture_on_commit_callbacks(execute=True):
        assert admin.post(f"/resources/{resource.key}/remove/").status_code == 302
    assert not resource.stored.exists()


def test_the_sweep_puts_back_what_a_dead_process_had(owner: Client, data_dir: Path) -> None:
    upload(owner)
    pk = Resource.objects.get().pk
    dead = "elsewhere:1:abcd"
    WorkerBeat.objects.create(
        name=dead, host="elsewhere", pid=1, started_at=Now(), seen_at=Now() - timedelta(minutes=1)
    )
    for attempt in (1, 2, 3):
        Resource.objects.filter(pk=pk).update(worker=f"{dead}/7", attempts=attempt, heartbeat=Now())
        resource_convert(resource_pk=pk)  # It is another's: nothing happens.
        assert Resource.objects.get().attempts == attempt
        assert sweep(idle=False, queues=[]).taken_back == (1 if attempt < 3 else 0)
    resource = Resource.objects.get()
    assert (resource.status, resource.worker) == ("refused", "")
    assert "ended 3 times" in resource.error
    assert files(data_dir) == []


def test_the_sweep_leaves_the_living_alone_and_notifies_for_those_that_wait(owner: Client) -> None:
    upload(owner)
    workers.beat(queues=[])
    Resource.objects.update(worker=process_name(), heartbeat=Now() - timedelta(hours=1))
    assert sweep(idle=False, queues=[]).taken_back == 0
    Resource.objects.update(worker="")
    assert sweep(idle=True, queues=["paraanno"]).notified == 1


def test_what_a_killed_worker_left_goes_with_the_next_try(owner: Client, data_dir: Path) -> None:
    upload(owner)
    resource = Resource.objects.get()
    half = data_dir / "resources" / f"half-{resource.key}-1"
    half.mkdir()
    (half / "vectors.npy").write_bytes(b"x")
    resource_convert(resource_pk=resource.pk)
    assert Resource.objects.get().status == "ready"
    assert not half.exists()


def test_files_that_nobody_needs_go_after_a_day(owner: Client, data_dir: Path) -> None:
    resource = ready(owner)
    upload(owner, LARGE)
    waiting = Resource.objects.get(status="checking")
    strays = [
        data_dir / "resources" / "half-x-1",
        data_dir / "resources" / "vectors-0",
        data_dir / "resources" / "incoming" / "0.txt",
        data_dir / "tmp" / "abc.upload.txt",
    ]
    for path in strays:
        path.mkdir() if "." not in path.name else path.write_bytes(b"x")
    assert resources_expire() == 0
    for path in [*strays, resource.stored, waiting.origin]:
        os.utime(path, (0, 0))
    assert resources_expire() == len(strays)
    assert not any(path.exists() for path in strays)
    assert resource.stored.is_dir() and waiting.origin.is_file()
