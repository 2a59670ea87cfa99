"""The kind `parses`."""

import pytest

from scoring.building.labels import convert, parses_file
from scoring.metrics.files import FileRefused

TREES = "(S (NP (D the) (N cat)) (VP (V sat)))\n\n(NP (D a) (N dog))\n"


def test_trees_are_counted_and_kept(tmp_path):
    source, store = tmp_path / "given.txt", tmp_path / "store"
    source.write_text(TREES)
    store.mkdir()
    assert convert(source, store, progress=lambda share: None) == {"trees": 2, "parsed": 5}
    assert parses_file(store).read_text() == TREES
    assert parses_file(source) == source


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("(S (W a)\n", r"given.txt:1: character"),
        ("\n\n", "has no tree"),
        ("1\ta\n", "instead of the 10 of CoNLL-U"),
    ],
)
def test_what_is_wrong_is_named(content, said, tmp_path):
    source = tmp_path / "given.txt"
    source.write_text(content)
    (tmp_path / "store").mkdir()
    with pytest.raises(FileRefused, match=said):
        convert(source, tmp_path / "store", progress=lambda share: None)
