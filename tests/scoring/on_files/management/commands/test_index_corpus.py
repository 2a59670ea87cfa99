"""`manage.py index_corpus` without a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.building.corpora import open_corpus


def test_a_text_becomes_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, store = tmp_path / "some.txt", tmp_path / "store"
    text.write_text("A cat.\nThe cat sat.\n")
    call_command("index_corpus", str(text), "-o", str(store))
    assert capsys.readouterr().out == f"2 sentences, 5 words (5 distinct) in {store}\n"
    call_command("index_corpus", str(text), "--tokenize", "words", "--lowercase", "-o", str(store))
    corpus = open_corpus(store)
    assert (corpus.tokenize, corpus.lowercase) == ("words", True)
    assert corpus.counts(["the cat", "Cat"]).tolist() == [1, 2]


def test_bad_text_exits_with_2_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_bytes(b"fine\nnot \xff\n")
    for name, store, told in (
        ("bad.txt", "store", "bad.txt:2: is not UTF-8; save the file as UTF-8."),
        ("none.txt", "store", "none.txt:0: cannot be read (No such file or directory)."),
        ("bad.txt", "none/store", "none/store:0: cannot be written (No such file or directory)."),
    ):
        with pytest.raises(SystemExit) as stop:
            call_command("index_corpus", str(tmp_path / name), "-o", str(tmp_path / store))
        assert stop.value.code == 2
        assert capsys.readouterr().err == f"{tmp_path}/{told}\n"
        assert [path.name for path in tmp_path.iterdir()] == ["bad.txt"]
