"""Paraphrases by near words: of which texts, and their import."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.errors import Conflict, Invalid
from annotation.models import Campaign, ImportBatch, Item
from paraanno.jobs.engine import job_work
from scoring.building.recipes.recipe import ITEMS
from scoring.building.vectors import open_texts
from scoring.builds import services, work
from scoring.models import Build, Resource
from scoring.resources.services import resource_add, resource_remove
from tests.factories import make_campaign, make_user
from tests.scoring.building.recipes.test_near_words import TEXTS, VECTORS
from tests.scoring.building.recipes.test_paraphrases import SENTENCES, TABLE
from tests.scoring.builds import made


@pytest.fixture
def vectors(tmp_path):
    return made_vectors(tmp_path)


def made_vectors(folder):
    path = folder / "vectors.txt"
    path.write_text(VECTORS)
    return resource_add(kind="vectors", path=path, actor=make_user("alice"))


def table():
    return SimpleUploadedFile("reviews.csv", TEXTS.encode())


def built(campaign, vectors, **given):
    """Paraphrases, made."""
    about = {"file": table(), "own": False, "options": {}, **given}
    build, _new = services.paraphrases_start(
        campaign=campaign,
        inputs={"vectors": vectors.key},
        actor=make_user("alice"),
        name="Mine/1",
        **about,
    )
    return made(build)


def imported(campaign, build, **options):
    return services.paraphrases_import(
        campaign=campaign, build=build, actor=make_user("alice"), **options
    )


def test_a_table_becomes_items_with_its_columns_as_attributes_until_it_is_removed(
    campaign, vectors
):
    build = built(campaign, vectors)
    assert (build.status, build.sentence) == ("done", "")
    dry = imported(campaign, build, dry_run=True)
    assert dry.ok and Item.objects.count() == 1
    report = imported(campaign, build)
    assert report.counts == dry.counts
    assert (report.counts["items"], report.counts["substitutions"]) == (2, 6)
    item = Item.objects.get(sentence="A good film.")
    assert item.attributes == {"label": "1"}
    batch = ImportBatch.objects.latest("pk")
    assert batch.file_name == "Mine-1.jsonl"
    assert batch.provenance["signature"] == build.signature
    assert batch.provenance["replaced"] == {"PG1": 4, "PG2": 4, "PG3": 4}
    assert imported(campaign, build).batch is None
    resource_remove(resource=build.resource, actor=make_user("alice"))
    build.refresh_from_db()
    with pytest.raises(Conflict, match="generate them again"):
        imported(campaign, build)


def test_the_originals_of_a_campaign_get_more_systems(campaign, vectors):
    imported(campaign, built(campaign, vectors))
    Item.objects.filter(sentence="A good film.").update(attributes={"label": 1, "x": None})
    build = built(campaign, vectors, file=None, own=True, options={"replace": "content"})
    rows = list(open_texts(build.inputs.get(role="texts").resource.stored).rows())
    assert {"label": "1", "text": "A good film."} in rows
    # An item with a phrase is no text that is paraphrased as a whole.
    assert len(rows) == 2
    report = imported(campaign, build)
    assert report.ok and report.counts["items"] == 0
    assert Item.objects.get(sentence="A good film.").attributes == {"label": 1, "x": None}


def test_a_text_on_each_line_is_a_table_too(campaign, vectors):
    file = SimpleUploadedFile("some.txt", "A good, bad film\n\nA show\n".encode("utf-8-sig"))
    build = built(campaign, vectors, file=file)
    assert build.options["column"] == "text"
    rows = open_texts(build.resource.stored).rows()
    assert [row["text"] for row in rows] == ["A good, bad film", "A show"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"file": None}, "Choose the texts"),
        ({"own": True}, "Choose the texts"),
        ({"file": None, "own": True}, "no texts that are paraphrased as a whole"),
        ({"file": SimpleUploadedFile("a.txt", b"\xff\xfe\n")}, r"a\.txt is not UTF-8"),
        ({"file": SimpleUploadedFile("a.txt", b"\n\n")}, r"a\.txt has no text"),
        ({"options": {"replace": "some"}}, "replace=some is not allowed"),
    ],
)
def test_what_is_wrong_is_said(campaign, vectors, given, said):
    with pytest.raises(Invalid, match=said):
        built(campaign, vectors, **given)
    assert not Build.objects.exists()


def test_a_large_file_is_not_converted_while_its_sender_waits(campaign, vectors, monkeypatch):
    monkeypatch.setattr(services, "MOST_BYTES", 20)
    with pytest.raises(Invalid, match=r"reviews\.csv is larger than"):
        built(campaign, vectors)


def test_many_rows_are_imported_by_a_worker_with_how_they_were_made(campaign, vectors, monkeypatch):
    def work():
        job = imported(campaign, build)
        job_work("import", job.pk)
        job.refresh_from_db()
        return job

    build = built(campaign, vectors)
    items = build.resource.stored / ITEMS
    items.unlink()  # As in a store of 0.1.0.
    monkeypatch.setattr(services, "has_many", lambda rows, size: (rows, size > 0) == (6, True))
    assert imported(campaign, build, dry_run=True) is None
    written = items.stat().st_mtime_ns
    assert work().total == 6
    assert items.stat().st_mtime_ns == written, "it is written once"
    assert campaign.items.count() == 3
    Item.objects.filter(sentence="A good film.").update(attributes={"label": "of ours"})
    again = work()
    assert again.status == "done"
    assert not any(again.report["counts"].values())
    assert Item.objects.get(sentence="A good film.").attributes == {"label": "of ours"}
    assert ImportBatch.objects.latest("pk").provenance["signature"] == build.signature


# Test sets: asking for one with files or resources, and importing it.


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


def set_built(name="Mine", **options):
    """A test set of files, built."""
    return made(ask(files(), name=name, n=3, **options)[0])


def set_imported(campaign, build, **options):
    return work.test_set_import(campaign=campaign, build=build, actor=make_user("alice"), **options)


def test_files_become_resources_and_the_same_is_not_made_twice():
    build = set_built()
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


def test_a_large_text_is_not_converted_while_its_sender_waits(
    monkeypatch,
):
    monkeypatch.setattr(work, "MOST_BYTES", 20)
    with pytest.raises(Invalid, match=r"test\.en is larger than"):
        ask(files())
    assert not Resource.objects.exists()


def test_the_import_keeps_how_the_phrases_were_drawn_until_the_set_is_removed(
    campaign,
):
    build = set_built("Mine/1")
    dry = set_imported(campaign, build, dry_run=True)
    assert dry.ok and Item.objects.count() == 1
    report = set_imported(campaign, build)
    assert report.counts == dry.counts
    assert (report.counts["phrases"], report.counts["items"]) == (3, 6)
    batch = ImportBatch.objects.latest("pk")
    assert (batch.file_name, batch.created_by) == ("Mine-1.jsonl", make_user("alice"))
    drawn = batch.provenance
    assert drawn["signature"] == build.signature
    assert drawn["options"]["seed"] == "2008"
    assert (drawn["phrases"], drawn["every"], drawn["sentences"]) == (3, 23, 4)
    assert set_imported(campaign, build).batch is None and Item.objects.count() == 7
    resource_remove(resource=build.resource, actor=make_user("alice"))
    build.refresh_from_db()
    with pytest.raises(Conflict, match="build it again"):
        set_imported(campaign, build)


def test_what_cannot_be_drawn_says_which_cut_off_removed_it():
    build = set_built(test_least=50, lower="no")
    assert build.status == "failed"
    assert "no phrase passes the cut-offs" in build.sentence and "test count 21" in build.sentence
