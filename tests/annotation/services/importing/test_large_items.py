"""Large files of items are imported as small ones are, in parts and in little memory."""

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.large import large_items as items_of
from tests.annotation.services.importing.files import load_items, said
from tests.annotation.services.importing.large_files import contents, item_rows, run

pytestmark = pytest.mark.usefixtures("small_parts")


def test_items_are_those_of_an_import_at_once():
    rows = item_rows()
    small, big = campaign_create(actor=None, slug="a"), campaign_create(actor=None, slug="b")
    report = load_items(small, *rows)
    assert report.ok, said(report)
    tried = run(items_of, big, rows, dry_run=True)
    assert tried.counts == report.counts and tried.dry_run and not big.items.exists()
    done = run(items_of, big, rows)
    assert done.counts == report.counts and done.rows == report.rows == len(rows)
    assert contents(big) == contents(small)
    assert done.batch is not None and done.batch.counts == report.counts
    again = run(items_of, big, rows)
    assert again.ok and again.batch is None and not any(again.counts.values())
