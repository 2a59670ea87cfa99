"""The list of a backup: written whole, read strictly, and what it says about damages."""

import json
import shutil
from collections import namedtuple

import pytest

from paraanno.backups import make
from paraanno.backups.copies import (
    NAME,
    BackupFile,
    BackupManifest,
    BackupRefused,
    damages,
    measured,
    read_manifest,
    write_manifest,
)

# `printf abc | sha256sum`
ABC = BackupFile(3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "abc").write_text("abc")
    write_manifest(
        tmp_path,
        BackupManifest(
            version="1",
            made_at="2026-03-01T03:00:00+00:00",
            database="sqlite",
            has_key=True,
            migrations={"app": "0001_initial"},
            files={"data/abc": ABC},
        ),
    )
    return tmp_path


def test_what_was_written_is_read(folder):
    manifest = read_manifest(folder)
    assert (manifest.size, manifest.made.hour, manifest.files) == (3, 3, {"data/abc": ABC})
    assert measured(folder / "data" / "abc") == ABC
    assert list(damages(folder, manifest)) == []
    assert {path.name for path in folder.iterdir()} == {"data", NAME}


@pytest.mark.parametrize(
    ("content", "said"), [("abd", "content has changed"), ("abcd", "4 bytes"), (None, "missing")]
)
def test_damages_are_named(folder, content, said):
    file = folder / "data" / "abc"
    file.unlink() if content is None else file.write_text(content)
    (found,) = damages(folder, read_manifest(folder))
    assert str(file) in found
    assert said in found


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"files": {"../abc": {"size": 3, "sha256": ""}}},
        {"made_at": "yesterday"},
        {"files": {"/etc/abc": {"size": 3, "sha256": ""}}},
        {"files": 3},
        {"unknown": 1},
    ],
)
def test_a_list_that_cannot_be_right_is_refused(folder, change):
    written = json.loads((folder / NAME).read_text())
    (folder / NAME).write_text(json.dumps(written | change))
    with pytest.raises(BackupRefused, match=NAME):
        read_manifest(folder)


def test_a_folder_without_a_list_was_cut_off(folder):
    (folder / NAME).unlink()
    with pytest.raises(BackupRefused, match="cut off"):
        read_manifest(folder)
    with pytest.raises(BackupRefused, match="no such folder"):
        read_manifest(folder / "none")


# What a backup refuses before it writes; test_restore.py makes them.


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
