"""A name that counts is on the disk, and so is what has it."""

import errno
import os

import pytest

from paraanno.common.on_disk import move, put_in_place, put_where_none_is


@pytest.fixture
def synced(monkeypatch):
    """What was synced, as inode numbers, in turn."""
    numbers = []
    monkeypatch.setattr(os, "fsync", lambda handle: numbers.append(os.fstat(handle).st_ino))
    return numbers


def inodes(*paths):
    return [path.stat().st_ino for path in paths]


def test_a_file_is_synced_before_its_name_is_and_the_folder_after(tmp_path, synced):
    (draft := tmp_path / "a.part").write_bytes(b"whole")
    path = put_in_place(draft, tmp_path / "a")
    assert path.read_bytes() == b"whole" and not draft.exists()
    assert synced == inodes(path, tmp_path)


def test_a_folder_is_synced_with_all_that_is_in_it(tmp_path, synced):
    draft, path = tmp_path / "a.part", tmp_path / "a"
    (draft / "inner").mkdir(parents=True)
    (draft / "inner" / "file").touch()
    (draft / "link").symlink_to(tmp_path / "nowhere")
    put_in_place(draft, path)
    assert synced == inodes(path, path / "inner" / "file", path / "inner", tmp_path)


def test_a_move_syncs_both_folders_and_nothing_else(tmp_path, synced):
    (before := tmp_path / "before").mkdir()
    (before / "a").touch()
    move(before / "a", tmp_path / "a")
    assert sorted(synced) == sorted(inodes(before, tmp_path))


def test_a_name_that_is_taken_stays_with_its_file(tmp_path, synced):
    path = tmp_path / "a"
    for text in ("first", "second"):
        (draft := tmp_path / f"{text}.part").write_text(text)
        if path.exists():
            with pytest.raises(FileExistsError):
                put_where_none_is(draft, path)
        else:
            put_where_none_is(draft, path)
            assert synced == inodes(path, tmp_path) and not draft.exists()
    assert path.read_text() == "first"


@pytest.mark.parametrize(("number", "refused"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_file_system_may_be_unable_to_sync_but_not_fail(tmp_path, monkeypatch, number, refused):
    def fsync(handle):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    (draft := tmp_path / "a.part").touch()
    if refused:
        with pytest.raises(OSError, match="Input/output"):
            put_in_place(draft, tmp_path / "a")
        assert draft.exists()
    else:
        assert put_in_place(draft, tmp_path / "a").exists()
