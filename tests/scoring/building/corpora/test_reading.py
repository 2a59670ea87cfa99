"""Reading of plain text into numbers of words."""

from __future__ import annotations

from pathlib import Path

from scoring.building.corpora.reading import read_numbered
from tests.scoring.metrics.refused import refused


def told(path: Path) -> list[str]:
    return refused(lambda: read_numbered(path, str.split, progress=lambda share: None))


def test_words_are_numbered_and_blank_lines_are_sentences(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes("\ufeffa b a\r\n\n \nb 한국어\nlast".encode())
    text = read_numbered(path, str.split, progress=lambda share: None)
    assert text.words == ["a", "b", "한국어", "last"]
    assert text.tokens.tolist() == [1, 2, 1, 0, 0, 0, 2, 3, 0, 4, 0]
    assert text.sentences == 5


def test_words_are_compared_in_nfc(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("cafe\u0301 caf\u00e9\n", encoding="utf-8")
    text = read_numbered(path, str.split, progress=lambda share: None)
    assert text.words == ["caf\u00e9"]


def test_problems_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_bytes(b"good\n\xff\nnul\0\n")
    assert told(path) == [
        "some.txt:2: is not UTF-8; save the file as UTF-8.",
        "some.txt:3: holds a NUL character; take it out.",
    ]
    path.write_bytes(b"good\n" + b"a " * 600_000)
    assert told(path) == ["some.txt:2: is over 1000000 bytes; break the line."]
    path.write_text(" \n\n")
    assert told(path) == ["some.txt:0: has no words; write one sentence a line."]
    path.unlink()
    assert told(path) == ["some.txt:0: cannot be read (No such file or directory)."]


def test_reserved_words_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text("a <s> b\n")
    (line,) = refused(
        lambda: read_numbered(
            path, str.split, progress=lambda share: None, reserved=frozenset({"<s>"})
        )
    )
    assert line.startswith("some.txt:1: has the word <s>")


def test_progress_rises_to_the_end_of_a_long_text(tmp_path: Path) -> None:
    path, shares = tmp_path / "some.txt", [0.0]
    path.write_text("a b\n" * 20_000)
    read_numbered(path, str.split, progress=shares.append)
    assert len(shares) == 5
    assert shares == sorted(shares)
    assert 0.8 < shares[-1] <= 1
