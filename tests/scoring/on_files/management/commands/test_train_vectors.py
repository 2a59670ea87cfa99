"""`manage.py train_vectors` without a database."""

import pytest
from django.core.management import call_command

from scoring.metrics.resources.vectors import read_vectors


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
