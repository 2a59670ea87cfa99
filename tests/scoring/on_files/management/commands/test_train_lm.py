"""`manage.py train_lm` without a database."""

import pytest
from django.core.management import call_command

from scoring.metrics.resources.arpa import read_arpa
from scoring.metrics.resources.vectors import read_vectors
from tests.scoring.on_files.calls import rows


def test_a_text_becomes_a_model_and_fallbacks_are_told(tmp_path, capsys):
    text, model = tmp_path / "some.txt", tmp_path / "m.arpa"
    text.write_text("the cat sat\nthe dog sat\n")
    call_command("train_lm", text, "--order", "2", "-o", model)
    assert capsys.readouterr().out.splitlines() == [
        f"2 sentences, {model}",
        "1-grams: 7, discounts 0.5000 1.0000 1.5000 (too few n-grams to estimate them)",
        "2-grams: 6, discounts 0.5000 1.0000 1.5000 (too few n-grams to estimate them)",
    ]
    assert read_arpa(model).model.order == 2
    call_command("train_lm", text, "--prune", "0", "1", "-o", model)
    # `<s> the` and `sat </s>` occur twice, nothing longer does.
    assert [len(level) for level in read_arpa(model).model.levels] == [7, 2, 0]


# `manage.py train_vectors` without a database.


def test_a_text_becomes_vectors_that_metrics_read(tmp_path, capsys):
    text, out = tmp_path / "some.txt", tmp_path / "v.txt"
    text.write_text("the cat sat\nthe dog sat\n" * 5)

    def trained(*more):
        call_command("train_vectors", text, "--size", "4", "-o", out, *more)
        return out.read_bytes()

    first = trained()
    assert capsys.readouterr().out.splitlines() == [
        f"4 words of 4 values in {out}, trained on 30 words in 10 sentences"
    ]
    vectors = read_vectors(out)
    assert set(vectors.rows) == {"the", "sat", "cat", "dog"}
    assert vectors.matrix.shape == (4, 4)
    assert trained() == first != trained("--seed", "2")


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ([], "{text}:2: is not UTF-8; save the file as UTF-8."),
        (["--size", "0"], "--size: is 0; use 1 to 1000."),
        (["--min-count", "0"], "--min-count: is 0; use 1 to 1000000000."),
        (["--seed", "-1"], "--seed: is -1; use 0 to 4294967295."),
        (["-o", "{text}"], "{text}:0: is the text itself; give -o another name."),
        (["-o", "v.bin"], "v.bin:0: would be read as a binary file; name it v.txt."),
    ],
)
def test_bad_input_exits_with_2(more, line, tmp_path, refused):
    text = tmp_path / "bad.txt"
    text.write_bytes(b"fine\nnot \xff\n")
    given = (part.format(text=text) for part in more)
    assert refused("train_vectors", text, "-o", tmp_path / "v.txt", *given) == [
        line.format(text=text)
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]


# `manage.py neighbours` without a database.


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
