"""Archives as frames."""

import pytest

from scoring.archives.file_format import ArchiveRefused
from scoring.archives.frames import archive_frames
from tests.scoring.archives.zips import small


def test_tables_are_frames(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(small())
    found = archive_frames(path)
    assert set(found) == {"phrase", "empty"}
    assert found["phrase"].loc[2, "text"] == "größer 1"
    assert list(found["phrase"].index) == [1, 2, 3]
    assert list(found["empty"].columns) == ["text"]
    assert set(archive_frames(path, names=("phrase",))) == {"phrase"}


def test_a_file_that_was_cut_gives_none(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(small()[:-30])
    with pytest.raises(ArchiveRefused):
        archive_frames(path)
