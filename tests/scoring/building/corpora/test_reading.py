"""Reading of plain text into numbers of words."""

import pytest

from scoring.building.corpora import read_numbered
from tests.scoring.metrics.refused import refused


@pytest.fixture
def path(tmp_path):
    return tmp_path / "some.txt"


def read(path, reserved=frozenset()):
    return read_numbered(path, str.split, progress=lambda share: None, reserved=reserved)


def test_words_are_numbered_and_blank_lines_are_sentences(path):
    path.write_bytes("\ufeffa b a\r\n\n \nb 한국어\nlast".encode())
    text = read(path)
    assert text.words == ["a", "b", "한국어", "last"]
    assert text.tokens.tolist() == [1, 2, 1, 0, 0, 0, 2, 3, 0, 4, 0]
    assert text.sentences == 5


def test_words_are_compared_in_nfc(path):
    path.write_text("cafe\u0301 caf\u00e9\n", encoding="utf-8")
    assert read(path).words == ["caf\u00e9"]


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (
            b"good\n\xff\nnul\0\n",
            ["2: is not UTF-8; save the file as UTF-8.", "3: holds a NUL character; take it out."],
        ),
        (b"good\n" + b"a " * 600_000, ["2: is over 1000000 bytes; break the line."]),
        (b" \n\n", ["0: has no words; write one sentence a line."]),
        (b"a <s> b\n", ["1: has the word <s>, which models use themselves; take it out."]),
    ],
)
def test_problems_name_file_and_line(path, content, problems):
    path.write_bytes(content)
    assert refused(read, path, frozenset({"<s>"})) == [f"some.txt:{line}" for line in problems]


def test_a_file_that_is_not_there_is_refused(path):
    assert refused(read, path) == ["some.txt:0: cannot be read (No such file or directory)."]


def test_progress_rises_to_the_end_of_a_long_text(path):
    shares = [0.0]
    path.write_text("a b\n" * 20_000)
    read_numbered(path, str.split, progress=shares.append)
    assert len(shares) == 5
    assert shares == sorted(shares)
    assert 0.8 < shares[-1] <= 1
