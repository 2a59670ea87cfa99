"""Judgments made elsewhere: added once, and never changed by a file."""

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.importing import judgments as importing_judgments
from annotation.importing import judgments_write
from annotation.importing.judgments_write import judgments_import
from annotation.models import Annotator, ImportBatch, Judgment, JudgmentVersion
from tests.annotation.files import (
    JUDGMENT,
    RUG,
    SENTENCE,
    beaten,
    load_items,
    load_judgments,
    refused,
    said,
)
from tests.annotation.strategies import stream

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


NOBODY = {**JUDGMENT, "annotator": None}
BY_PLACE = {"item": None, "phrase": "the mat", "sentence": SENTENCE}
NAMES = (
    {},
    BY_PLACE,
    {**BY_PLACE, "item": "i1"},
    {**BY_PLACE, "item": "i7", "start": 15, "end": 22},
)


def stored_rows(*columns):
    where = ("annotator__code", "substitution__text", "scale__name", "occasion")
    rows = Judgment.objects.order_by(*where)
    return list(rows.values_list(*(columns or (*where, "value"))))


def test_repeats_are_numbered_as_if_all_rows_named_the_text_alike(rug):
    rows = ({**JUDGMENT, **BY_PLACE, "occasion": 3, "value": 1}, JUDGMENT, {**JUDGMENT, "value": 5})
    assert load_judgments(rug, *rows, repeats="number").ok
    assert stored_rows("occasion", "value") == [(1, 4), (3, 1), (4, 5)]


row_draws = st.fixed_dictionaries(
    {
        "name": st.sampled_from(NAMES),
        "paraphrase": st.sampled_from(["the rug", "the carpet"]),
        "annotator": st.sampled_from(["ann", "ben"]),
        "scale": st.sampled_from(["MEANING", "meaning", "GRAMMAR"]),
        "occasion": st.integers(1, 2),
        "value": st.integers(1, 5),
    }
)


def plain(row):
    """The same judgment, named by id and in capital letters."""
    own = {key: value for key, value in row.items() if key != "name"}
    return {**own, "item": "i1", "scale": row["scale"].upper()}


def key_of(row):
    return tuple(row[name] for name in ("annotator", "paraphrase", "scale", "occasion"))


@pytest.mark.slow
@pytest.mark.parametrize("repeats", ["error", "number"])
def test_what_a_file_means_does_not_depend_on_how_it_names_its_texts(rug, repeats):
    assert load_items(rug, {**RUG, "paraphrase": "the carpet", "rank": 2}).ok

    def outcome(rows):
        with transaction.atomic():
            dry = load_judgments(rug, *rows, dry_run=True, repeats=repeats)
            done = load_judgments(rug, *rows, repeats=repeats)
            assert (dry.ok, dry.counts) == (done.ok, done.counts)
            again = load_judgments(rug, *rows, repeats=repeats)
            if done.ok:
                assert again.ok and again.counts["judgments"] == 0
            found = done.ok, stored_rows()
            transaction.set_rollback(True)
        return found

    @settings(max_examples=40, deadline=None)
    @given(st.lists(row_draws, min_size=1, max_size=6))
    def holds(rows):
        said_in_full = [plain(row) for row in rows]
        in_words = [{**JUDGMENT, **row, **row["name"]} for row in rows]
        for row in in_words:
            del row["name"]
        ok, judgments = outcome(in_words)
        assert (ok, judgments) == outcome(said_in_full)
        keys = [key_of(row) for row in said_in_full]
        assert ok == (repeats == "number" or len(set(keys)) == len(keys))
        assert len(judgments) == (len(rows) if ok else 0)

    holds()


def test_judgments_of_unknown_people_are_voices_in_the_order_of_the_file(rug):
    nobody = {key: value for key, value in JUDGMENT.items() if key != "annotator"}
    rows = (nobody, {**nobody, **BY_PLACE, "value": 4}, {**nobody, "scale": "GRAMMAR", "value": 2})
    assert "import them as anonymous" in refused(load_judgments(rug, *rows))
    assert load_judgments(rug, *rows, anonymous=True).counts == {"judgments": 3, "annotators": 2}
    assert stored_rows("annotator__code", "scale__name", "value") == [
        ("anonymous-1", "GRAMMAR", 2),
        ("anonymous-1", "MEANING", 4),
        ("anonymous-2", "MEANING", 4),
    ]
    assert set(Annotator.objects.values_list("origin", flat=True)) == {"anonymous"}
    again = load_judgments(rug, *rows, anonymous=True)
    assert again.ok and again.counts["judgments"] == 0 and again.problems == ()


def test_more_unknown_people_need_a_name_for_their_voices(rug):
    differs = {**NOBODY, "value": 1}
    assert load_judgments(rug, NOBODY, anonymous=True).ok
    other = load_judgments(rug, {**NOBODY, "comment": "Another file."}, anonymous=True)
    assert other.ok and other.counts["judgments"] == 0
    assert (
        "warning: 1 judgments of anonymous annotators are in the campaign already" in said(other)[0]
    )
    assert "or another annotator" in refused(load_judgments(rug, differs, anonymous=True))
    assert load_judgments(rug, differs, anonymous=True, annotator="crowd").ok
    assert stored_rows("annotator__code") == [("anonymous-1",), ("anonymous-crowd-1",)]


def test_a_code_of_an_unknown_person_is_kept_behind_the_sign(rug):
    def load(*codes):
        rows = [{**JUDGMENT, "annotator": one} for one in codes]
        return load_judgments(rug, *rows, anonymous=True)

    assert load("w1", "anonymous-w2").ok
    assert stored_rows("annotator__code") == [("anonymous-w1",), ("anonymous-w2",)]
    assert "are in line 1 too" in refused(load("w3", "w3"))
    assert "longer than 60 characters" in refused(load("w" * 60))


def test_a_known_person_never_becomes_an_unknown_one(rug):
    Annotator.objects.create(campaign=rug, code="anonymous-1", origin=Annotator.Origin.INVITED)
    report = load_judgments(rug, NOBODY, anonymous=True)
    assert "'anonymous-1' is a known annotator" in refused(report)
