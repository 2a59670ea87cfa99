"""A name that counts is on the disk: its folder is synced after the rename."""

import os
import stat

import pytest

from paraanno.plain.renaming import put_in_place


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_the_folder_is_synced_after_the_rename(tmp_path, monkeypatch, kind):
    draft, path = tmp_path / "a.part", tmp_path / "a"
    draft.mkdir() if kind == "folder" else draft.write_bytes(b"whole")
    synced = []
    monkeypatch.setattr(
        os, "fsync", lambda handle: synced.append((os.fstat(handle), path.exists(), draft.exists()))
    )
    assert put_in_place(draft, path) == path
    [(about, new, old)] = synced
    assert stat.S_ISDIR(about.st_mode) and about.st_ino == tmp_path.stat().st_ino
    assert new and not old
