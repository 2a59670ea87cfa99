"""Reading word vectors, beside gensim; stores on disk; what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import (
    load_vectors,
    read_vectors,
    vectors_sha256,
    write_store,
)
from tests.scoring.metrics.vector_files import write_vectors


def test_a_store_is_mapped_and_keeps_values_and_signature(random_file, tmp_path):
    store = tmp_path / "store"
    vectors = read_vectors(random_file)
    write_store(vectors, store, source_sha256=vectors_sha256(str(random_file)))
    found = load_vectors(str(store))
    assert isinstance(found.matrix.base, np.memmap)
    assert not found.matrix.flags.writeable
    assert found.rows == vectors.rows
    np.testing.assert_array_equal(found.matrix, vectors.matrix)
    assert vectors_sha256(str(store)) == vectors_sha256(str(random_file))


@pytest.mark.parametrize("name", ["about.json", "words.json", "vectors.npy"])
def test_a_damaged_store_is_refused(random_file, tmp_path, name):
    store = tmp_path / "store"
    write_store(read_vectors(random_file), store, source_sha256="0" * 64)
    (store / name).write_bytes(b"[]")
    with pytest.raises(FileRefused, match="again"):
        load_vectors(str(store))


def test_a_store_whose_files_do_not_belong_together_is_refused(random_file, tmp_path):
    store = tmp_path / "store"
    write_store(read_vectors(random_file), store, source_sha256="0" * 64)
    (store / "words.json").write_text(json.dumps(["one"]))
    with pytest.raises(FileRefused, match="do not belong together"):
        load_vectors(str(store))


def test_a_pickle_is_never_opened(random_file, tmp_path):
    store = tmp_path / "store"
    write_store(read_vectors(random_file), store, source_sha256="0" * 64)
    np.save(store / "vectors.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(FileRefused, match="damaged"):
        load_vectors(str(store))


def test_a_changed_file_is_read_again(tmp_path):
    path = write_vectors(tmp_path / "v.txt", {"a": (1.0, 0.0)})
    assert "b" not in load_vectors(str(path)).rows
    write_vectors(path, {"a": (1.0, 0.0), "b": (0.0, 1.0)})
    assert "b" in load_vectors(str(path)).rows
