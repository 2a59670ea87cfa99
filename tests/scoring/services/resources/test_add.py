"""A file becomes a resource, or is refused; and a run uses it."""

import os
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from annotation.errors import Conflict, Invalid
from annotation.models import AuditEntry
from scoring.models import Resource, Run
from scoring.resources.services import resource_from_server, resource_remove, resources_expire
from scoring.runs.start import run_cancel
from scoring.work.lanes import sweep
from tests.clients import client_of
from tests.factories import make_campaign
from tests.scoring.factories import finish, started
from tests.scoring.metrics.vector_files import CIRCLE, write_vectors
from tests.scoring.resources import (
    LARGE,
    VECTORS,
    converted,
    files,
    upload,
)
from tests.scoring.services.at_work import ELSEWHERE, beat


def test_weem4pg_is_offered_once_there_are_vectors(tmp_path):
    make_campaign(items=2, open_it=False)
    client, address = client_of("alice"), "/c/camp/runs/"
    assert 'name="weem4pg.vectors"' not in client.get(address).content.decode()
    file = write_vectors(tmp_path / "circle.txt", CIRCLE)
    for _again in range(2):
        call_command("add_resource", "vectors", str(file), "--name", "circle")
    resource = Resource.objects.get()
    assert (resource.name, resource.meta) == ("circle", {"words": 6, "size": 2})
    file.unlink()  # What was needed of it is kept.
    assert 'name="weem4pg.vectors"' in client.get(address).content.decode()
    client.post(address, {"metric": "weem4pg", "weem4pg.vectors": str(resource.key)})
    run = finish(Run.objects.get())
    assert (run.status, run.failed, run.label) == ("done", 0, "weem4pg:vectors=circle")
    assert resource.sha256[:8] in run.signature and str(tmp_path) not in run.signature


BODY = {"kind": "vectors", "path": "deep/v.txt"}


@pytest.fixture
def root(tmp_path, settings):
    root = tmp_path / "shared"
    (root / "deep").mkdir(parents=True)
    (root / "deep" / "v.txt").write_bytes(VECTORS)
    (tmp_path / "secret.txt").write_bytes(VECTORS)
    (root / "out").symlink_to(tmp_path)
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "inside.txt").symlink_to(root / "deep" / "v.txt")
    (root / "loop").symlink_to(root / "loop")
    settings.RESOURCE_DIR = str(root)
    return root


def test_an_administrator_names_a_file_of_the_server_and_it_stays(root):
    client_of("adam").post("/resources/", BODY)
    resource = converted()
    assert (resource.status, resource.name) == ("ready", "v.txt")
    assert (root / "deep" / "v.txt").is_file()


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "out/secret.txt",
        "link.txt",
        "/etc/passwd",
        "deep",
        "",
        "no.txt",
        "a\0b",
        "loop",
        "deep/../../secret.txt",
        "x" * 5000,
    ],
)
def test_no_way_leads_out_of_the_folder(root, path):
    with pytest.raises(Invalid, match="no file"):
        resource_from_server(kind="vectors", path=path, actor=None)
    assert not Resource.objects.exists()


@pytest.mark.parametrize("path", ["inside.txt", "deep/../deep/v.txt"])
def test_ways_that_stay_inside_the_folder(root, path):
    found, asked = resource_from_server(kind="vectors", path=path, actor=None)
    assert asked and found.origin == root / "deep" / "v.txt"


def test_nobody_else_names_a_file_of_the_server(root, owner):
    assert owner.post("/resources/", BODY).status_code == 422
    assert owner.post("/api/v1/resources", BODY).status_code == 403
    assert not Resource.objects.exists()


def test_without_the_setting_there_is_no_folder(settings):
    answer = client_of("adam").post("/api/v1/resources", BODY)
    assert (answer.status_code, Resource.objects.count()) == (400, 0)


def test_a_file_that_changes_meanwhile_is_refused(root, data_dir):
    resource_from_server(actor=None, **BODY)
    (root / "deep" / "v.txt").write_bytes(VECTORS + b"\n")
    assert converted().error == "v.txt:0: has changed since it was added; add it again."
    assert files(data_dir) == []


# Resources are removed, and whatever dies, no half of one is left; memory of workers.


@pytest.fixture
def resource(owner):
    """Whose file waits for a worker."""
    upload(owner, scope="site")
    return Resource.objects.get()


def test_who_may_remove_and_what_stays(owner, resource, django_capture_on_commit_callbacks):
    resource = converted()
    campaign = make_campaign("other", items=2, open_it=False)
    address = f"/resources/{resource.key}/remove/"
    dora = client_of("dora")  # A researcher.
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
    assert "Cancel" not in client_of("dora").get(row).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        assert "v.txt was cancelled" in owner.post(address, follow=True).content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []


def test_administrators_remove_what_others_added(resource, django_capture_on_commit_callbacks):
    resource = converted()
    with django_capture_on_commit_callbacks(execute=True):
        answer = client_of("adam").post(f"/resources/{resource.key}/remove/")
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
