"""From one database to the other and back: SQLite, PostgreSQL, SQLite."""

import json
import zipfile
from pathlib import Path

import pytest
from django.db import connection

from annotation.verify import verify
from scoring.archives.restore import archive_restore
from tests import live_parts, needs
from tests.live import on_database
from tests.scoring.rich import (
    archived,
    everything,
    exported,
    make_rich,
    tables_of,
)


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


# Archives of earlier versions, on every database.
#
# `schema-1.zip` was written on SQLite, of the campaign of `make_rich`, with its exports beside
# it. A later version adds a file and leaves these alone.


HERE = Path(__file__).parent / "versions"


@pytest.mark.parametrize("path", sorted(HERE.glob("schema-*[0-9].zip")), ids=lambda path: path.stem)
def test_an_archive_of_an_earlier_version_gives_the_exports_of_its_time(path):
    with path.open("rb") as stream:
        campaign = archive_restore(stream=stream, actor=None, slug="old")
    assert verify(campaign=campaign) == []
    with zipfile.ZipFile(path.with_suffix(".exports.zip")) as exports:
        for name in exports.namelist():
            then = [json.loads(line) for line in exports.read(name).splitlines()]
            now = [json.loads(line) for line in exported(campaign, name).splitlines()]
            # A later version may have columns more.
            pairs = zip(then, now, strict=True)
            assert [{key: row.get(key) for key in was} for was, row in pairs] == then, name
