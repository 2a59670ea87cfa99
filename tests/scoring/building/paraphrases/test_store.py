"""Stores of directed paraphrases."""

import numpy as np
import pytest

from scoring.building.paraphrases.counting import SpanLabels
from scoring.building.paraphrases.table import build_store, open_phrases, paraphrase, write_phrases
from scoring.metrics.files import FileRefused
from tests.scoring.building.paraphrases.linked import ENGLISH, FOREIGN, LINKS, as_linked

# "cat" of both sentences and "kitty" have label 1; "cat" of the first has label 0 too.
LABELS = SpanLabels(np.array([17, 17, 65, 81]), np.array([0, 1, 1, 1]))


@pytest.fixture
def folder(tmp_path):
    table = paraphrase([as_linked(ENGLISH, FOREIGN, LINKS, labels=LABELS)])
    write_phrases(build_store(table, ("X", "NN")), tmp_path / "store", source_sha256="0" * 64)
    return tmp_path / "store"


def test_paraphrases_are_found_by_phrase_and_label(folder):
    store = open_phrases(folder)
    assert store.best("a cat") == [("cat", 0.5), ("kitty", 0.25)]
    assert store.best("sat") == store.best("lion") == []
    assert store.labels_of("cat") == {"X": 1, "NN": 2}
    assert store.labels_of("a cat") == {}
    assert store.best_with("cat", "NN") == [("kitty", pytest.approx(1 / 3))]
    assert store.best_with("kitty", "NN") == [("cat", pytest.approx(2 / 3))]
    assert store.best_with("cat", "X") == store.best_with("cat", "VP") == []


@pytest.mark.parametrize("name", ["partners.npy", "about.json", "key_times.npy"])
def test_a_store_of_mixed_files_is_refused(folder, name):
    if name == "about.json":
        (folder / name).unlink()
    else:
        np.save(folder / name, np.array([0], dtype=np.int64))
    with pytest.raises(FileRefused, match="store again|with pivot --store"):
        open_phrases(folder)
