"""Judgments made elsewhere: added once, and never changed by a file."""

import pytest

from annotation.importing import judgments as importing_judgments
from annotation.importing import judgments_write
from annotation.importing.judgments_write import judgments_import
from annotation.models import Annotator, ImportBatch, Judgment, JudgmentVersion
from tests.annotation.importers.strategies import stream
from tests.annotation.services.importing.files import JUDGMENT, beaten, load_judgments, refused

CCB = "THE MAT\nMEANING GRAMMAR The cat sat on __THE MAT__.\n4 5 The cat sat on __the rug__.\n"


def stored():
    rows = Judgment.objects.order_by("pk")
    return list(rows.values_list("annotator__code", "scale__name", "value", "reason", "status"))


def test_a_judgment_is_added_once_with_its_first_version(rug):
    report = load_judgments(rug, JUDGMENT, {**JUDGMENT, "annotator": "ben", "comment": "Nice."})
    assert report.batch is not None and report.counts == {"judgments": 2, "annotators": 2}
    assert stored() == [
        ("ann", "MEANING", 4, "", "counted"),
        ("ben", "MEANING", 4, "", "counted"),
    ]
    assert set(Judgment.objects.values_list("batch", flat=True)) == {report.batch.pk}
    versions = JudgmentVersion.objects.order_by("pk").values_list("version", "value", "comment")
    assert list(versions) == [(1, 4, ""), (1, 4, "Nice.")]
    again = load_judgments(rug, JUDGMENT)
    assert again.ok and again.batch is None and set(again.counts.values()) == {0}
    assert Judgment.objects.count() == 2
    assert ImportBatch.objects.filter(what="judgments").count() == 1


def test_another_answer_is_an_error_that_shows_both(rug):
    load_judgments(rug, JUDGMENT)
    other = load_judgments(rug, {**JUDGMENT, "annotator": "new"}, {**JUDGMENT, "value": 5})
    assert "'ann' gave 4 in the campaign and 5 here" in refused(other)
    blank = load_judgments(rug, {**JUDGMENT, "value": None, "reason": "no idea"})
    assert "gave 4 in the campaign and cannot judge (no idea) here" in refused(blank)
    assert load_judgments(rug, {**JUDGMENT, "value": 5, "occasion": 2}).ok
    assert [row[:3] for row in stored()] == [("ann", "MEANING", 4), ("ann", "MEANING", 5)]
    assert not Annotator.objects.filter(code="new").exists()


def test_an_empty_value_means_cannot_judge_except_in_a_draft(rug):
    blank = {**JUDGMENT, "value": None}
    assert load_judgments(
        rug,
        blank,
        {**blank, "annotator": "ben", "reason": "names"},
        {**blank, "annotator": "cleo", "status": "draft"},
    ).ok
    assert [(row[0], *row[2:]) for row in stored()] == [
        ("ann", None, importing_judgments.NOT_SAID, "counted"),
        ("ben", None, "names", "counted"),
        ("cleo", None, "", "draft"),
    ]
    assert load_judgments(rug, blank).counts["judgments"] == 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"scale": "COLOUR"}, "there is no scale 'COLOUR': use one of MEANING, GRAMMAR"),
        ({"value": 6}, "6 is not on the scale MEANING: 1 to 5 in steps of 1"),
        ({"value": 4.5}, "4.5 is not on the scale"),
        ({"item": "i7"}, "there is no item 'i7'"),
    ],
)
def test_one_wrong_row_keeps_the_whole_file_out(rug, wrong, words):
    report = load_judgments(rug, {**JUDGMENT, "annotator": "good"}, {**JUDGMENT, **wrong})
    assert words in refused(report)
    assert stored() == [] and not Annotator.objects.exists()


def test_only_annotators_who_are_new_come_from_an_import(rug):
    Annotator.objects.create(campaign=rug, code="ann", origin=Annotator.Origin.SIMULATED)
    load_judgments(rug, JUDGMENT, {**JUDGMENT, "annotator": "new"})
    assert dict(Annotator.objects.values_list("code", "origin")) == {
        "ann": "simulated",
        "new": "imported",
    }


def test_the_layout_of_2008_names_no_annotator(rug):
    def load(**options):
        return judgments_import(
            campaign=rug, stream=stream(CCB), name="e.txt", format="ccb", actor=None, **options
        )

    assert "say whose judgments" in refused(load())
    assert load(annotator="emily").ok
    assert [row[:3] for row in stored()] == [("emily", "MEANING", 4), ("emily", "GRAMMAR", 5)]
    assert load(anonymous=True).ok and load(anonymous=True, annotator="second").ok
    assert {row[0] for row in stored()} == {"emily", "anonymous-1", "anonymous-second-1"}


def test_judgments_written_at_the_same_time_are_a_conflict(rug):
    with beaten(
        lambda: load_judgments(rug, JUDGMENT), judgments_write, "plan_judgments"
    ) as conflict:
        load_judgments(rug, {**JUDGMENT, "value": 2})
    assert "Import the file again" in str(conflict.value)
    assert [row[2] for row in stored()] == [4]
