"""A background question as a form: filled in from a stored one, and handed to the service."""

import pytest

from annotation.people.background import Question, question_add
from annotation.people.forms import QuestionForm, WithdrawalForm


@pytest.mark.django_db
def test_a_stored_question_comes_back_as_it_was(campaign):
    asked = Question("Which?", "choice", ["this", "that"], required=True, name="which")
    shown = QuestionForm.showing(question_add(campaign=campaign, question=asked, actor=None))
    assert shown.initial["options"] == "this\nthat"
    again = QuestionForm(shown.initial)
    assert again.is_valid()
    assert again.as_question() == asked


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("wording", ""), ("wording", "w" * 301), ("kind", "essay"), ("name", "two words")],
)
def test_a_wrong_field_is_named(field, wrong):
    form = QuestionForm({"wording": "Why?", "kind": "text", field: wrong})
    assert set(form.errors) == {field}


@pytest.mark.django_db
def test_choices_of_leaving_change_nothing_else_of_a_campaign(campaign):
    form = WithdrawalForm({"allow_erasure": "on", "name": "Renamed"}, instance=campaign)
    assert form.is_valid()
    changed = form.save(commit=False)
    assert (changed.allow_removal, changed.allow_erasure, changed.name) == (False, True, "Camp")
