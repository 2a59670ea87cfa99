"""Texts are named by their content, in the order that was asked."""

from __future__ import annotations

import pytest

from annotation.models import Substitution
from scoring.selectors.texts import TEXT_NAMES, texts_named
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def test_equal_texts_of_two_campaigns_have_one_key_and_others_have_their_own() -> None:
    first, second = (make_campaign(slug, items=3) for slug in ("one", "two"))
    names = [
        texts_named(list(campaign.substitutions.order_by("pk").values_list("pk", flat=True)))
        for campaign in (first, second)
    ]
    assert [one.text_key for one in names[0]] == [one.text_key for one in names[1]]
    assert len({one.text_key for one in names[0]}) == 5
    assert len({one.item_key for one in names[0]}) == 3
    assert all(len(one.text_key) == 16 for one in names[0])


def test_the_order_is_that_of_the_ids() -> None:
    campaign = make_campaign(items=3)
    ids = list(campaign.substitutions.order_by("-pk").values_list("pk", flat=True))
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    assert [one.paraphrase for one in texts_named(ids)] == [texts[pk] for pk in ids]
    assert texts_named([]) == []
    [shared] = [one for one in texts_named(ids) if len(one.systems) == 2]
    assert dict(zip(TEXT_NAMES, shared.names, strict=True))["systems"] == "S0|S1"


def test_a_sentence_of_its_own_is_part_of_the_key() -> None:
    campaign = make_campaign(items=1, systems=1)
    [pk] = campaign.substitutions.values_list("pk", flat=True)
    [before] = texts_named([pk])
    Substitution.objects.filter(pk=pk).update(
        own_sentence="Another one with phrase 0.", own_start=17, own_end=25
    )
    [after] = texts_named([pk])
    assert after.item_key == before.item_key and after.text_key != before.text_key
    assert after.sentence == "Another one with phrase 0."
