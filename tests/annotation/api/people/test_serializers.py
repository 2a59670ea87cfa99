"""Annotators, exclusions and invitations as JSON: nothing that others must not read."""

from annotation.people.api import AnnotatorOut


def test_answers_of_an_annotator_stand_under_short_names(answered):
    shown = {one.code: AnnotatorOut(one).data for one in answered.annotators.order_by("pk")}
    assert [one["background"] for one in shown.values()] == [
        {"age": 40, "speaks": ["Czech", "Dutch"], "else": None},
        {"age": None, "speaks": ["Dutch"], "else": None},
        {},
    ]
    assert "bob" not in str(shown)
