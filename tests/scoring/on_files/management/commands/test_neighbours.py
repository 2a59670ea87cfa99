"""`manage.py neighbours` without a database."""

import pytest
from django.core.management import call_command

from tests.scoring.on_files.calls import rows

VECTORS = "5 2\nmovie 1 0\nfilm .99 .1\nshow .95 .2\nflick .9 .3\nfar -1 .1\n"
TEXT = b"A movie !\n\n=movie is unknown\nMOVIE\nnothing\n"


def files_in(folder, vectors=VECTORS, text=TEXT):
    """Files of vectors and of a text."""
    (folder / "v.txt").write_text(vectors)
    (folder / "t.txt").write_bytes(text)
    return folder / "v.txt", folder / "t.txt"


def test_paraphrases_are_pairs_that_score_takes(tmp_path, capsys):
    vectors, text = files_in(tmp_path)
    out, scores = tmp_path / "out.csv", tmp_path / "scores.csv"
    command = ("neighbours", vectors, text, "--variant", "pg2", "-o", out)
    call_command(*command)
    printed = capsys.readouterr()
    assert printed.out == "PG2: 4 texts, 2 of 7 words replaced\n"
    assert printed.err.splitlines() == [
        f"{text}:0: warning: only 29% of the words have a vector; check the language, case and "
        "--tokenize of the vectors."
    ]
    assert list(rows(out)[0]) == ["id", "original", "paraphrase", "system"]
    assert [(row["id"], row["paraphrase"], row["system"]) for row in rows(out)] == [
        ("1", "A show !", "PG2"),
        ("3", "'=movie is unknown", "PG2"),
        ("4", "SHOW", "PG2"),
        ("5", "nothing", "PG2"),
    ]
    call_command("score", out, "--metric", "pinc:max_n=1", "-o", scores)
    assert [row["pinc:max_n=1"] for row in rows(scores)][2:] == ["1.0", "0.0"]
    first = out.read_bytes()
    call_command(*command)
    assert out.read_bytes() == first


def test_several_variants_make_a_row_each(tmp_path):
    out = tmp_path / "out.csv"
    call_command(
        "neighbours",
        *files_in(tmp_path),
        "--variant",
        "pg1",
        "pg3",
        "--variant",
        "pg1",
        "--tokenize",
        "words",
        "-o",
        out,
    )
    assert [row["id"] for row in rows(out)[:4]] == ["1-pg1", "1-pg3", "3-pg1", "3-pg3"]
    assert [row["paraphrase"] for row in rows(out)[2:4]] == [
        "'=film is unknown",
        "'=flick is unknown",
    ]


@pytest.mark.parametrize(
    ("vectors", "text", "more", "line"),
    [
        (VECTORS, b"fine\n\xff\n", [], "{text}:2: is not UTF-8; save the file as UTF-8."),
        (VECTORS, b"\n \n", [], "{text}:0: has no text; write one sentence a line."),
        (
            VECTORS,
            b"zebra\n",
            [],
            "{text}:0: has no word with a vector in {vectors}; check the "
            "language, case and --tokenize of the vectors.",
        ),
        ("a 1\nb 2\nc 3\n", b"a\n", [], "{vectors}:0: has 3 words; at least 4 are needed."),
        (
            "2 2\na 1 0\nb 1\n",
            b"a\n",
            [],
            "{vectors}:3: has 1 values instead of 2; is it word2vec text?",
        ),
        (VECTORS, TEXT, ["--min-cosine", "2"], "--min-cosine: a cosine is from -1 to 1."),
        (VECTORS, TEXT, ["-o", "{text}"], "{text}:0: is a file to be read; give -o another name."),
    ],
)
def test_bad_input_exits_with_2(vectors, text, more, line, tmp_path, refused):
    files = files_in(tmp_path, vectors, text)
    names = dict(zip(("vectors", "text"), files, strict=True))
    out = tmp_path / "out.csv"
    given = (part.format(**names) for part in more)
    assert refused("neighbours", *files, "--variant", "pg1", "-o", out, *given) == [
        line.format(**names)
    ]
    assert not out.exists()
