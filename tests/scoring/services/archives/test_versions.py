"""Archives of earlier versions, on every database.

`schema-1.zip` was written on SQLite, of the campaign of `make_rich`, with its exports beside it. A
later version adds a file and leaves these alone.
"""

import json
import zipfile
from pathlib import Path

import pytest

from annotation.verify import verify
from scoring.archives.restore import archive_restore
from tests.scoring.services.archives.parts import exported

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
