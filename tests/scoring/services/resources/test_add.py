"""A file becomes a resource, or is refused; and a run uses it."""

import pytest
from django.core.management import call_command

from annotation.errors import Invalid
from scoring.models import Resource, Run
from scoring.resources.services import resource_from_server
from tests.factories import make_admin, make_campaign, make_user
from tests.scoring.metrics.vector_files import CIRCLE, write_vectors
from tests.scoring.services.resources.parts import VECTORS, converted, files, logged_in
from tests.scoring.services.runs.started import finish


def test_weem4pg_is_offered_once_there_are_vectors(tmp_path):
    make_campaign(items=2, open_it=False)
    client, address = logged_in(make_user("alice")), "/c/camp/runs/"
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
    logged_in(make_admin()).post("/resources/", BODY)
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
    answer = logged_in(make_admin()).post("/api/v1/resources", BODY)
    assert (answer.status_code, Resource.objects.count()) == (400, 0)


def test_a_file_that_changes_meanwhile_is_refused(root, data_dir):
    resource_from_server(actor=None, **BODY)
    (root / "deep" / "v.txt").write_bytes(VECTORS + b"\n")
    assert converted().error == "v.txt:0: has changed since it was added; add it again."
    assert files(data_dir) == []
