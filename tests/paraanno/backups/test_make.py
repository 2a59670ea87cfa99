"""What a backup refuses before it writes; test_restore.py makes them."""

import shutil
from collections import namedtuple

import pytest

from paraanno.backups import make
from paraanno.backups.copies import BackupRefused


@pytest.fixture
def data_dir(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path / "site"
    files = tmp_path / "site" / "files"
    files.mkdir(parents=True)
    (files / "a").write_bytes(b"x" * 2**21)
    monkeypatch.setattr(make, "sqlite_file", lambda: None)
    return tmp_path / "site"


def test_nothing_is_overwritten_and_a_backup_does_not_go_into_what_it_copies(data_dir, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    for folder, why in ((tmp_path, "not empty"), (data_dir / "files" / "new", "another disk")):
        with pytest.raises(BackupRefused, match=why):
            make.backup_make(folder)
        assert sorted(tmp_path.rglob("*")) == before


def test_a_disk_without_room_is_told_first(data_dir, tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 2**20))
    with pytest.raises(BackupRefused, match="has room for 1 MB, and 2 MB are needed"):
        make.backup_make(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
