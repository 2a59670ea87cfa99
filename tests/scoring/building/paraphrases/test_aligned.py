"""Reading pairs of sentences with links by hand."""

import pytest

from scoring.building.paraphrases.parametric import read_aligned
from scoring.metrics.files import FileRefused


@pytest.fixture
def path(tmp_path):
    return tmp_path / "aligned.tsv"


def links(path, *, sure_only):
    found = read_aligned(path, sure_only=sure_only).links
    return list(
        zip(found.line.tolist(), found.english.tolist(), found.foreign.tolist(), strict=True)
    )


def test_sure_and_possible_links(path):
    path.write_text("a b\tc d\t0-1 1?0 1-1 0-1\n\ne\tf g\t0p1\nh\ti\t\n")
    assert links(path, sure_only=False) == [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1)]
    assert links(path, sure_only=True) == [(0, 0, 1), (0, 1, 1)]
    assert read_aligned(path).left == [["a", "b"], ["e"], ["h"]]
    assert read_aligned(path).right == [["c", "d"], ["f", "g"], ["i"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\tb\n", "1: should read sentence TAB sentence TAB links"),
        ("a\tb\t0-0\n \tb\t0-0\n", "2: has a sentence without words"),
        ("a\tb\t0:0\n", "1: 0:0 is no link"),
        ("a\tb\t0-1\n", r"1: The link 0-1 is beyond the words \(1 and 1\)"),
        ("a\tb\t1-0\n", "1: The link 1-0 is beyond"),
        ("\n", "0: has no pair"),
    ],
)
def test_what_is_refused(path, text, told):
    path.write_text(text)
    with pytest.raises(FileRefused, match=f"aligned.tsv:{told}"):
        read_aligned(path)
