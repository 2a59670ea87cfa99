"""A file becomes a resource, or is refused; and a run uses it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.models import AuditEntry
from annotation.services.errors import Invalid
from scoring.metrics import kinds
from scoring.metrics.vectors import load_vectors
from scoring.models import Resource, Run
from scoring.services import resources_convert
from scoring.services.resources import resource_from_server
from scoring.services.resources_convert import resource_convert
from scoring.uploads import ResourceUpload
from tests.engine.test_runs import finish
from tests.factories import make_admin, make_annotator, make_campaign, make_user
from tests.metrics.vector_files import CIRCLE, write_vectors
from tests.resources.parts import LARGE, VECTORS, files, full_disk, logged_in, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_weem4pg_is_offered_once_there_are_vectors(tmp_path: Path) -> None:
    campaign = make_campaign(items=2, open_it=False)
    client = logged_in(campaign.memberships.get(role="owner").user)
    address = f"/c/{campaign.slug}/runs/"
    assert 'name="weem4pg.vectors"' not in client.get(address).content.decode()
    file = write_vectors(tmp_path / "circle.txt", CIRCLE)
    call_command("add_resource", "vectors", str(file), "--name", "circle")
    call_command("add_resource", "vectors", str(file))
    resource = Resource.objects.get()
    assert (resource.name, resource.meta) == ("circle", {"words": 6, "size": 2})
    file.unlink()  # What was needed of it is kept.
    assert 'name="weem4pg.vectors"' in client.get(address).content.decode()
    client.post(address, {"metric": "weem4pg", "weem4pg.vectors": str(resource.key)})
    run = finish(Run.objects.get())
    assert (run.status, run.failed) == ("done", 0)
    assert resource.sha256[:8] in run.signature
    assert str(tmp_path) not in run.signature
    assert run.label == "weem4pg:vectors=circle"


@pytest.mark.parametrize("kind", kinds.kinds())
def test_the_command_refuses_a_file_by_line_and_leaves_nothing(
    tmp_path: Path, data_dir: Path, kind: str
) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(b"2 2\ncat 1 0\ndog x y\n\xff\n")
    with pytest.raises(CommandError, match=r"bad\.txt:[0-4]: ") as refused:
        call_command("add_resource", kind, str(file))
    assert refused.value.returncode == 2
    assert not Resource.objects.exists()
    assert files(data_dir) == []


def test_an_upload_waits_for_a_worker_and_becomes_ready(owner: Client, data_dir: Path) -> None:
    page = upload(owner, name="small.txt", name_="").content.decode()
    resource = Resource.objects.get()
    assert (resource.status, resource.name, resource.worker) == ("checking", "small.txt", "")
    assert "is being checked" in page and "waits for a worker" in page
    assert resource.created_by == make_user("alice")
    assert AuditEntry.objects.filter(verb="add resource", object_id=resource.pk).exists()
    assert files(data_dir) == [resource.source]
    resource_convert(resource_pk=resource.pk)
    resource_convert(resource_pk=resource.pk)  # A message may come twice.
    resource.refresh_from_db()
    assert (resource.status, resource.progress, resource.attempts) == ("ready", 1.0, 1)
    assert (resource.meta, resource.source) == ({"words": 2, "size": 2}, "")
    assert {Path(name).parent for name in files(data_dir)} == {Path(resource.path)}
    assert list(load_vectors(str(resource.stored)).rows) == ["cat", "dog"]
    row = owner.get(f"/resources/{resource.key}/").content.decode()
    assert "2 words" in row and resource.sha256[:12] in row and "hx-get" not in row


def test_the_same_content_again_is_the_resource_that_is_there(
    owner: Client, data_dir: Path
) -> None:
    upload(owner)
    before = files(data_dir)
    assert "there already, as v.txt" in upload(owner, name="other.txt").content.decode()
    resource_convert(resource_pk=Resource.objects.get().pk)
    assert "there already, as v.txt" in upload(owner, name="other.txt").content.decode()
    assert Resource.objects.get().status == "ready"
    assert len(before) == 1 and len(files(data_dir)) == 3


def test_a_refused_file_says_why_without_a_path_of_the_server(
    owner: Client, data_dir: Path
) -> None:
    upload(owner, b"9 2\n" + b"cat 1\n" * 30, name="cut.vec", name_="")
    resource = Resource.objects.get()
    resource_convert(resource_pk=resource.pk)
    resource.refresh_from_db()
    lines = resource.error.splitlines()
    assert resource.status == "refused"
    assert lines[0] == "cut.vec:2: has 1 values where 2 go; is it word2vec text?"
    assert len(lines) == 20 and str(data_dir) not in resource.error
    assert files(data_dir) == []
    page = owner.get("/resources/").content.decode()
    assert "20 problems" in page and lines[19] in page
    assert str(resource.key) not in owner.get("/c/lab/runs/").content.decode()


def test_a_refused_file_may_be_given_again(
    owner: Client, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is no fault of the file."""
    convert = kinds.convert

    def without_room(*args: Any, **options: Any) -> dict[str, int]:
        with full_disk():
            return convert(*args, **options)

    monkeypatch.setattr(resources_convert, "convert", without_room)
    upload(owner, LARGE)
    pk = Resource.objects.get().pk
    resource_convert(resource_pk=pk)
    resource = Resource.objects.get()
    assert (resource.status, files(data_dir)) == ("refused", [])
    assert "no room left on the server" in resource.error
    monkeypatch.undo()
    upload(owner, LARGE)
    assert Resource.objects.get().status == "checking"
    resource_convert(resource_pk=pk)
    resource = Resource.objects.get()
    assert (resource.pk, resource.status, resource.error) == (pk, "ready", "")
    assert resource.meta["words"] == 20_000


def test_an_upload_without_room_leaves_nothing(
    owner: Client, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive = ResourceUpload.receive_data_chunk

    def without_room(self: ResourceUpload, raw: bytes, start: int) -> None:
        with full_disk():
            receive(self, raw, start)

    monkeypatch.setattr(ResourceUpload, "receive_data_chunk", without_room)
    answer = upload(owner, LARGE)
    assert answer.status_code == 422
    assert "no room left on the server" in answer.content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []


def test_a_file_over_the_limit_is_refused_while_it_comes(
    owner: Client, data_dir: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RESOURCE_MAX_BYTES = 2**20
    with monkeypatch.context() as patched:
        patched.setattr(ResourceUpload, "file_complete", lambda *_: pytest.fail("taken whole"))
        answer = upload(owner, b"x" * (2**20 + 1))
    assert answer.status_code == 422
    assert "larger than 1 MB" in answer.content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []
    assert upload(owner, b"x" * 2**20).status_code == 200
    assert Resource.objects.get().size == 2**20


def test_no_other_file_of_the_form_is_taken(owner: Client, data_dir: Path) -> None:
    file, other = SimpleUploadedFile("v.txt", VECTORS), SimpleUploadedFile("other.txt", LARGE)
    owner.post("/resources/", {"kind": "vectors", "file": file, "other": other})
    assert Resource.objects.get().sha256 == hashlib.sha256(VECTORS).hexdigest()
    assert files(data_dir) == [Resource.objects.get().source]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose a file"),
        ({"file": SimpleUploadedFile("v.txt", b"")}, "empty"),
        ({"kind": "pickle", "file": SimpleUploadedFile("v.txt", VECTORS)}, "pickle is not one"),
        ({"path": "/etc/passwd"}, "Choose a file"),
        ({"other": SimpleUploadedFile("v.txt", VECTORS)}, "Choose a file"),
    ],
)
def test_a_form_that_is_not_complete(
    owner: Client, data_dir: Path, fields: dict[str, Any], said: str
) -> None:
    answer = owner.post("/resources/", {"kind": "vectors", **fields})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Resource.objects.exists() and files(data_dir) == []


def test_a_form_from_another_site_is_refused(owner: Client, data_dir: Path) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = owner.cookies
    assert upload(strict).status_code == 403
    assert not Resource.objects.exists() and files(data_dir) == []


def test_only_researchers_find_the_page(owner: Client) -> None:
    campaign = make_campaign("else", items=1, open_it=False)
    annotator = logged_in(make_annotator(campaign, "ann").user)
    for client, status in ((owner, 200), (annotator, 404), (logged_in(make_user("eve")), 404)):
        assert client.get("/resources/").status_code == status
        assert ('href="/resources/"' in client.get("/").content.decode()) == (status == 200)
    assert upload(annotator).status_code == 404
    assert not Resource.objects.exists()


class TestFilesOfTheServer:
    @pytest.fixture
    def root(self, tmp_path: Path, settings: Any) -> Path:
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

    def test_an_administrator_names_one_and_it_stays(self, root: Path, data_dir: Path) -> None:
        admin = logged_in(make_admin("adam"))
        admin.post("/resources/", {"kind": "vectors", "path": "deep/v.txt"})
        resource_convert(resource_pk=Resource.objects.get().pk)
        resource = Resource.objects.get()
        assert (resource.status, resource.name) == ("ready", "v.txt")
        assert (root / "deep" / "v.txt").is_file()

    @pytest.mark.parametrize(
        "path",
        ["../secret.txt", "out/secret.txt", "link.txt", "/etc/passwd", "deep", "", "no.txt",
         "a\0b", "loop", "deep/../../secret.txt", "x" * 5000],
    )  # fmt: skip
    def test_no_way_leads_out(self, root: Path, path: str) -> None:
        with pytest.raises(Invalid, match="no file"):
            resource_from_server(kind="vectors", path=path, actor=None)
        assert not Resource.objects.exists()

    @pytest.mark.parametrize("path", ["inside.txt", "deep/../deep/v.txt"])
    def test_ways_that_stay_inside(self, root: Path, path: str) -> None:
        found, asked = resource_from_server(kind="vectors", path=path, actor=None)
        assert asked and found.origin == root / "deep" / "v.txt"

    def test_nobody_else_may(self, root: Path, owner: Client) -> None:
        answer = owner.post("/resources/", {"kind": "vectors", "path": "deep/v.txt"})
        assert answer.status_code == 422
        body = {"kind": "vectors", "path": "deep/v.txt"}
        assert owner.post("/api/v1/resources", body).status_code == 403
        assert not Resource.objects.exists()

    def test_without_the_setting_there_is_no_folder(self, settings: Any) -> None:
        admin = logged_in(make_admin("adam"))
        answer = admin.post("/api/v1/resources", {"kind": "vectors", "path": "v.txt"})
        assert (answer.status_code, Resource.objects.count()) == (400, 0)

    def test_a_file_that_changes_meanwhile_is_refused(self, root: Path, data_dir: Path) -> None:
        found, _ = resource_from_server(kind="vectors", path="deep/v.txt", actor=None)
        (root / "deep" / "v.txt").write_bytes(VECTORS + b"\n")
        resource_convert(resource_pk=found.pk)
        found.refresh_from_db()
        assert found.error == "v.txt:0: has changed since it was given; give it again."
        assert files(data_dir) == []


def test_the_api_takes_watches_and_removes(
    owner: Client, data_dir: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    def send(content: bytes = VECTORS, **fields: str) -> Any:
        file = SimpleUploadedFile("v.txt", content)
        return owner.post("/api/v1/resources", {"kind": "vectors", **fields, "file": file})

    answer = send(name="Mine")
    address = f"/api/v1/resources/{answer.json()['key']}"
    assert (answer.status_code, answer.json()["status"]) == (202, "checking")
    assert send().status_code == 200
    resource_convert(resource_pk=Resource.objects.get().pk)
    found = owner.get(address).json()
    assert (found["status"], found["name"], found["meta"]["words"]) == ("ready", "Mine", 2)
    assert owner.get("/api/v1/resources").json()["results"] == [found]
    settings.RESOURCE_MAX_BYTES = 10
    assert send(b"1" * 11).json()["detail"].startswith("The file is larger")
    assert send(b"", kind="pickle").json()["code"] == "invalid"
    with django_capture_on_commit_callbacks(execute=True):
        assert owner.delete(address).status_code == 204
    assert files(data_dir) == []
