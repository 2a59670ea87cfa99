"""A file of word vectors becomes a resource, and a run uses it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.models import Resource, Run
from tests.engine.test_runs import finish
from tests.factories import make_campaign
from tests.metrics.vector_files import CIRCLE, write_vectors

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, settings) -> None:
    settings.DATA_DIR = tmp_path / "data"


def test_weem4pg_is_offered_once_there_are_vectors(tmp_path: Path) -> None:
    campaign = make_campaign(items=2, open_it=False)
    client = Client()
    client.force_login(campaign.memberships.get(role="owner").user)
    address = f"/c/{campaign.slug}/runs/"
    assert "WEEM4PG" not in client.get(address).content.decode()
    file = write_vectors(tmp_path / "circle.txt", CIRCLE)
    call_command("add_resource", "vectors", str(file), "--name", "circle")
    call_command("add_resource", "vectors", str(file))
    resource = Resource.objects.get()
    assert (resource.name, resource.meta) == ("circle", {"words": 6, "size": 2})
    file.unlink()  # What was needed of it is kept.
    assert "WEEM4PG" in client.get(address).content.decode()
    client.post(address, {"metric": "weem4pg", "weem4pg.vectors": str(resource.key)})
    run = finish(Run.objects.get())
    assert (run.status, run.failed) == ("done", 0)
    assert resource.sha256[:8] in run.signature
    assert str(tmp_path) not in run.signature


def test_a_file_that_holds_no_vectors_is_refused_by_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("2 2\ncat 1 0\ndog x y\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"bad\.txt:3: ") as refused:
        call_command("add_resource", "vectors", str(file))
    assert refused.value.returncode == 2
    assert not Resource.objects.exists()
    assert not list((tmp_path / "data").glob("resources/*"))
