"""Resources are removed, and whatever dies, no half of one is left; memory of workers."""

import os
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from annotation.errors import Conflict
from annotation.models import AuditEntry
from scoring.models import Resource
from scoring.resources.services import resource_remove, resources_expire
from scoring.runs.start import run_cancel
from scoring.work.lanes import sweep
from tests.factories import make_admin, make_campaign, make_user
from tests.scoring.services.at_work import ELSEWHERE, beat
from tests.scoring.services.resources.parts import LARGE, converted, files, logged_in, upload
from tests.scoring.services.runs.started import started


@pytest.fixture
def resource(owner):
    """Whose file waits for a worker."""
    upload(owner, scope="site")
    return Resource.objects.get()


def test_who_may_remove_and_what_stays(owner, resource, django_capture_on_commit_callbacks):
    resource = converted()
    campaign = make_campaign("other", items=2, open_it=False)
    address = f"/resources/{resource.key}/remove/"
    dora = logged_in(make_user("dora"))  # A researcher.
    assert address not in dora.get("/resources/").content.decode()
    assert dora.post(address).status_code == 403
    run = started(campaign, f"weem4pg:vectors={resource.key}")
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


def test_a_check_is_cancelled_by_who_may_remove(
    owner, resource, data_dir, django_capture_on_commit_callbacks
):
    row, address = f"/resources/{resource.key}/", f"/resources/{resource.key}/remove/"
    assert f'id="cancel-{resource.key}"' in owner.get(row).content.decode()
    assert "Cancel" not in logged_in(make_user("dora")).get(row).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        assert "v.txt was cancelled" in owner.post(address, follow=True).content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []


def test_administrators_remove_what_others_added(resource, django_capture_on_commit_callbacks):
    resource = converted()
    with django_capture_on_commit_callbacks(execute=True):
        answer = logged_in(make_admin()).post(f"/resources/{resource.key}/remove/")
    assert answer.status_code == 302 and not resource.stored.exists()


def test_the_sweep_puts_back_what_a_dead_process_had(resource, data_dir):
    beat(ago=timedelta(minutes=1))
    for attempt in (1, 2, 3):
        claim = {"worker": f"{ELSEWHERE}/7", "token": "other"}
        Resource.objects.update(attempts=attempt, heartbeat=Now(), **claim)
        assert converted().attempts == attempt  # It is another's: nothing happens.
        assert sweep(idle=False, queues=[]).taken_back == (attempt < 3)
    resource.refresh_from_db()
    assert (resource.status, resource.worker) == ("refused", "")
    assert "ended 3 times" in resource.error
    assert files(data_dir) == []


def test_what_a_killed_worker_left_goes_with_the_next_try(resource, data_dir):
    half = data_dir / "resources" / f"half-{resource.key}-1"
    half.mkdir()
    (half / "vectors.npy").write_bytes(b"x")
    assert converted().status == "ready" and not half.exists()


def test_files_that_nobody_needs_go_after_a_day(owner, resource, data_dir):
    resource = converted()
    upload(owner, LARGE)
    waiting = Resource.objects.get(status="checking")
    strays = [
        data_dir / name
        for name in (
            "resources/half-x-1",
            "resources/vectors-0",
            "resources/incoming/0.txt",
            "tmp/abc.upload.txt",
        )
    ]
    for path in strays:
        path.mkdir() if "." not in path.name else path.write_bytes(b"x")
    assert resources_expire() == 0
    for path in [*strays, resource.stored, waiting.origin]:
        os.utime(path, (0, 0))
    assert resources_expire() == len(strays)
    assert not any(path.exists() for path in strays)
    assert resource.stored.is_dir() and waiting.origin.is_file()
