"""Files under `-o` are written whole or not at all."""

import os
import threading

import pytest

from scoring.management.command_files import atomic_file


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
