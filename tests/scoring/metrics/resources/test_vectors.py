"""Reading word vectors, beside gensim; stores on disk; what is refused."""

import numpy as np

from scoring.metrics.resources.vectors import (
    convert,
    load_vectors,
    read_vectors,
    vectors_sha256,
    write_store,
)
from tests.scoring.metrics.vector_files import write_vectors


def test_a_store_is_mapped_and_keeps_values_and_signature(random_file, tmp_path):
    vectors = read_vectors(random_file)
    write_store(vectors, tmp_path, source_sha256=vectors_sha256(str(random_file)))
    found = load_vectors(str(tmp_path))
    assert isinstance(found.matrix.base, np.memmap)
    assert not found.matrix.flags.writeable
    assert found.rows == vectors.rows
    np.testing.assert_array_equal(found.matrix, vectors.matrix)
    np.testing.assert_array_equal(found.lengths, vectors.lengths)
    assert vectors_sha256(str(tmp_path)) == vectors_sha256(str(random_file))


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
