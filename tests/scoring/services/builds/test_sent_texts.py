"""A file that was sent as the texts of a build, read by the process that builds."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.errors import Conflict
from paraanno.jobs.engine import job_work
from scoring.builds import work
from scoring.builds.work import builds_work
from scoring.models import Build, Resource
from scoring.resources import convert
from scoring.resources.services import resource_remove
from tests.factories import make_user
from tests.scoring.builds import Killed, evaluation_asked, kill, made
from tests.scoring.services.builds.test_extrinsic import ASKED, table


@pytest.fixture
def build(campaign, tmp_path):
    """An evaluation of a file that was sent."""
    return evaluation_asked(campaign, ASKED, table(tmp_path))[0]


def test_nothing_is_read_before_the_work_begins(campaign, build, tmp_path):
    def again():
        return evaluation_asked(campaign, ASKED, table(tmp_path))

    texts = Resource.objects.get()
    assert (texts.status, texts.name) == ("checking", "t.csv")
    assert again() == (build, False), "a double click makes one"
    signature = build.signature
    assert made(build).status == "done", build.sentence
    assert build.inputs.get().resource == texts
    assert build.signature == signature
    assert again() == (build, False), "the same file is known"
    texts.refresh_from_db()
    assert list((texts.stored.parent / "incoming").iterdir()) == [], "nothing is left over"


def test_a_bad_file_is_named_on_the_page_by_name_and_line(campaign):
    bad = SimpleUploadedFile("bad.csv", b"id,text,PG1,label\n1,a,b,x\n1,c,d,y\n")
    build = made(evaluation_asked(campaign, ASKED, bad)[0])
    assert build.status == "failed"
    assert build.sentence.startswith("bad.csv:3: column 'id': '1' is already on line 2: give each")
    # The same, sent once more, is read once more: by a worker that is quicker than the build.
    bad.seek(0)
    again, new = evaluation_asked(campaign, ASKED, bad)
    job_work("resource", Resource.objects.get().pk)
    assert new and made(again).sentence == build.sentence


def test_a_killed_process_leaves_the_file_for_the_next_one(build, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(convert, "put_in_place", kill)
        with pytest.raises(Killed):
            builds_work()
    texts = Resource.objects.get()
    assert texts.status == "checking" and texts.worker and texts.origin.exists()
    # As the sweep does for a process that has died.
    Resource.objects.update(worker="", token="")
    Build.objects.update(status="queued", worker="")
    assert made(build).status == "done", build.sentence
    assert Resource.objects.get(kind="texts").attempts == 2


def test_a_worker_may_read_it_while_the_build_waits(build, monkeypatch):
    Resource.objects.update(worker="another", token="other")
    waits = []

    def wait(seconds):
        waits.append(seconds)
        Resource.objects.update(worker="", token="")
        job_work("resource", Resource.objects.get().pk)

    monkeypatch.setattr(work.time, "sleep", wait)
    assert made(build).status == "done", build.sentence
    assert len(waits) == 1


def test_a_file_that_waits_cannot_be_removed(build):
    with pytest.raises(Conflict, match="is being made from it"):
        resource_remove(resource=Resource.objects.get(), actor=make_user("alice"))
    assert made(build).status == "done", build.sentence
