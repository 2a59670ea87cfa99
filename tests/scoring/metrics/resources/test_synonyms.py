"""Groups of synonyms: the file, the store made of it, and what is refused."""

import json
import subprocess
import sys

import pytest

from scoring.metrics import create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.synonyms import VARIABLE, convert, read_synonyms
from tests.scoring.metrics.refused import refused
from tests.scoring.metrics.wordnet_files import VOCABULARY, meteor, wordnet_is_here, write_wordnet

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
        json.loads(path.read_text("utf-8"))


# Synonyms from the files of WordNet (Miller 1995), read where they lie.


def test_without_wordnet_it_says_what_to_do(nowhere):
    (nowhere / "data" / "wordnet").mkdir(parents=True)
    said = (
        "WordNet is not on this machine: install Debian's package wordnet-base, run `manage.py "
        "stage_wordnet FOLDER`, or set PARAANNO_WORDNET to its folder."
    )
    for lookup in ("stems", "words"):
        with pytest.raises(ValueError, match=said):
            create("meteor", {"lookup": lookup})
    assert str(create("meteor").remark).endswith(f"{said.removesuffix('.')}.")


def test_the_folder_of_the_variable_comes_first(nowhere, monkeypatch):
    write_wordnet(nowhere / "data" / "wordnet", "3.0")
    assert "|wordnet=3.0" in str(create("meteor").signature())
    monkeypatch.setenv(VARIABLE, str(write_wordnet(nowhere / "other", "3.1")))
    assert "|wordnet=3.1" in str(create("meteor").signature())
    assert meteor("hop", "leapt").value == 0.5


def test_a_folder_without_wordnet_is_refused(nowhere, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(nowhere))
    with pytest.raises(FileRefused, match=r":0: has no data.noun; name a folder with WordNet"):
        create("meteor")


def test_files_that_do_not_belong_together_are_refused(nowhere, monkeypatch):
    folder = write_wordnet(nowhere / "other")
    monkeypatch.setenv(VARIABLE, str(folder))
    (folder / "index.verb").write_text("hop v 1 0 1 0 00000007\n")
    with pytest.raises(FileRefused, match=r"data.verb:0: does not belong to its index"):
        meteor("leap", "hop")
    (folder / "data.adj").write_text("nothing\n")
    with pytest.raises(FileRefused, match=r"data.adj:0: gives no version of WordNet"):
        create("meteor").signature()
    (folder / "index.noun").write_bytes(b"\xff\xfe")
    with pytest.raises(FileRefused, match=r"index.noun:0: cannot be read"):
        create("meteor").load()


@wordnet_is_here
def test_processes_may_share_it_after_a_fork():
    code = f"""
import os
from scoring.metrics.resources.synonyms import DEBIAN, WordNet
own, words = WordNet(DEBIAN), {VOCABULARY * 20}
alone = [own.synonyms(word) for word in words]
children = []
for _ in range(4):
    child = os.fork()
    if not child:
        os._exit([own.synonyms(word) for word in words] != alone)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0, 0, 0, 0]"
