"""Files of items, compared with their campaign, and written whole or not at all."""

from io import BytesIO

import pytest
from django.utils import timezone

from annotation.campaigns.services import campaign_close, campaign_open
from annotation.database import bulk_write
from annotation.importing import items
from annotation.importing.gold import gold_import
from annotation.importing.items import items_import
from annotation.importing.judgments_write import judgments_import
from annotation.importing.report import identity_of, load_stored
from annotation.importing.tables import lines_of_changes
from annotation.models import (
    Campaign,
    ImportBatch,
    Item,
    Output,
    Reference,
    Sheet,
    Substitution,
    System,
)
from annotation.models.fields import text_digest
from annotation.verify import verify
from tests.annotation.files import (
    ITEM,
    RUG,
    SENTENCE,
    beaten,
    item_rows_of,
    load_items,
    planned,
    refused,
    said,
)
from tests.annotation.importers.test_ccb import BLANK
from tests.annotation.strategies import stream
from tests.clients import captured
from tests.factories import add_items, item_rows

CARPET = {**ITEM, "paraphrase": "the carpet", "system": "B"}
WRONG = {**ITEM, "phrase": "the dog"}


def rows_in():
    return tuple(model.objects.count() for model in (Item, Substitution, System, ImportBatch))


def test_a_file_with_one_error_leaves_nothing(empty):
    assert "occurs nowhere" in refused(load_items(empty, RUG, WRONG))
    clash = load_items(empty, RUG, {**CARPET, "role": "control"})
    assert not clash.ok and clash.counts["items"] == 1
    assert rows_in() == (0, 0, 0, 0)


def test_a_dry_run_counts_what_the_import_then_adds(empty):
    dry = load_items(empty, RUG, CARPET, dry_run=True)
    assert (dry.ok, dry.dry_run, dry.batch, rows_in()) == (True, True, None, (0, 0, 0, 0))
    report = load_items(empty, RUG, CARPET)
    assert (report.rows, report.counts, report.dry_run) == (2, dry.counts, False)
    assert rows_in() == (1, 2, 2, 1)


@pytest.mark.parametrize("acts", [(), (campaign_open,), (campaign_open, campaign_close)])
def test_texts_that_come_after_the_opening_get_their_sheets(rug, acts):
    for act in acts:
        act(campaign=rug, actor=None)
    load_items(rug, CARPET)
    assert Sheet.objects.count() == (2 if acts else 0)


def test_two_imports_of_the_same_rows_at_one_time_are_told_apart(empty):
    with beaten(lambda: load_items(empty, RUG), items, "plan_items") as conflict:
        load_items(empty, RUG)
    assert "Import the file again" in str(conflict.value)
    assert rows_in() == (1, 1, 1, 1)
    assert load_items(empty, RUG).ok


def test_a_phrase_in_capitals_is_that_of_an_item_in_the_campaign(empty):
    """Files in the layout of 2008 shout the phrase; which letters were large is lost there."""
    sentence = "the ferry , which was late , In the End did not leave ."
    load_items(empty, {"item": "ferry", "phrase": "In the End", "sentence": sentence})
    report = items_import(
        campaign=empty, stream=stream(BLANK), name="e.txt", format="ccb", actor=None
    )
    assert report.ok, said(report)
    ferry = Item.objects.filter(sentence__icontains="ferry").values_list("phrase__text", "sentence")
    assert list(ferry) == [("In the End", sentence)]
    assert Item.objects.count() == 2
    assert Substitution.objects.filter(item__sentence=sentence).count() == 3


def new(campaign, *rows):
    """What would be new, without the kinds of which nothing is."""
    plan = planned(campaign, *rows)
    assert plan.problems == []
    counts = {kind: count for kind, count in plan.counts().items() if count}
    assert plan.empty == (not counts)
    return counts


def problem_of(campaign, *rows):
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
    said = problem_of(rug, {**RUG, "sentence": "Beat the mat.", "paraphrase": "the drum"})
    assert said.startswith(
        "items.jsonl:1: column 'item': item 'i1' is 'Beat the mat.' (5-12) here and "
    )
    assert "give the new one another id" in said


def test_a_system_gives_one_text_at_each_rank(rug):
    said = problem_of(rug, {**RUG, "paraphrase": "the sofa"})
    assert "system 'A' gives 'the sofa' at rank 1 here and something else" in said
    assert "gives nothing at rank 1" in problem_of(rug, {**ITEM, "system": "A"})


def test_a_copy_names_its_original_in_the_file_or_in_the_campaign(rug):
    copy = {**ITEM, "role": "degraded", "paraphrase": "rug the"}
    later = {**ITEM, "role": "degraded", "paraphrase": "carpet the", "made_from": "the carpet"}
    plan = planned(rug, {**copy, "made_from": "the rug"}, later, CARPET)
    assert plan.problems == []
    stored, added = plan.stored.substitutions, next(iter(plan.items.values())).substitutions
    originals = list(plan.copies.values())
    assert originals[0] in stored
    assert added[originals[1]].paraphrase == "the carpet"
    assert "'the sofa' is no text of this item" in problem_of(
        rug, {**copy, "made_from": "the sofa"}
    )
    # Nor is a copy its own original.
    assert "is no text of this item" in problem_of(rug, {**copy, "made_from": "rug the"})


def test_attributes_are_added_and_never_changed(rug):
    tagged = {**RUG, "attr.item.topic": "pets", "attr.system.year": 2008}
    assert new(rug, tagged) == {"attributes": 2}
    assert load_items(rug, tagged).ok
    assert new(rug, tagged) == {}
    assert new(rug, {**tagged, "attr.item.source": "web"}) == {"attributes": 1}
    said = problem_of(rug, {**tagged, "attr.item.topic": "homes"})
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
    assert "the item is in en-GB, which is fixed" in problem_of(rug, {**RUG, "language": "ko"})
    late = {**ITEM, "item": "i2", "sentence": "Wipe the mat.", "language": "ko"}
    assert new(rug, late) == {"languages": 1}


def test_a_reference_for_the_phrase_is_put_into_its_sentence(empty):
    row = {**RUG, "phrase_reference": "the carpet", "phrase_reference_2": "a rug"}
    assert load_items(empty, row, {**RUG, "system": "B", "phrase_reference": "the carpet"}).ok
    texts = list(Reference.objects.order_by("position").values_list("text", flat=True))
    assert texts == ["The cat sat on the carpet.", "The cat sat on a rug."]


ROWS = [
    {
        **RUG,
        "item": f"n{number}",
        "sentence": f"{number}: the mat.",
        "attr.item.number": number,
        "attr.phrase.kind": "noun",
        "attr.system.year": 2008,
    }
    for number in range(5)
]


def test_what_is_added_to_an_item_is_numbered_on(rug):
    load_items(rug, {**ITEM, "reference": "One."})
    load_items(rug, {**ITEM, "reference": "Two."}, {**ITEM, "reference": "One."})
    found = Reference.objects.order_by("position").values_list("position", "text")
    assert list(found) == [(1, "One."), (2, "Two.")]


def test_an_import_that_was_cut_off_keeps_whole_parts_and_is_completed(rug, monkeypatch):
    """In the middle of the third part, where parts stand by themselves: its transaction takes its
    own rows back, no others."""
    monkeypatch.setattr(items, "ITEMS_PER_WRITE", 1)
    monkeypatch.setattr(items, "is_whole", lambda rows: False)

    def cut(ready):
        if ready.model is Output and Item.objects.count() == 4:
            raise KeyboardInterrupt
        bulk_write(ready)

    with monkeypatch.context() as patched:
        patched.setattr(items, "bulk_write", cut)
        with pytest.raises(KeyboardInterrupt):
            load_items(rug, *ROWS)
    assert (Item.objects.count(), Output.objects.count()) == (3, 3)
    assert verify(campaign=rug) == []
    assert load_items(rug, *ROWS).counts["items"] == 3
    assert (Item.objects.count(), Output.objects.count()) == (6, 6)


def checked(campaign, text, importer=items_import):
    report = importer(
        campaign=campaign, stream=BytesIO(text.encode()), name="a.csv", actor=None, dry_run=True
    )
    assert report.ok
    return lines_of_changes(report.changes)


def test_a_dry_run_tells_what_changes_text_by_text(rug):
    told = checked(
        rug,
        "phrase,sentence,paraphrase,system,reference\n"
        "the mat,The cat sat on the mat.,the rug,B,\nthe mat,The cat sat on the mat.,it,B2,\n"
        "way,It gave way.,in,B,It broke.\n",
    )
    assert told == [
        "  2: The cat sat on [the mat].",
        "    + it (B2)",
        "    + known text (B)",
        "+ 4: It gave [way].",
        "    + in (B)",
        "    + reference: It broke.",
    ]
    item = rug.items.get()
    assert item.substitutions.count() == 1


def test_new_judgments_and_gold_by_text(rug):
    head = "phrase,sentence,paraphrase"
    told = checked(
        rug,
        f"{head},annotator,scale,value\nthe mat,The cat sat on the mat.,the rug,a,MEANING,4\n",
        judgments_import,
    )
    assert told == ["  2: The cat sat on [the mat].", "    + the rug (a MEANING: 4)"]
    told = checked(
        rug, f"{head},MEANING\nthe mat,The cat sat on the mat.,the rug,3.5\n", gold_import
    )
    assert told == ["  2: The cat sat on [the mat].", "    + the rug (MEANING: 3.5)"]


OWN = {**RUG, "own_sentence": "A cat was on the rug.", "own_start": 13, "own_end": 20}


def look(campaign):
    [row] = item_rows_of(RUG)
    return load_stored(
        campaign=campaign,
        phrases=[text_digest(row.phrase)],
        items=[identity_of(row)],
        outside=["i1", "i2"],
    )


def test_what_is_there_is_found_by_what_the_file_says(rug):
    load_items(rug, {**RUG, "reference": "A cat.", "attr.item.topic": "pets"}, OWN | {"rank": 2})
    stored = look(rug)
    item = Item.objects.get()
    identity = item.identity_hash
    assert (stored.items, stored.outside) == ({identity: item.pk}, {"i1": identity})
    assert stored.sentences == {identity: SENTENCE}
    assert set(stored.systems) == {"A"}
    assert stored.references == {identity: {text_digest("A cat."): 1}}
    assert stored.attributes["item", identity] == {"topic": "pets"}
    texts = {key[3]: key for key in stored.substitutions}
    assert set(texts) == {"", text_digest("A cat was on the rug.", 13, 20)}
    assert stored.outputs == {
        (identity, "A", 1): texts[""],
        (identity, "A", 2): texts[text_digest("A cat was on the rug.", 13, 20)],
    }


def test_the_cost_is_that_of_the_file_not_of_the_campaign(rug):
    costs = []
    for _ in range(2):
        with captured() as queries:
            stored = look(rug)
        costs.append(len(queries))
        assert (len(stored.items), len(stored.phrases), len(stored.substitutions)) == (1, 1, 1)
        add_items(rug, [*item_rows(20), {**ITEM, "item": "i9", "sentence": "Not the mat."}])
    assert costs[0] == costs[1]
