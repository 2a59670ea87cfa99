"""Large files of judgments: what is interrupted goes on."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing import large
from annotation.importing.large import LargeImport
from annotation.importing.large import large_judgments as judgments_of
from annotation.models import ImportBatch, Judgment
from tests.annotation.services.importing.files import load_items
from tests.annotation.services.importing.large_files import item_rows, judgment_rows, run
from tests.factories import jsonl

pytestmark = pytest.mark.usefixtures("small_parts")


def test_an_interrupted_import_goes_on_and_keeps_its_batch(monkeypatch):
    """SQLite writes in parts; what was killed between two of them stands, and is told so."""
    campaign = campaign_create(actor=None, slug="camp")
    assert load_items(campaign, *item_rows()).ok
    monkeypatch.setattr(large, "is_whole", lambda count: False)
    rows, made = judgment_rows(), []

    def killed(n):
        raise KeyboardInterrupt

    one = LargeImport(campaign, jsonl(rows), "items.jsonl", None, written=killed, made=made.append)
    with pytest.raises(KeyboardInterrupt):
        judgments_of(one)
    batch = ImportBatch.objects.get(what="judgments")
    assert batch.counts["judgments"] == Judgment.objects.count() == 5 and made == [batch]
    done = run(judgments_of, campaign, rows, batch=batch)
    assert done.batch == batch and done.counts == {"judgments": len(rows), "annotators": 2}
    assert Judgment.objects.count() == len(rows)
    assert ImportBatch.objects.filter(what="judgments").count() == 1
