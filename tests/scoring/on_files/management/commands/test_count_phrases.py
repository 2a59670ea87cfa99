"""`manage.py count_phrases` without a database."""

from django.core.management import call_command

from scoring.building.corpora import index_corpus


def test_phrases_are_counted_and_bad_files_refused(tmp_path, reported, refused, capsys):
    text, store, path = (tmp_path / name for name in ("some.txt", "store", "phrases.txt"))
    text.write_text("the cat sat\n그 고양이 the cat\n", encoding="utf-8")
    index_corpus(text, store)
    path.write_text("the cat\n\nsat the\n고양이\nthe cat\nno dog\n", encoding="utf-8")
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
