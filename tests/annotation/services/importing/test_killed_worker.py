"""A worker killed with -9 in the middle of a large import: every row is there once in the end."""

from pathlib import Path

import pytest

from annotation.campaigns.services import campaign_create
from annotation.importing.jobs import import_order
from annotation.models import Campaign, ImportBatch, ImportJob, Output
from annotation.verify import verify
from tests.factories import item_rows, jsonl

# Once: each test starts sites on both databases.
pytestmark = [pytest.mark.slow, pytest.mark.once]
ITEMS = 6000
SITES = [
    pytest.param({}, id="sqlite"),
    pytest.param({"database": "postgresql"}, id="postgresql", marks=pytest.mark.postgres),
]


@pytest.mark.parametrize("options", SITES)
def test_a_killed_import_is_whole_in_the_end(
    live_site,
    options,
    monkeypatch,
    settings,
):
    monkeypatch.setattr("scoring.work.workers._send", lambda *_: None)
    site = live_site(**options)
    settings.DATA_DIR = Path(site.data_dir)
    rows = item_rows(ITEMS)

    def seen():
        with site.database():
            job = ImportJob.objects.get()
            return job.status, job.done

    with site.database():
        campaign = campaign_create(actor=None, slug="camp")
        job = import_order(
            campaign=campaign, what="items", stream=jsonl(rows), name="items.jsonl", actor=None
        )
    site.start("worker")
    # While it is checked, and while it is written: on PostgreSQL nothing of that is seen.
    moments = (1, len(rows) // 2 + 1) if not options else (1,)
    for moment in moments:
        site.until(lambda moment=moment: seen()[1] >= moment or seen()[0] == "done", "it moves on")
        site.kill("worker")
        site.start("worker")
    site.until(lambda: seen()[0] in ("done", "failed"), "the import ends", patience=400)
    with site.database():
        job.refresh_from_db()
        assert (job.status, job.error, job.attempts > 1) == ("done", "", True)
        batch = ImportBatch.objects.get()
        assert batch.counts == job.report["counts"] and job.batch == batch
        assert batch.counts["items"] == campaign.items.count() == ITEMS
        assert batch.counts["outputs"] == Output.objects.count() == len(rows)
        assert verify(campaign=Campaign.objects.get()) == []
        assert not job.path and not list((site.data_dir / "files" / "imports").iterdir())
