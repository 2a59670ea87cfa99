"""Texts are named by their content, in the order that was asked."""

from scoring.runs.queries import TEXT_NAMES, texts_named
from tests.factories import make_campaign


def ids_of(campaign):
    return list(campaign.substitutions.order_by("pk").values_list("pk", flat=True))


def test_the_order_is_that_of_the_ids():
    campaign = make_campaign(items=3)
    ids = ids_of(campaign)[::-1]
    texts = dict(campaign.substitutions.values_list("pk", "text"))
    assert [one.paraphrase for one in texts_named(ids)] == [texts[pk] for pk in ids]
    assert texts_named([]) == []
    [shared] = [one for one in texts_named(ids) if len(one.systems) == 2]
    assert dict(zip(TEXT_NAMES, shared.names, strict=True))["systems"] == "S0|S1"


def test_a_sentence_of_its_own_is_part_of_the_key():
    campaign = make_campaign(items=1, systems=1)
    [before] = texts_named(ids_of(campaign))
    campaign.substitutions.update(
        own_sentence="Another one with phrase 0.", own_start=17, own_end=25
    )
    [after] = texts_named(ids_of(campaign))
    assert after.item_key == before.item_key and after.text_key != before.text_key
    assert after.sentence == "Another one with phrase 0."
