"""From one database to the other and back: SQLite, PostgreSQL, SQLite."""

import pytest
from django.db import connection

from annotation.verify import verify
from scoring.archives.restore import archive_restore
from tests import live_parts, needs
from tests.live import on_database
from tests.scoring.services.archives.parts import archived, everything, make_rich, tables_of


@pytest.mark.slow
@pytest.mark.once  # It asks both databases.
def test_a_campaign_goes_to_postgresql_and_comes_back():
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
    assert tables_of(sent) == tables_of(file)
    back = archive_restore(stream=sent, actor=None, slug="circle-3")
    assert verify(campaign=back) == []
    assert tables_of(archived(back)) == tables_of(file)
    assert everything(back) == here
