"""Consent texts, and agreeing to them."""

import pytest

from annotation.models import Consent
from annotation.people.background import TextChanged
from tests.annotation.together import together
from tests.factories import agree, ask_consent, make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


def test_nobody_agrees_to_a_text_that_they_have_not_seen(campaign):
    ask_consent(campaign, "One")
    voices = [make_annotator(campaign, f"racer{number}") for number in range(6)]
    found = together(
        [
            *[lambda one=one: agree(one) for one in voices],
            lambda: ask_consent(campaign, "Two"),
            *[lambda one=one: agree(one) for one in voices],
        ]
    )
    assert all(not isinstance(one, Exception) or isinstance(one, TextChanged) for one in found)
    texts = Consent.objects.values_list("annotator", "text__version")
    assert set(texts) <= {(one.pk, 1) for one in voices}
    assert len(set(texts)) == len(texts)
