"""A file of items compared with its campaign, before anything is written."""

from django.utils import timezone

from annotation.models import Campaign, ImportBatch, Item, Reference
from tests.annotation.services.importing.files import ITEM, RUG, load_items, planned

CARPET = {**ITEM, "paraphrase": "the carpet", "system": "B"}


def new(campaign, *rows):
    """What would be new, without the kinds of which nothing is."""
    plan = planned(campaign, *rows)
    assert plan.problems == []
    counts = {kind: count for kind, count in plan.counts().items() if count}
    assert plan.empty == (not counts)
    return counts


def refused(campaign, *rows):
    [problem] = planned(campaign, *rows).problems
    return str(problem)


def test_what_is_there_is_no_news_and_planning_writes_nothing(rug):
    assert new(rug, RUG) == {}
    assert new(rug, RUG, CARPET) == {"substitutions": 1, "systems": 1, "outputs": 1}
    other = {**ITEM, "item": "i2", "sentence": "Wipe the mat."}
    assert new(rug, other) == {"items": 1, "outside_ids": 1}
    assert new(rug, {**RUG, "item": "another id"}) == {"outside_ids": 1}
    assert new(rug, {**RUG, "reference": "A cat was there."}) == {"references": 1}
    assert (Item.objects.count(), ImportBatch.objects.count()) == (1, 1)


def test_an_id_stands_for_one_item(rug):
    said = refused(rug, {**RUG, "sentence": "Beat the mat.", "paraphrase": "the drum"})
    assert said.startswith(
        "items.jsonl:1: column 'item': item 'i1' is 'Beat the mat.' (5-12) here and "
    )
    assert "give the new one another id" in said


def test_a_system_gives_one_text_at_each_rank(rug):
    said = refused(rug, {**RUG, "paraphrase": "the sofa"})
    assert "system 'A' gives 'the sofa' at rank 1 here and something else" in said
    assert "gives nothing at rank 1" in refused(rug, {**ITEM, "system": "A"})


def test_a_copy_names_its_original_in_the_file_or_in_the_campaign(rug):
    copy = {**ITEM, "role": "degraded", "paraphrase": "rug the"}
    later = {**ITEM, "role": "degraded", "paraphrase": "carpet the", "made_from": "the carpet"}
    plan = planned(rug, {**copy, "made_from": "the rug"}, later, CARPET)
    assert plan.problems == []
    stored, added = plan.stored.substitutions, next(iter(plan.items.values())).substitutions
    originals = list(plan.copies.values())
    assert originals[0] in stored
    assert added[originals[1]].paraphrase == "the carpet"
    assert "'the sofa' is no text of this item" in refused(rug, {**copy, "made_from": "the sofa"})
    # Nor is a copy its own original.
    assert "is no text of this item" in refused(rug, {**copy, "made_from": "rug the"})


def test_attributes_are_added_and_never_changed(rug):
    tagged = {**RUG, "attr.item.topic": "pets", "attr.system.year": 2008}
    assert new(rug, tagged) == {"attributes": 2}
    assert load_items(rug, tagged).ok
    assert new(rug, tagged) == {}
    assert new(rug, {**tagged, "attr.item.source": "web"}) == {"attributes": 1}
    said = refused(rug, {**tagged, "attr.item.topic": "homes"})
    assert "attribute 'topic' of this item is 'homes' here and 'pets' in the campaign" in said


def test_numbers_that_count_within_one_file_are_not_compared_with_those_of_another(
    rug,
):
    fresh = {**ITEM, "item": "i2", "sentence": "Wipe the mat.", "attr.item.ccb_item": 1}
    assert load_items(rug, fresh).ok
    assert Item.objects.get(outside_ids__value="i2").attributes == {"ccb_item": 1}
    assert new(rug, {**fresh, "attr.item.ccb_item": 5}) == {}
    assert new(rug, {**RUG, "attr.item.ccb_item": 5}) == {}


def test_a_file_names_the_language_of_items(rug, rows_by_hand):
    # Unknown becomes known at any time; what is known is fixed once the campaign was opened.
    assert new(rug, {**RUG, "language": "und"}) == {}
    assert new(rug, {**RUG, "language": "EN-gb"}) == {"languages": 1}
    other = {**ITEM, "item": "i2", "sentence": "Wipe the mat."}
    load_items(rug, {**RUG, "language": "EN-gb"}, other)
    assert dict(rug.items.values_list("language", "sentence")).keys() == {"en-GB", ""}
    rug.refresh_from_db()
    assert rug.language_changes == 1
    assert new(rug, {**RUG, "language": "en-GB"}) == {}
    assert new(rug, {**RUG, "language": "ko"}) == {"languages": 1}
    Campaign.objects.filter(pk=rug.pk).update(opened_at=timezone.now())
    rug.refresh_from_db()
    assert "the item is in en-GB, which is fixed" in refused(rug, {**RUG, "language": "ko"})
    late = {**ITEM, "item": "i2", "sentence": "Wipe the mat.", "language": "ko"}
    assert new(rug, late) == {"languages": 1}


def test_a_reference_for_the_phrase_is_put_into_its_sentence(empty):
    row = {**RUG, "phrase_reference": "the carpet", "phrase_reference_2": "a rug"}
    assert load_items(empty, row, {**RUG, "system": "B", "phrase_reference": "the carpet"}).ok
    texts = list(Reference.objects.order_by("position").values_list("text", flat=True))
    assert texts == ["The cat sat on the carpet.", "The cat sat on a rug."]
