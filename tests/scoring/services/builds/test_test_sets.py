"""Test sets: asking for one with files or resources, and importing it."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, ImportBatch, Item
from scoring.models import Build, Resource
from scoring.services.builds import test_sets as service
from scoring.services.builds.work import builds_work
from scoring.services.resources.remove import resource_remove
from tests.factories import make_campaign, make_user
from tests.scoring.building.recipes.test_test_set import SENTENCES, TABLE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def files(sentences: str = SENTENCES, phrases: str = TABLE) -> dict[str, SimpleUploadedFile]:
    return {
        "sentences": SimpleUploadedFile("test.en", sentences.encode()),
        "phrases": SimpleUploadedFile("my table.tsv", phrases.encode()),
    }


def built(name: str = "Mine", **options: object) -> Build:
    """A test set of files, built."""
    build, _new = service.test_set_start(
        inputs={}, files=files(), options={"n": 3, **options}, name=name, actor=make_user("alice")
    )
    builds_work()
    build.refresh_from_db()
    return build


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(items=1, systems=1, open_it=False)


def test_files_become_resources_and_the_same_is_not_made_twice() -> None:
    build = built()
    assert (build.status, build.said) == ("done", "")
    found = {(one.kind, one.name) for one in Resource.objects.all()}
    assert found == {("corpus", "test.en"), ("table", "my table.tsv"), ("test_set", "Mine")}
    keys = {one.role: one.resource.key for one in build.inputs.all() if one.resource}
    again, new = service.test_set_start(
        inputs=keys, files={}, options={"n": "3"}, actor=make_user("alice")
    )
    assert (again, new) == (build, False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"phrases": SimpleUploadedFile("t.tsv", b"dog\n")}, "t.tsv:1: should read phrase TAB"),
        ({"sentences": SimpleUploadedFile("s.txt", b"")}, "s.txt:0: is empty"),
        ({"lm": SimpleUploadedFile("m.arpa", b"x")}, "no role 'lm' for a file"),
        ({}, "needs the inputs phrases, sentences"),
    ],
)
def test_files_that_are_wrong_are_named_as_the_user_does(given, said: str) -> None:
    with pytest.raises(Invalid, match=said):
        service.test_set_start(inputs={}, files=given, options={}, actor=make_user("alice"))
    assert not Build.objects.exists()


def test_a_large_file_is_not_converted_while_its_sender_waits(monkeypatch) -> None:
    monkeypatch.setattr(service, "MOST_BYTES", 20)
    with pytest.raises(Invalid, match=r"test\.en is larger than"):
        service.test_set_start(inputs={}, files=files(), options={}, actor=make_user("alice"))
    assert not Resource.objects.exists()


def test_the_import_is_the_usual_one_and_keeps_how_the_phrases_were_drawn(
    campaign: Campaign,
) -> None:
    build, alice = built("Mine/1"), make_user("alice")
    dry = service.test_set_import(campaign=campaign, build=build, actor=alice, dry_run=True)
    assert dry.ok and Item.objects.count() == 1
    report = service.test_set_import(campaign=campaign, build=build, actor=alice)
    assert report.counts == dry.counts
    assert (report.counts["phrases"], report.counts["items"]) == (3, 6)
    batch = ImportBatch.objects.latest("pk")
    assert (batch.file_name, batch.created_by) == ("Mine-1.jsonl", alice)
    kept = batch.provenance
    assert kept["signature"] == build.signature
    assert kept["options"]["seed"] == "2008"
    assert (kept["phrases"], kept["every"], kept["sentences"]) == (3, 23, 4)
    again = service.test_set_import(campaign=campaign, build=build, actor=alice)
    assert again.batch is None and Item.objects.count() == 7


def test_one_that_was_removed_is_not_imported(campaign: Campaign) -> None:
    build = built()
    assert build.resource is not None
    resource_remove(resource=build.resource, actor=make_user("alice"))
    build.refresh_from_db()
    with pytest.raises(Conflict, match="build it again"):
        service.test_set_import(campaign=campaign, build=build, actor=None)


def test_what_cannot_be_drawn_says_which_cut_off_removed_it(tmp_path: Path) -> None:
    build = built(test_least=50, lower="no")
    assert build.status == "failed"
    assert "no phrase passes the cut-offs" in build.said and "test count 21" in build.said
