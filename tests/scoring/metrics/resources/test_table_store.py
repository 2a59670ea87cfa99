"""A paraphrase table as arrays: found by phrase, mapped from disk, shared between processes."""

import json

import numpy as np
import pytest

from scoring.metrics.resources.table import DIRECTED, convert, load_table
from tests.scoring.metrics.resources.tables import pairs_of

FILE = "table.txt"


def quiet(share):
    assert 0 <= share <= 1


def test_places_of_phrases_in_a_text(write):
    table = load_table(str(write("in the end\tfinally\nthe\ta\nend of\tlast\n")))
    words = ["In", "the", ",", "end", "of", "the", "the", "!"]
    found = {table.phrases[phrase]: places for phrase, places in table.spans(words).items()}
    # A place begins and ends with a word, and passes over the marks inside.
    assert found == {"in the end": [(0, 4)], "the": [(1, 2), (5, 6), (6, 7)], "end of": [(3, 5)]}


@pytest.fixture
def store(write, tmp_path):
    path = write("".join(f"word {n}\tword {n + 1}\t{n / 200}\n" for n in range(150)))
    counts = convert(path, tmp_path / "store", progress=quiet)
    assert counts == {"phrases": 151, "pairs": 150, "skipped": 0}
    return path, tmp_path / "store"


def test_a_store_holds_the_same_and_is_mapped(store):
    path, folder = store
    plain, found = load_table(str(path)), load_table(str(folder))
    assert pairs_of(found) == pairs_of(plain)
    for array in (found.partners, found.phrases.text, found.phrases.hashes):
        assert isinstance(array.base, np.memmap)
        assert not array.flags.writeable
    # Beside the arrays only the rows as they came, with their direction.
    others = {name.name for name in folder.iterdir() if name.suffix not in (".npy", ".json")}
    assert others <= {DIRECTED}


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_partners_of_several_phrases(store, share):
    table = load_table(str(store[1]))
    ids = table.phrases.find(["word 60", "word 61", "word 9"])
    partners, owners = table.partners_of(ids, share)
    assert list(partners) == sorted(partners)
    found = {
        (table.phrases[one], table.phrases[other])
        for one, other in zip(partners, owners, strict=True)
    }
    # The probability of word n and word n + 1 is n / 200: that of 60 and 61 is the limit.
    likely = {("word 61", "word 60"), ("word 60", "word 61"), ("word 62", "word 61")}
    rare = {("word 59", "word 60"), ("word 8", "word 9"), ("word 10", "word 9")}
    assert found == (likely if share else likely | rare)


def test_a_store_of_another_file_is_another_table(store, write, tmp_path):
    # The sum of a store is that of its file, so a worker that kept the old one reads anew.
    before = load_table(str(store[1]))
    other = write("one\ttwo\n", "other.txt")
    convert(other, tmp_path / "second", progress=quiet)
    assert json.loads((tmp_path / "second" / "about.json").read_text())["pairs"] == 1
    assert load_table(str(tmp_path / "second")).phrases.find(["one"]) != [-1]
    assert load_table(str(store[1])) is before
