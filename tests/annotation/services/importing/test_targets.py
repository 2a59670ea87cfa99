"""The text that a row of judgments or gold names."""

import pytest

from annotation.importers import Target
from annotation.importing.report import load_targets
from annotation.models import Judgment, Substitution
from tests.annotation.services.importing.files import (
    JUDGMENT,
    RUG,
    SENTENCE,
    load_items,
    load_judgments,
    refused,
)

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
