"""From one database to the other and back: SQLite, PostgreSQL, SQLite."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.db import connection

from annotation.models import Campaign
from annotation.selectors.verify import verify
from scoring.services.archives.restore import archive_restore
from scoring.services.reports.exports import export_write
from tests import live_parts, needs
from tests.live import on_database
from tests.scoring.services.archives.parts import (
    EXPORTS,
    archived,
    exported,
    make_rich,
    tables_of,
)

LOG = "tables/auditentry.jsonl"  # Each restore adds an entry.


def everything(campaign: Campaign) -> dict[str, bytes]:
    """All exports, and the files of the paper; the same for the same campaign of another name."""
    found = {what: exported(campaign, what) for what in EXPORTS}
    stream = io.BytesIO()
    export_write(campaign=campaign, what="paper", stream=stream)
    with zipfile.ZipFile(stream) as paper:
        names = [name for name in paper.namelist() if name != "manifest.json"]
        found |= {
            name.replace(campaign.slug, "SLUG"): paper.read(name).replace(
                campaign.slug.encode(), b"SLUG"
            )
            for name in names
        }
    return found


def tables(stream: io.BytesIO) -> dict[str, bytes]:
    return {name: data for name, data in tables_of(stream).items() if name != LOG}


@pytest.mark.slow
@pytest.mark.once  # It asks both databases.
@pytest.mark.django_db
def test_a_campaign_goes_to_postgresql_and_comes_back() -> None:
    needs.need("postgres")
    assert connection.vendor == "sqlite"
    campaign = make_rich("circle-1")
    file = archived(campaign)  # Before the paper: that makes a report.
    here = everything(campaign)
    variables, undo = live_parts.new_postgres()
    try:
        with on_database(variables["DATABASE_URL"]):
            assert connection.vendor == "postgresql"
            there = archive_restore(stream=file, actor=None, slug="circle-2")
            assert verify(campaign=there) == []
            sent = archived(there)
            assert everything(there) == here
    finally:
        undo()
    assert tables(sent) == tables(file)
    back = archive_restore(stream=sent, actor=None, slug="circle-3")
    assert verify(campaign=back) == []
    assert tables(archived(back)) == tables(file)
    assert everything(back) == here
