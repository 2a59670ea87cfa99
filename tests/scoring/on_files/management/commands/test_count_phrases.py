"""`manage.py count_phrases` without a database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from scoring.building.corpora import index_corpus


@pytest.fixture
def store(tmp_path: Path) -> str:
    (tmp_path / "some.txt").write_text("the cat sat\n그 고양이 the cat\n", encoding="utf-8")
    index_corpus(tmp_path / "some.txt", tmp_path / "store")
    return str(tmp_path / "store")


def test_phrases_are_counted(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text("the cat\n\nsat the\n고양이\nthe cat\nno dog\n", encoding="utf-8")
    call_command("count_phrases", store, str(path), "--json")
    assert json.loads(capsys.readouterr().out) == {
        "counts": {"the cat": 2, "sat the": 0, "고양이": 1, "no dog": 0}
    }
    call_command("count_phrases", store, str(path))
    assert capsys.readouterr().out == "2\tthe cat\n0\tsat the\n1\t고양이\n0\tno dog\n"


def test_bad_files_exit_with_2(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_bytes(b"fine\nnot \xff\n")
    for folder, told in (
        (store, f"{tmp_path}/bad.txt:2: is not UTF-8; save the file as UTF-8."),
        (str(tmp_path), f"{tmp_path}:0: is not a store of a corpus; create it with index_corpus."),
    ):
        with pytest.raises(SystemExit) as stop:
            call_command("count_phrases", folder, str(tmp_path / "bad.txt"))
        assert stop.value.code == 2
        assert capsys.readouterr().err == told + "\n"
