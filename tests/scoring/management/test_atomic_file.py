"""Files under `-o` are written whole or not at all."""

import os
import threading

import pytest

from scoring.management.command_files import atomic_file, atomic_folder
from scoring.metrics.files import FileRefused


def test_the_file_is_there_when_it_is_whole_and_else_the_older_one(tmp_path):
    path = tmp_path / "out.csv"
    path.write_bytes(b"older")
    with pytest.raises(RuntimeError), atomic_file(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"older"
    with atomic_file(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"older"
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "real.csv", tmp_path / "link.csv"
    target.write_bytes(b"older")
    link.symlink_to(target)
    with atomic_file(link) as stream:
        stream.write(b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    path, read = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    with atomic_file(path) as stream:
        stream.write(b"through")
    reader.join()
    assert read == [b"through"] and path.is_fifo()


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="none"), atomic_file(tmp_path / "none" / "out.csv"):
        pass


# Folders under `-o` are written whole or not at all.


def test_a_store_is_replaced_when_the_new_one_is_whole(tmp_path):
    for text in ("older", "new"):
        with atomic_folder(tmp_path / "store") as folder:
            assert os.listdir(folder) == []
            (folder / "about.json").write_text(text)
            (folder / text).touch()
    assert sorted(os.listdir(tmp_path / "store")) == ["about.json", "new"]
    assert os.listdir(tmp_path) == ["store"]


def test_after_an_error_nothing_has_changed(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError), atomic_folder(tmp_path / "empty") as folder:
        (folder / "half").touch()
        raise RuntimeError
    assert os.listdir(tmp_path) == ["empty"]
    assert os.listdir(tmp_path / "empty") == []


def test_what_is_no_store_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    (tmp_path / "file").touch()
    for name in ("mine", "file"):
        with pytest.raises(FileRefused, match="is there already"), atomic_folder(tmp_path / name):
            pytest.fail("nothing may be written")
    assert os.listdir(tmp_path / "mine") == ["thesis.txt"]
