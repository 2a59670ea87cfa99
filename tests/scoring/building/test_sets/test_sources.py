"""Sources of paraphrases that are files."""

import pytest

from scoring.building.test_sets.building import open_source
from scoring.metrics.files import FileRefused


def test_a_file_gives_the_best_first_and_only_what_is_asked(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a b\tx\t0.2\na b\ty\t0.5\na  b\tx\t0.3\na b\ta b\t0.9\nc\td\t1\n")
    source = open_source(path, {"a b"})
    assert source.best("a b") == [("y", 0.5), ("x", 0.3)]
    assert source.best("c") == []
    assert (source.labels, source.labels_of("a b"), source.best_with("a b", "NP")) == ((), {}, [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\tb\n", "table.tsv:1: has 2 cells instead of 3"),
        ("a\tb\t0.1\na\tb\t0\n", "table.tsv:2: 0 is not a probability"),
        ("a\tb\tnan\n", "table.tsv:1: nan is not a probability"),
        ("a\tb\tp\n", "table.tsv:1: p is not a probability"),
        ("\n", "table.tsv:0: has no paraphrase"),
    ],
)
def test_what_is_no_table_is_told(tmp_path, text, says):
    path = tmp_path / "table.tsv"
    path.write_text(text)
    with pytest.raises(FileRefused, match=says):
        open_source(path, {"a"})
