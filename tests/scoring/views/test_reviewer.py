"""The page on what a reviewer will ask: asked once, what is open is named, answers are kept."""

import pytest
from django.urls import reverse

from annotation.errors import Invalid
from annotation.models import AuditEntry
from scoring.exports.provenance import MOST_ANSWER, reviewer_questions, reviewer_save
from tests.clients import client_of, html_of, text_of
from tests.factories import add_judgments, make_campaign

pytestmark = pytest.mark.django_db


def page(campaign, name="alice", data=None):
    address = reverse("reviewer", args=[campaign.slug])
    client = client_of(name)
    return client.get(address) if data is None else client.post(address, data)


def test_what_is_open_is_named_until_it_is_answered():
    campaign = make_campaign(items=2)
    answer = page(campaign)
    assert answer.status_code == 200 and 'data-open="6"' in html_of(answer)
    assert "Still open" in text_of(answer)
    # Nothing was imported: there is no question about it, but a known guideline.
    assert "collected" not in answer.context["form"].fields
    assert "Known here: guidelines, version 1." in text_of(answer)
    given = {
        "kind": "experts",
        "annotators": " Two linguists. ",
        "pay": "None",
        "instructions": "x",
        "texts": "y",
        "ethics": "z",
    }
    assert page(campaign, data=given).status_code == 302
    stored = dict(campaign.reviewer_answers.values_list("question", "text"))
    assert stored == {**given, "annotators": "Two linguists."}
    assert "Every question is answered." in text_of(page(campaign))
    # An answer that is emptied is open again.
    page(campaign, data={**given, "pay": ""})
    assert [one.key for one in reviewer_questions(campaign=campaign) if one.open] == ["pay"]
    assert AuditEntry.objects.filter(campaign=campaign, verb="answer reviewer").count() == 2


def test_imported_judgments_have_a_question_of_their_own():
    campaign = make_campaign(items=1)
    text = campaign.substitutions.first()
    row = {"item": "item-0", "paraphrase": text.text, "scale": "MEANING", "value": 3}
    add_judgments(campaign, [{**row, "annotator": "r1"}])
    answer = page(campaign)
    assert "collected" in answer.context["form"].fields
    assert "1 rating of the file judgments.jsonl" in text_of(answer)


def test_answers_that_cannot_be_are_refused():
    campaign = make_campaign(items=1)
    for answers in ({"pay": "x" * (MOST_ANSWER + 1)}, {"kind": "robots"}, {"salary": "1"}):
        with pytest.raises(Invalid):
            reviewer_save(campaign=campaign, actor=None, answers=answers)
    assert page(campaign, data={"kind": "robots"}).status_code == 422
    assert not campaign.reviewer_answers.exists()
