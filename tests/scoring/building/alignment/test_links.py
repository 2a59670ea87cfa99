"""Links in the format of Pharaoh."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.building.alignment import link_line, links_of, read_links
from tests.scoring.metrics.refused import refused

ENGLISH = [["a", "b", "c"], [], ["d"]]
FOREIGN = [["x", "y"], ["z"], ["v", "w"]]


def read(folder, text):
    path = folder / "links"
    path.write_text(text, encoding="utf-8")
    return read_links(path, ENGLISH, FOREIGN)


def test_links_stand_by_line(tmp_path):
    links = read(tmp_path, "0-0 2-1  1-1 \n\n0-1\n")
    assert links.line.tolist() == [0, 0, 0, 2]
    assert links.english.tolist() == [0, 2, 1, 0]
    assert links.foreign.tolist() == [0, 1, 1, 1]
    assert len(links) == 4


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("0-0 1\n-1-0\n0-0\n", [("1", "ENGLISH-FOREIGN, counted from 0"), ("2", "ENGLISH-")]),
        ("0-0\n\n", [("3", "has 2 lines and the text has 3;")]),
        ("\n" * 4, [("4", "has 4 lines and the text has 3;")]),
        ("0-0 3-1\n\n\n", [("1", "The link 3-1 is beyond the words (3 English, 2 foreign);")]),
        ("1-1 3-2\n\n1-2\n", [("1", "The link 3-2 "), ("3", "The link 1-2 ")]),
        ("1-1 3-2\n\n1-2\n", [("1", "looks 1-based"), ("3", "looks 1-based")]),
    ],
)
def test_problems_are_told_by_line(tmp_path, text, problems):
    lines = refused(read, tmp_path, text)
    for found, (number, message) in zip(lines, problems, strict=True):
        assert found.startswith(f"links:{number}: ") and message in found


LINE = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True, max_size=12)


@given(st.lists(LINE, min_size=1, max_size=6))
def test_what_is_written_is_read_again(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("links") / "links"
    path.write_text("".join(f"{link_line(pair)}\n" for pair in pairs), encoding="utf-8")
    side = [["w"] * 10 for _ in pairs]
    found, given_ = read_links(path, side, side), links_of([sorted(pair) for pair in pairs])
    for name in ("line", "english", "foreign"):
        assert getattr(found, name).tolist() == getattr(given_, name).tolist()
