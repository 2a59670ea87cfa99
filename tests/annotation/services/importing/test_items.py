"""Files of items: all of a file or nothing, and the same file twice is the same as once."""

import pytest

from annotation.campaigns.services import campaign_close, campaign_open
from annotation.importing import items
from annotation.importing.items import items_import
from annotation.models import ImportBatch, Item, Sheet, Substitution, System
from tests.annotation.importers.ccb_files import BLANK
from tests.annotation.importers.strategies import stream
from tests.annotation.services.importing.files import ITEM, RUG, beaten, load_items, refused, said

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
