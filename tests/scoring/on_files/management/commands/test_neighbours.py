"""`manage.py neighbours` without a database."""

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
