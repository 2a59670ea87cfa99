"""Reading word vectors, beside gensim; stores on disk; what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import (
    convert,
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
    np.testing.assert_array_equal(found.lengths, vectors.lengths)
    assert vectors_sha256(str(store)) == vectors_sha256(str(random_file))


@pytest.mark.parametrize("name", ["about.json", "words.json", "vectors.npy", "lengths.npy"])
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


def test_lengths_that_belong_to_another_store_are_refused(random_file, tmp_path):
    store = tmp_path / "store"
    write_store(read_vectors(random_file), store, source_sha256="0" * 64)
    np.save(store / "lengths.npy", np.ones(1))
    with pytest.raises(FileRefused, match="do not belong together"):
        load_vectors(str(store))


def test_the_lengths_are_those_of_the_file(tmp_path):
    path = write_vectors(tmp_path / "v.txt", {"a": (3.0, 4.0), "0": (0.0, 0.0), "b": (0.0, 2.0)})
    found = read_vectors(path)
    assert found.lengths.tolist() == [5.0, 2.0]
    convert(path, tmp_path / "store")
    assert load_vectors(str(tmp_path / "store")).lengths.tolist() == [5.0, 2.0]


def test_a_store_of_an_earlier_version_has_no_lengths_and_is_read(random_file, tmp_path):
    store = tmp_path / "store"
    write_store(read_vectors(random_file), store, source_sha256="0" * 64)
    (store / "lengths.npy").unlink()
    found = load_vectors(str(store))
    assert found.lengths is None
    # Copied, it has none again.
    write_store(found, tmp_path / "copy", source_sha256="0" * 64)
    assert load_vectors(str(tmp_path / "copy")).lengths is None


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
