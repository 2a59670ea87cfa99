"""`manage.py count_phrases` without a database."""

import pytest
from django.core.management import call_command

from scoring.building.corpora import index_corpus, open_corpus


def test_phrases_are_counted_and_bad_files_refused(tmp_path, reported, refused, capsys):
    text, store, path = (tmp_path / name for name in ("some.txt", "store", "phrases.txt"))
    text.write_text("the cat sat\n그 고양이 the cat\n", "utf-8")
    index_corpus(text, store)
    path.write_text("the cat\n\nsat the\n고양이\nthe cat\nno dog\n", "utf-8")
    assert reported("count_phrases", store, path) == {
        "counts": {"the cat": 2, "sat the": 0, "고양이": 1, "no dog": 0}
    }
    call_command("count_phrases", store, path)
    assert capsys.readouterr().out == "2\tthe cat\n0\tsat the\n1\t고양이\n0\tno dog\n"
    path.write_bytes(b"fine\nnot \xff\n")
    assert refused("count_phrases", store, path) == [
        f"{path}:2: is not UTF-8; save the file as UTF-8."
    ]
    assert refused("count_phrases", tmp_path, path) == [
        f"{tmp_path}:0: is not a store of a corpus; create it with index_corpus."
    ]


# `manage.py index_corpus` without a database.


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
