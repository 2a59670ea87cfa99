"""Extrinsic evaluations: of which texts."""

import csv

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.errors import Conflict, Invalid
from annotation.importing.items import items_import
from scoring.builds.queries import outcomes_fit
from scoring.builds.services import extrinsic_start, outcomes_import
from scoring.models import Build, Score
from tests.factories import make_campaign, make_user
from tests.scoring.builds import made
from tests.scoring.extrinsic.reviews import reviews, write_table

ASKED = {
    "systems": "PG1",
    "classifiers": "nb",
    "split": "30,0,30",
    "metrics": "pinc",
    "bootstrap": "0",
}


def columns():
    texts, labels = reviews(60)
    shorter = [" ".join(text.split()[:-2]) for text in texts]
    return {"text": texts, "label": labels, "PG1": shorter}


def table(folder):
    return SimpleUploadedFile("t.csv", write_table(folder / "t.csv", columns()).read_bytes())


def add_reviews(campaign, folder):
    """The reviews and what PG1 made of them, as items of the campaign."""
    named = columns()
    rows = {
        "sentence": named["text"],
        "attr.item.label": named["label"],
        "system": ["PG1"] * 60,
        "paraphrase": named["PG1"],
    }
    with write_table(folder / "items.csv", rows).open("rb") as stream:
        assert items_import(campaign=campaign, stream=stream, name="items.csv", actor=None).ok


def evaluated(campaign, **given):
    """An evaluation, made."""
    build, _new = extrinsic_start(
        campaign=campaign,
        inputs={},
        actor=make_user("alice"),
        name="Mine",
        **{"options": ASKED, "file": None, "own": False, **given},
    )
    return made(build)


def test_the_texts_of_a_campaign_are_its_originals_with_every_system(campaign, tmp_path):
    add_reviews(campaign, tmp_path)
    build = evaluated(campaign, own=True)
    assert (build.status, build.sentence) == ("done", "")
    same = evaluated(campaign, file=table(tmp_path))
    text, other = ((one.resource.stored / "outcomes.csv").read_text() for one in (build, same))
    assert text == other
    # What became of each paraphrase stands beside the metrics, once.
    assert outcomes_fit(campaign=campaign, build=build)
    for _again in range(2):
        assert outcomes_import(campaign=campaign, build=build, actor=None).ok
    assert set(campaign.runs.values_list("label", flat=True)) == {"correct: nb", "p_true: nb"}
    outcomes = [row for row in csv.DictReader(text.splitlines()) if row["system"] == "PG1"]
    stored = Score.objects.filter(run__label="p_true: nb", value__isnull=False)
    assert sorted(stored.values_list("value", flat=True)) == pytest.approx(
        sorted(float(row["p_true"]) for row in outcomes)
    )
    other = make_campaign("other", items=1, systems=1, open_it=False)
    assert not outcomes_fit(campaign=other, build=build)
    with pytest.raises(Conflict, match="import them first"):
        outcomes_import(campaign=other, build=build, actor=None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Choose the texts"),
        ({"own": True}, "no texts that are paraphrased as a whole"),
        ({"file": SimpleUploadedFile("t.txt", b"a\n")}, "A table is needed"),
    ],
)
def test_what_is_wrong_is_said(campaign, given, said):
    with pytest.raises(Invalid, match=said):
        evaluated(campaign, **given)
    assert not Build.objects.exists()
