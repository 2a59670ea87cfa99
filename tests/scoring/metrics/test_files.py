"""Files that metrics need: options that name them, reading them line by line, their SHA-256."""

import hashlib
import io
import os
from pathlib import Path

import pytest

from scoring.metrics import files
from scoring.metrics.files import FileOption, FileRefused, Problems

VECTORS = FileOption("vectors", "", "Word vectors.", kind="vectors")


def test_an_option_names_a_file_that_is_there(tmp_path):
    path = tmp_path / "some.txt"
    path.touch()
    assert VECTORS.read("toy", f" {path} ") == str(path)
    with pytest.raises(ValueError, match="vectors=FILE is missing. Word vectors"):
        VECTORS.read("toy", "")
    with pytest.raises(FileRefused, match="there is no such file; check toy's vectors="):
        VECTORS.read("toy", tmp_path / "other.txt")


def test_an_option_that_may_go_without_a_file():
    assert FileOption("synonyms", files.NONE, "Synonyms.").read("toy", "none") == "none"


def test_lines_are_nfc_without_mark_and_end_and_blank_ones_are_passed_over(tmp_path):
    path = tmp_path / "some.txt"
    path.write_bytes("\ufeffcafe\u0301\r\n \n\nlast".encode())
    assert list(files.text_lines(path, Problems(path))) == [(1, "caf\u00e9"), (4, "last")]


def test_problems_name_their_lines_together(tmp_path):
    path = tmp_path / "some.tsv"
    path.write_bytes(b"a\tb\n\xff\nnul\0\tb\none\na\t \nc\td\n")
    problems = Problems(path)
    assert list(files.table_rows(path, problems, least=2, most=2)) == [
        (1, ["a", "b"]),
        (6, ["c", "d"]),
    ]
    with pytest.raises(FileRefused) as refused:
        problems.check()
    found = [line.removeprefix(f"{path}:").split(";")[0] for line in refused.value.lines]
    assert found == [
        "2: is not UTF-8",
        "3: holds a NUL character",
        "4: has 1 cells instead of 2",
        "5: has an empty cell",
    ]


def test_reading_ends_after_many_problems(tmp_path):
    path = tmp_path / "some.tsv"
    path.write_text("one\n" * 1000)
    with pytest.raises(FileRefused) as refused:
        list(files.table_rows(path, Problems(path), least=2, most=3))
    assert len(refused.value.lines) == files.MOST_PROBLEMS


def test_a_line_without_an_end_is_refused():
    stream = io.BytesIO(b"x" * (files.LONGEST_LINE + 1))
    with pytest.raises(FileRefused, match="some.txt:1: is over 1000000 bytes"):
        list(files.byte_lines(stream, Path("some.txt")))


def test_the_hash_is_read_again_after_a_change(tmp_path):
    path = tmp_path / "some.txt"
    for text in (b"one", b"two!"):
        path.write_bytes(text)
        assert files.sha256(path) == hashlib.sha256(text).hexdigest()
    path.unlink()
    with pytest.raises(FileRefused, match=f"cannot be read .{os.strerror(2)}."):
        files.sha256(path)
