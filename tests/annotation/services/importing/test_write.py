"""A plan written part by part: the same rows, whatever the size of a part."""

import pytest

from annotation.database import bulk_write
from annotation.importing import items
from annotation.models import Item, Output, Reference
from annotation.verify import verify
from tests.annotation.services.importing.files import ITEM, RUG, load_items

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
