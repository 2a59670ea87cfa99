"""Groups of synonyms: the file, the store made of it, and what is refused."""

import json

import pytest

from scoring.metrics.resources.synonyms import convert, read_synonyms
from tests.scoring.metrics.refused import refused

FILE = "synonyms.tsv"
GOOD = "nation\tcountry\n\nheld  a concert\tplayed \tplayed\n국가\t나라\t국가\n"
GROUPS = (("nation", "country"), ("held a concert", "played"), ("국가", "나라"))


def test_a_line_is_a_group(write):
    assert read_synonyms(write(GOOD)) == GROUPS
    assert read_synonyms(write(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())) == GROUPS


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
