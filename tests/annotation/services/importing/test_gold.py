"""Gold made elsewhere, and the text that a row of judgments or gold names."""

import pytest

from annotation.importers.items import Target
from annotation.importing import gold
from annotation.importing.report import load_targets
from annotation.models import ImportBatch, ImportedGold, Judgment, Substitution
from tests.annotation.files import (
    JUDGMENT,
    RUG,
    SENTENCE,
    beaten,
    load_gold,
    load_items,
    load_judgments,
    refused,
)

ROW = {"item": "i1", "paraphrase": "the rug", "MEANING": 3.5}


def stored():
    return list(ImportedGold.objects.order_by("pk").values_list("source", "scale__name", "value"))


def test_values_are_added_once_under_the_name_of_the_file(rug):
    report = load_gold(rug, {**ROW, "GRAMMAR": 5})
    assert report.ok and report.counts == {"gold": 2}
    assert sorted(stored()) == [("gold.jsonl", "GRAMMAR", 5), ("gold.jsonl", "MEANING", 3.5)]
    again = load_gold(rug, ROW)
    assert again.ok and again.batch is None and again.counts == {"gold": 0}
    assert ImportBatch.objects.filter(what="gold").get() == report.batch


def test_another_value_needs_another_source(rug):
    load_gold(rug, ROW, source="paper")
    report = load_gold(rug, {**ROW, "MEANING": 4, "GRAMMAR": 5}, source="paper")
    assert "paper says 3.5 in the campaign and 4 here: name another source" in refused(report)
    assert stored() == [("paper", "MEANING", 3.5)]
    assert load_gold(rug, {**ROW, "MEANING": 4}, source="erratum").ok
    assert stored() == [("paper", "MEANING", 3.5), ("erratum", "MEANING", 4)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"MEANING": 5.5}, "5.5 is not between 1 and 5"),
        ({"MEANING": 0.99}, "0.99 is not between 1 and 5"),
        ({"item": "i7"}, "there is no item 'i7'"),
    ],
)
def test_one_wrong_row_keeps_the_whole_file_out(rug, wrong, words):
    good = {"item": "i1", "paraphrase": "the rug", "GRAMMAR": 4}
    assert words in refused(load_gold(rug, good, {**ROW, **wrong}))
    assert stored() == []


def test_two_values_of_one_text_named_in_two_ways_are_an_error(rug):
    place = {"item": None, "phrase": "the mat", "sentence": SENTENCE}
    for options in ({"dry_run": True}, {}):
        report = load_gold(rug, ROW, {**ROW, **place}, **options)
        assert [problem.line for problem in report.problems] == [2] and stored() == []
        assert "has a value in line 1 too: remove one" in refused(report)


def test_gold_written_at_the_same_time_is_a_conflict(rug):
    with beaten(lambda: load_gold(rug, ROW), gold.GoldComparison, "compare") as conflict:
        load_gold(rug, {**ROW, "MEANING": 2})
    assert "import it again" in str(conflict.value)
    assert stored() == [("gold.jsonl", "MEANING", 3.5)]


BY_TEXT = {
    "item": None,
    "phrase": "the mat",
    "sentence": SENTENCE,
    "start": 15,
    "end": 22,
}
BY_ID = {"item": "i1", **dict.fromkeys(("phrase", "sentence", "start", "end"))}


def found(campaign, place, text="the rug", **more):
    target = Target(**place, paraphrase=text, **more)
    return load_targets(campaign=campaign, targets=[target]).find(target)


def test_a_text_is_named_by_id_or_by_place_or_by_both(rug):
    text = Substitution.objects.get().pk
    for place in (BY_ID, BY_TEXT, {**BY_TEXT, "item": "i1"}):
        assert found(rug, place) == text
    # An id that is not known is no harm as long as the place is given.
    assert found(rug, {**BY_TEXT, "item": "i7"}) == text


def test_each_role_and_each_own_sentence_is_a_text_of_its_own(rug):
    own = {"own_sentence": "On the rug.", "own_start": 3, "own_end": 10}
    control = {**RUG, "system": None, "role": "control"}
    assert load_items(rug, control, {**RUG, **own, "rank": 2}).ok
    keys = [found(rug, BY_ID), found(rug, BY_ID, role="control"), found(rug, BY_ID, **own)]
    assert sorted(keys) == sorted(Substitution.objects.values_list("pk", flat=True))
    assert "no paraphrase" in found(rug, BY_ID, **(own | {"own_start": 0, "own_end": 2}))


def test_a_file_without_roles_finds_controls_and_copies_too(rug):
    control = {**RUG, "system": None, "role": "control", "paraphrase": "the moon"}
    copy = {**RUG, "system": None, "role": "copy", "paraphrase": "the mat", "made_from": "the rug"}
    assert load_items(rug, control, copy).ok
    judged = [{**JUDGMENT, "paraphrase": text} for text in ("the rug", "the moon", "the mat")]
    assert load_judgments(rug, *judged).ok
    roles = Judgment.objects.order_by("pk").values_list("substitution__role", flat=True)
    assert list(roles) == ["output", "control", "copy"]
    # A role that is named is meant.
    assert "no paraphrase" in refused(load_judgments(rug, {**judged[1], "role": "output"}))
    # The output of a system comes first, and of two others none is guessed.
    twin = {**RUG, "system": None, "role": "control", "paraphrase": "the rug"}
    assert load_items(rug, twin, {**control, "role": "degraded", "made_from": "the rug"}).ok
    assert load_judgments(rug, {**JUDGMENT, "annotator": "bo"}).ok
    assert Judgment.objects.get(annotator__code="bo").substitution.role == "output"
    assert "control, degraded: say which" in refused(load_judgments(rug, judged[1]))


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        ({**BY_ID, "item": "i7"}, "the rug", "there is no item 'i7' in the campaign"),
        (BY_ID, "the sofa", "the item has no paraphrase 'the sofa'"),
        (
            {**BY_TEXT, "sentence": "Look at the mat.", "start": 8, "end": 15},
            "the rug",
            "the campaign has no item 'the mat' in 'Look at the mat.'",
        ),
        (
            {**BY_TEXT, "start": 0, "end": 7, "phrase": "The cat", "item": "i1"},
            "the rug",
            "item 'i1' has another text or span",
        ),
    ],
)
def test_what_is_not_there_is_said(rug, place, text, said):
    assert said in str(found(rug, place, text))
