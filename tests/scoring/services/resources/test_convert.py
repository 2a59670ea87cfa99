"""What a worker does for a resource: check the file, and write what metrics use of it."""

from pathlib import Path

import pytest

from annotation.models import AuditEntry
from paraanno.jobs import engine
from paraanno.jobs.engine import job_work
from scoring.metrics.resources import kinds
from scoring.metrics.resources.vectors import load_vectors
from scoring.models import Resource
from scoring.resources import convert as conversion
from scoring.resources.services import resource_remove
from tests.factories import make_user
from tests.scoring.metrics.resources.test_fasttext_head import model
from tests.scoring.resources import LARGE, converted, files, full_disk, upload


def upload_again(owner):
    """The same content is the resource that is there."""
    page = upload(owner, name="other.txt").content.decode()
    assert "This file already exists, as small.txt." in page


def test_an_upload_waits_for_a_worker_and_becomes_ready_once(owner, data_dir):
    page = upload(owner, name="small.txt", name_="").content.decode()
    resource = Resource.objects.get()
    assert (resource.status, resource.name, resource.worker) == ("checking", "small.txt", "")
    assert "is being checked" in page and "waits for a worker" in page
    assert resource.created_by == make_user("alice")
    assert AuditEntry.objects.filter(verb="add resource", object_id=resource.pk).exists()
    upload_again(owner)
    assert files(data_dir) == [resource.source]
    for _again in range(2):  # A message may come twice.
        resource = converted()
    upload_again(owner)
    assert (resource.status, resource.progress, resource.attempts) == ("ready", 1.0, 1)
    assert (resource.meta, resource.source) == ({"words": 2, "size": 2}, "")
    assert [Path(name).parent for name in files(data_dir)] == [Path(resource.path)] * 4
    assert list(load_vectors(str(resource.stored)).rows) == ["cat", "dog"]
    row = owner.get(f"/resources/{resource.key}/").content.decode()
    assert "2 words" in row and resource.sha256[:12] in row and "hx-get" not in row
    page = owner.get("/resources/").content.decode()
    folded = page[: page.index('id="files"')].rpartition("<details")[2]
    assert "open" not in folded.partition(">")[0]


def test_a_refused_file_says_why_without_a_path_of_the_server(owner, data_dir):
    upload(owner, b"9 2\n" + b"cat 1\n" * 30, name="cut.vec", name_="")
    resource = converted()
    lines = resource.error.splitlines()
    assert resource.status == "refused"
    assert lines[0] == "cut.vec:2: has 1 values instead of 2; is it word2vec text?"
    assert len(lines) == 20 and str(data_dir) not in resource.error
    assert files(data_dir) == []
    page = owner.get("/resources/").content.decode()
    assert "20 problems" in page and lines[19] in page
    folded = page[: page.index('id="files"')].rpartition("<details")[2]
    assert "open" in folded.partition(">")[0]  # Nothing is refused behind a fold.
    assert str(resource.key) not in owner.get("/c/lab/runs/").content.decode()


def test_a_broken_download_of_a_model_is_refused_at_once(owner, data_dir):
    """gensim looks for the end of its last word for ever."""
    upload(owner, model()[:100], name="model.bin")
    refused = converted()
    assert refused.status == "refused" and files(data_dir) == []
    assert refused.error.startswith(
        "model.bin:0: cannot be read as a model of fastText (it declares 2"
    )


def test_files_are_read_apart_from_the_worker(owner, monkeypatch):
    """What a library's parser does to its process, it does not do to a worker."""
    monkeypatch.setattr(kinds, "check_beginning", lambda *_, **options: pytest.fail("here"))
    upload(owner)
    assert converted().status == "ready"


def test_a_refused_file_may_be_given_again(owner, data_dir, monkeypatch):
    """A full disk is no fault of the file."""

    def without_room(*args, **options):
        with full_disk():
            return kinds.convert(*args, **options)

    upload(owner, LARGE)
    with monkeypatch.context() as patch:
        patch.setattr(conversion, "convert", without_room)
        refused = converted()
    assert (refused.status, files(data_dir)) == ("refused", [])
    assert refused.error == "The server’s disk is full: free some space, then do this again."
    upload(owner, LARGE)
    assert Resource.objects.get().status == "checking"
    ready = converted()
    assert (ready.pk, ready.status, ready.error) == (refused.pk, "ready", "")
    assert ready.meta["words"] == 20_000


def test_a_conversion_ends_when_its_resource_is_removed(
    owner,
    data_dir,
    monkeypatch,
    django_capture_on_commit_callbacks,
):
    upload(owner)
    resource = Resource.objects.get()
    monkeypatch.setattr(engine, "TELL_SECONDS", 0)
    went_on = []

    def slow(kind, source, folder, *, progress):
        (folder / "part").write_bytes(b"x")
        progress(0.25)
        assert Resource.objects.get().progress == 0.25
        row = owner.get(f"/resources/{resource.key}/").content.decode()
        assert " since " in row and "waits for a worker" not in row
        with django_capture_on_commit_callbacks(execute=True):
            resource_remove(resource=resource, actor=None)
        progress(0.5)
        went_on.append("although nobody wants it")
        return {}

    monkeypatch.setattr(conversion, "convert", slow)
    job_work("resource", resource.pk)
    assert not went_on
    assert not Resource.objects.exists() and files(data_dir) == []
