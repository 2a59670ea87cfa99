"""A name that counts is on the disk, and so is what has it."""

import errno
import os
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraanno.common.on_disk import Disk, move, put_in_place, put_where_none_is


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


# What stands on disk is what would stand in memory.


texts = st.text(max_size=3) | st.integers(0, 3) | st.none()
keys = texts | st.tuples(texts, st.tuples(texts, texts))
steps = st.lists(st.tuples(st.sampled_from(["set", "default"]), keys, texts), max_size=30)


@given(steps)
def test_a_dictionary_on_disk_is_a_dictionary(done):
    usual = {}
    with Disk() as disk:
        on_disk = disk.dict()
        for how, key, value in done:
            if how == "set":
                usual[key] = value
                on_disk[key] = value
            else:
                assert on_disk.setdefault(key, value) == usual.setdefault(key, value)
        for _, key, _ in done:
            assert on_disk.get(key, "absent") == usual.get(key, "absent")


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 7))
def test_a_pile_keeps_places_together_and_in_order(places, size):
    with Disk() as disk:
        pile = disk.pile()
        for at, place in enumerate(places):
            pile.add(place, (place, at))
        assert len(pile) == len(places)
        pieces = list(pile.pieces(size))
    assert [one for piece in pieces for one in piece] == sorted(
        (place, at) for at, place in enumerate(places)
    )
    assert all(len(piece) >= size for piece in pieces[:-1])
    for piece, following in pairwise(pieces):
        assert piece[-1][0] != following[0][0]
