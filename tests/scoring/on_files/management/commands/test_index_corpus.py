"""`manage.py index_corpus` without a database."""

import pytest
from django.core.management import call_command

from scoring.building.corpora import open_corpus


def test_a_text_becomes_a_store(tmp_path, capsys):
    text, store = tmp_path / "some.txt", tmp_path / "store"
    text.write_text("A cat.\nThe cat sat.\n")
    call_command("index_corpus", text, "-o", store)
    assert capsys.readouterr().out == f"2 sentences, 5 words (5 distinct) in {store}\n"
    call_command("index_corpus", text, "--tokenize", "words", "--lowercase", "-o", store)
    corpus = open_corpus(store)
    assert (corpus.tokenize, corpus.lowercase) == ("words", True)
    assert corpus.counts(["the cat", "Cat"]).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "store", "line"),
    [
        ("bad.txt", "store", "bad.txt:2: is not UTF-8; save the file as UTF-8."),
        ("none.txt", "store", "none.txt:0: cannot be read (No such file or directory)."),
        ("bad.txt", "none/store", "none/store:0: cannot be written (No such file or directory)."),
    ],
)
def test_bad_text_exits_with_2_and_leaves_nothing(tmp_path, refused, name, store, line):
    (tmp_path / "bad.txt").write_bytes(b"fine\nnot \xff\n")
    assert refused("index_corpus", tmp_path / name, "-o", tmp_path / store) == [
        f"{tmp_path}/{line}"
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]
