"""From a text file to a store."""

import pytest

from scoring.building.corpora import convert, index_corpus, open_corpus


def test_the_same_text_gives_the_same_bytes(tmp_path):
    source = tmp_path / "some.txt"
    source.write_text("b a\nb c a\n" * 50)
    found = []
    for name in ("one", "two"):
        index_corpus(source, tmp_path / name, lowercase=True)
        found.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert found[0] == found[1]
    assert sorted(found[0]) == [
        "about.json",
        "firsts.npy",
        "sa.npy",
        "starts.npy",
        "tokens.npy",
        "vocab-hashes.npy",
        "vocab-starts.npy",
        "vocab-text.npy",
    ]


def test_a_kind_of_resource_takes_the_text_as_it_is_and_tells_how_far_it_is(tmp_path):
    source, shares = tmp_path / "some.txt", [0.0]
    source.write_text("A cat. A dog.\n" * 10_000)
    assert convert(source, tmp_path / "store", progress=shares.append) == {
        "sentences": 10_000,
        "words": 40_000,
        "distinct": 3,
    }
    assert open_corpus(tmp_path / "store").counts(["A cat.", "cat"]).tolist() == [10_000, 0]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_an_unknown_tokenizer_is_named(tmp_path):
    with pytest.raises(ValueError, match="tokenize=nltk2 is not allowed"):
        index_corpus(tmp_path / "some.txt", tmp_path / "store", tokenize="nltk2")
