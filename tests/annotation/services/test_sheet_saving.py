"""A whole sheet in one transaction, through the services of single saves."""

from uuid import uuid4

import pytest

from annotation.collecting.save_queries import GivenAnswer
from annotation.collecting.saving import Answer, sheet_save
from annotation.errors import Invalid
from tests.annotation.services.collecting.claimed import holding


def test_more_than_five_hundred_answers_are_refused():
    bob, sheet = holding()
    text, scale = sheet.entries.all()[0].substitution, bob.campaign.scales.all()[0]
    many = [GivenAnswer(uuid4(), text.key, scale.key, 0, Answer(4))] * 501
    with pytest.raises(Invalid):
        sheet_save(annotator=bob, sheet_key=sheet.key, answers=many, done=False)
