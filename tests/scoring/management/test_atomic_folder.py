"""Folders under `-o` are written whole or not at all."""

import os

import pytest

from scoring.management.command_files import atomic_folder
from scoring.metrics.files import FileRefused


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
