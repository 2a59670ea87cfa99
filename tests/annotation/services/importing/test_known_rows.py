"""What a campaign has already of a file's rows."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.importing.report import (
    identity_of,
    load_stored,
)
from annotation.models import Item
from annotation.models.fields import text_digest
from tests.annotation.services.importing.files import ITEM, RUG, SENTENCE, item_rows_of, load_items
from tests.factories import add_items, item_rows

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
        with CaptureQueriesContext(connection) as queries:
            stored = look(rug)
        costs.append(len(queries))
        assert (len(stored.items), len(stored.phrases), len(stored.substitutions)) == (1, 1, 1)
        add_items(rug, [*item_rows(20), {**ITEM, "item": "i9", "sentence": "Not the mat."}])
    assert costs[0] == costs[1]
