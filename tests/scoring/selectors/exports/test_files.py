"""The export files of a campaign."""

from uuid import uuid4

import pytest

from annotation.errors import NotFound
from scoring.exports.rows import export_files, export_get
from scoring.models import ExportFile
from tests.factories import make_campaign


def ordered(campaign, **fields):
    return ExportFile.objects.create(campaign=campaign, what="items", format="csv", **fields)


def test_the_newest_file_stands_first_others_have_their_own_and_finished_ones_are_had():
    campaign, other = make_campaign(items=1), make_campaign("other", items=1)
    first, foreign, second = ordered(campaign), ordered(other), ordered(campaign)
    assert list(export_files(campaign=campaign)) == [second, first]
    assert list(export_files(campaign=other)) == [foreign]
    for key in (foreign.key, uuid4()):
        with pytest.raises(NotFound):
            export_get(campaign=campaign, key=key)

    done = {"rows": 1, "size": 1, "sha256": "0" * 64, "path": "exports/x.csv"}
    for status, more in (("queued", {}), ("running", {}), ("failed", {"error": "x"})):
        file = ordered(campaign, status=status, **more)
        assert export_get(campaign=campaign, key=file.key) == file
        with pytest.raises(NotFound):
            export_get(campaign=campaign, key=file.key, finished=True)
    file = ordered(campaign, status="done", **done)
    assert export_get(campaign=campaign, key=file.key, finished=True) == file
