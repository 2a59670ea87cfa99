"""Files that metrics need."""

import pytest

from paraanno.jobs.engine import job_work
from scoring.models import Resource
from tests.scoring.services.resources.parts import VECTORS, files
from tests.scoring.services.runs.score_files import upload

pytestmark = pytest.mark.usefixtures("data_dir")


def test_the_api_takes_watches_and_removes(
    owner, data_dir, settings, django_capture_on_commit_callbacks
):
    def send(text=None, **fields):
        text = VECTORS.decode() if text is None else text
        return owner.post("/api/v1/resources", {"kind": "vectors", **fields, "file": upload(text)})

    answer = send(name="Mine")
    address = f"/api/v1/resources/{answer.json()['key']}"
    assert (answer.status_code, answer.json()["status"]) == (202, "checking")
    assert answer.json()["started_at"] is None
    assert send().status_code == 200
    job_work("resource", Resource.objects.get().pk)
    found = owner.get(address).json()
    assert (found["status"], found["name"], found["meta"]["words"]) == ("ready", "Mine", 2)
    assert found["created_at"] < found["started_at"]
    assert owner.get("/api/v1/resources").json()["results"] == [found]
    settings.RESOURCE_MAX_BYTES = 10
    assert send("1" * 11).json()["detail"].startswith("The file is larger")
    assert send("", kind="pickle").json()["code"] == "invalid"
    with django_capture_on_commit_callbacks(execute=True):
        assert owner.delete(address).status_code == 204
    assert files(data_dir) == []
