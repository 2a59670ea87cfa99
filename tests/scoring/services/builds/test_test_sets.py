"""Test sets: asking for one with files or resources, and importing it."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, ImportBatch, Item
from scoring.builds import work
from scoring.models import Build, Resource
from scoring.resources.services import resource_remove
from tests.factories import make_campaign, make_user
from tests.scoring.building.recipes.test_test_set import SENTENCES, TABLE
from tests.scoring.services.builds.parts import made


def files(sentences=SENTENCES, phrases=TABLE):
    return {
        "sentences": SimpleUploadedFile("test.en", sentences.encode()),
        "phrases": SimpleUploadedFile("my table.tsv", phrases.encode()),
    }


def ask(given, *, inputs=(), name="", **options):
    return work.test_set_start(
        campaign=Campaign.objects.first() or make_campaign("lab", open_it=False),
        inputs=dict(inputs),
        files=given,
        options=options,
        name=name,
        actor=make_user("alice"),
    )


def built(name="Mine", **options):
    """A test set of files, built."""
    return made(ask(files(), name=name, n=3, **options)[0])


@pytest.fixture
def campaign():
    return make_campaign(items=1, systems=1, open_it=False)


def imported(campaign, build, **options):
    return work.test_set_import(campaign=campaign, build=build, actor=make_user("alice"), **options)


def test_files_become_resources_and_the_same_is_not_made_twice():
    build = built()
    assert (build.status, build.sentence) == ("done", "")
    assert set(Resource.objects.values_list("kind", "name")) == {
        ("corpus", "test.en"),
        ("table", "my table.tsv"),
        ("test_set", "Mine"),
    }
    keys = build.inputs.filter(resource__isnull=False).values_list("role", "resource__key")
    assert ask({}, inputs=keys, n="3") == (build, False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"phrases": SimpleUploadedFile("t.tsv", b"dog\n")}, "t.tsv:1: should read phrase TAB"),
        ({"sentences": SimpleUploadedFile("s.txt", b"")}, "s.txt:0: is empty"),
        ({"lm": SimpleUploadedFile("m.arpa", b"x")}, "no role 'lm' for a file"),
        ({}, "needs the inputs phrases, sentences"),
    ],
)
def test_files_that_are_wrong_are_named_as_the_user_does(given, said):
    with pytest.raises(Invalid, match=said):
        ask(given)
    assert not Build.objects.exists()


def test_a_large_file_is_not_converted_while_its_sender_waits(
    monkeypatch,
):
    monkeypatch.setattr(work, "MOST_BYTES", 20)
    with pytest.raises(Invalid, match=r"test\.en is larger than"):
        ask(files())
    assert not Resource.objects.exists()


def test_the_import_keeps_how_the_phrases_were_drawn_until_the_set_is_removed(
    campaign,
):
    build = built("Mine/1")
    dry = imported(campaign, build, dry_run=True)
    assert dry.ok and Item.objects.count() == 1
    report = imported(campaign, build)
    assert report.counts == dry.counts
    assert (report.counts["phrases"], report.counts["items"]) == (3, 6)
    batch = ImportBatch.objects.latest("pk")
    assert (batch.file_name, batch.created_by) == ("Mine-1.jsonl", make_user("alice"))
    drawn = batch.provenance
    assert drawn["signature"] == build.signature
    assert drawn["options"]["seed"] == "2008"
    assert (drawn["phrases"], drawn["every"], drawn["sentences"]) == (3, 23, 4)
    assert imported(campaign, build).batch is None and Item.objects.count() == 7
    resource_remove(resource=build.resource, actor=make_user("alice"))
    build.refresh_from_db()
    with pytest.raises(Conflict, match="build it again"):
        imported(campaign, build)


def test_what_cannot_be_drawn_says_which_cut_off_removed_it():
    build = built(test_least=50, lower="no")
    assert build.status == "failed"
    assert "no phrase passes the cut-offs" in build.sentence and "test count 21" in build.sentence
