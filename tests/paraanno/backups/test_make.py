"""What a backup refuses before it writes; test_restore.py makes them."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from paraanno.backups import make
from paraanno.backups.manifest import BackupRefused


@pytest.fixture
def data_dir(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.DATA_DIR = tmp_path / "site"
    (tmp_path / "site" / "files").mkdir(parents=True)
    (tmp_path / "site" / "files" / "a").write_bytes(b"x" * 2**21)
    monkeypatch.setattr(make, "sqlite_file", lambda: None)
    return tmp_path / "site"


def test_nothing_is_overwritten(data_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "letter").write_text("mine")
    with pytest.raises(BackupRefused, match="not empty"):
        make.backup_make(tmp_path / "old")
    assert [file.name for file in (tmp_path / "old").iterdir()] == ["letter"]


def test_a_backup_does_not_go_into_what_it_copies(data_dir: Path) -> None:
    with pytest.raises(BackupRefused, match="another disk"):
        make.backup_make(data_dir / "files" / "backup")
    assert [file.name for file in (data_dir / "files").iterdir()] == ["a"]


def test_a_disk_without_room_is_told_first(
    data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0, 0, 2**20))
    with pytest.raises(BackupRefused, match="has room for 1 MB, and 2 MB are needed"):
        make.backup_make(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
