"""Groups of synonyms: the file, the store made of it, and what is refused."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.metrics.resources.synonyms import convert, load_synonyms, read_synonyms
from tests.scoring.metrics.refused import refused

FILE = "synonyms.tsv"
GOOD = "nation\tcountry\n\nheld  a concert\tplayed \tplayed\n국가\t나라\t국가\n"
GROUPS = (("nation", "country"), ("held a concert", "played"), ("국가", "나라"))
PHRASES = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5).map(
    lambda text: unicodedata.normalize("NFC", text)
)


def test_a_line_is_a_group(write):
    assert read_synonyms(write(GOOD)) == GROUPS
    assert read_synonyms(write(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())) == GROUPS


@given(st.lists(st.lists(PHRASES, min_size=2, max_size=4, unique=True), min_size=1, max_size=5))
def test_what_is_written_is_read(tmp_path_factory, groups):
    folder = tmp_path_factory.mktemp("any")
    (folder / "s.tsv").write_text("\n".join("\t".join(group) for group in groups), "utf-8")
    assert [list(group) for group in read_synonyms(folder / "s.tsv")] == groups
    counts = convert(folder / "s.tsv", folder / "store")
    assert counts == {"groups": len(groups), "phrases": sum(map(len, groups))}
    assert [list(group) for group in load_synonyms(str(folder / "store")).groups] == groups


@pytest.mark.parametrize(
    ("content", "problems"),
    [
        (
            "nation\n",
            ["synonyms.tsv:1: has 1 cells instead of 2 to 1000; separate them with tabs."],
        ),
        ("a\tb\na\t\tb\n", ["synonyms.tsv:2: has an empty cell; fill it in or delete the line."]),
        ("a\ta\n", ["synonyms.tsv:1: has only one phrase, twice; add a synonym."]),
        (b"a\t\xff\n", ["synonyms.tsv:1: is not UTF-8; save the file as UTF-8."]),
        ("a\tb\0\n", ["synonyms.tsv:1: holds a NUL character; take it out."]),
        (
            "",
            ["synonyms.tsv:0: has no synonyms; write two or more on a line, with tabs."],
        ),
    ],
)
def test_problems_name_file_and_line(write, content, problems):
    assert refused(read_synonyms, write(content)) == problems


def test_all_problems_are_named_together(write, tmp_path):
    path = write("one\na\tb\ntwo\n")
    assert [line.split(":")[1] for line in refused(convert, path, tmp_path / "s")] == ["1", "3"]
    assert not (tmp_path / "s" / "about.json").exists()


def test_a_file_that_never_ends_is_refused(write, monkeypatch):
    monkeypatch.setattr("scoring.metrics.resources.synonyms.MOST_PHRASES", 3)
    assert refused(read_synonyms, write("a\tb\nc\td\n")) == [
        "synonyms.tsv:2: has more than 3 phrases; shorten it."
    ]


def test_a_store_holds_nothing_but_json(write, tmp_path):
    convert(write(GOOD), tmp_path / "store")
    for path in (tmp_path / "store").iterdir():
        json.loads(path.read_text(encoding="utf-8"))
