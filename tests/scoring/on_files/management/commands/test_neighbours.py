"""`manage.py neighbours` without a database."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from django.core.management import call_command

VECTORS = "5 2\nmovie 1 0\nfilm .99 .1\nshow .95 .2\nflick .9 .3\nfar -1 .1\n"


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text(VECTORS)
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text("A movie !\n\n=movie is unknown\nMOVIE\nnothing\n")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_paraphrases_are_pairs_that_score_takes(
    vectors: Path, text: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    call_command("neighbours", str(vectors), str(text), "--variant", "pg2", "-o", str(out))
    told = capsys.readouterr()
    assert told.out.splitlines() == ["PG2: 4 texts, 2 of 7 words replaced"]
    assert told.err.splitlines() == [
        f"{text}:0: warning: only 29% of the words have a vector; check the language, case and "
        "--tokenize of the vectors."
    ]
    found = rows(out)
    assert list(found[0]) == ["id", "original", "paraphrase", "system"]
    assert [(row["id"], row["paraphrase"]) for row in found] == [
        ("1", "A show !"),
        ("3", "'=movie is unknown"),
        ("4", "SHOW"),
        ("5", "nothing"),
    ]
    assert {row["system"] for row in found} == {"PG2"}
    scores = tmp_path / "scores.csv"
    call_command("score", str(out), "--metric", "pinc:max_n=1", "-o", str(scores))
    assert [row["pinc:max_n=1"] for row in rows(scores)][2:] == ["1.0", "0.0"]
    first = out.read_bytes()
    call_command("neighbours", str(vectors), str(text), "--variant", "pg2", "-o", str(out))
    assert out.read_bytes() == first


def test_several_variants_make_a_row_each(vectors: Path, text: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    call_command(
        "neighbours", str(vectors), str(text), "--variant", "pg1", "pg3", "--variant", "pg1",
        "--tokenize", "words", "-o", str(out),
    )  # fmt: skip
    found = rows(out)
    assert [row["id"] for row in found[:4]] == ["1-pg1", "1-pg3", "3-pg1", "3-pg3"]
    assert [row["paraphrase"] for row in found[2:4]] == [
        "'=film is unknown",
        "'=flick is unknown",
    ]


@pytest.mark.parametrize(
    ("vectors_text", "text_bytes", "more", "told"),
    [
        (VECTORS, b"fine\n\xff\n", [], "{text}:2: is not UTF-8; save the file as UTF-8."),
        (VECTORS, b"\n \n", [], "{text}:0: has no text; write one sentence a line."),
        (VECTORS, b"zebra\n", [], "{text}:0: has no word with a vector in {vectors}; check the "
         "language, case and --tokenize of the vectors."),
        ("a 1\nb 2\nc 3\n", b"a\n", [], "{vectors}:0: has 3 words; at least 4 are needed."),
        ("2 2\na 1 0\nb 1\n", b"a\n", [], "{vectors}:3: has 1 values instead of 2; is it word2vec "
         "text?"),
        (VECTORS, b"movie\n", ["--min-cosine", "2"], "--min-cosine: a cosine is from -1 to 1."),
        (VECTORS, b"movie\n", ["-o", "{text}"], "{text}:0: is a file to be read; give -o another "
         "name."),
    ],
)  # fmt: skip
def test_bad_input_exits_with_2(
    vectors_text: str, text_bytes: bytes, more: list[str], told: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    vectors, text, out = tmp_path / "v.txt", tmp_path / "t.txt", tmp_path / "out.csv"
    vectors.write_text(vectors_text)
    text.write_bytes(text_bytes)
    names = {"text": text, "vectors": vectors}
    with pytest.raises(SystemExit) as stop:
        call_command(
            "neighbours", str(vectors), str(text), "--variant", "pg1", "-o", str(out),
            *(part.format(**names) for part in more),
        )  # fmt: skip
    assert stop.value.code == 2
    assert capsys.readouterr().err.splitlines() == [told.format(**names)]
    assert not out.exists()
