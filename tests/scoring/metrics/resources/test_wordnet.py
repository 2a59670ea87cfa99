"""Synonyms from the files of WordNet (Miller 1995), read where they lie."""

import subprocess
import sys

import pytest

from scoring.metrics import create
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.synonyms import VARIABLE
from tests.scoring.metrics.wordnet_files import VOCABULARY, meteor, wordnet_is_here, write_wordnet


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
