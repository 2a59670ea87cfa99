"""Readers of word vector files: blocks of words with a float32 matrix as in the file."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import (
    convert,
    load_vectors,
    read_vectors,
    vectors_sha256,
    write_store,
)
from tests.scoring.metrics.vector_files import write_vectors

FILE = "v.txt"
CUT = "the file is truncated or has been changed"
NOT_BINARY = (
    "is not a binary word2vec file: its first line does not give the numbers of words and values; "
    "a text file must not be called .bin"
)


@settings(max_examples=30)
@given(st.data())
def test_a_binary_file_is_read_as_gensim_reads_it(data):
    count, size = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 5))
    words = data.draw(
        st.lists(
            st.text("abcé한", min_size=1, max_size=4), min_size=count, max_size=count, unique=True
        )
    )
    values = np.random.default_rng(count * size).normal(size=(count, size)).astype("<f4")
    line_end = data.draw(st.sampled_from([b"", b"\n"]))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "v.bin"
        rows = zip(words, values, strict=True)
        body = b"".join(word.encode() + b" " + row.tobytes() + line_end for word, row in rows)
        path.write_bytes(f"{count} {size}\n".encode() + body)
        theirs = KeyedVectors.load_word2vec_format(str(path), binary=True)
        found = read_vectors(path)
        assert list(found.rows) == theirs.index_to_key
        np.testing.assert_allclose(found.matrix, theirs.get_normed_vectors(), atol=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda whole: whole[:-3], f"declares 3 words, but 2 follow; {CUT}"),
        (lambda whole: whole[:20], f"declares 3 words, but at most 0 follow; {CUT}"),
        (
            lambda whole: whole.replace(b"3 4", b"9999999999 4"),
            f"declares 9999999999 words, but at most 3 follow; {CUT}",
        ),
        (lambda whole: whole.replace(b"3 4", b"3 99999"), NOT_BINARY),
        (
            lambda whole: whole.replace(b"3 4", b"2 4"),
            "continues after the 2 words declared in its first line; the file has been changed",
        ),
        (lambda whole: whole.replace(b"w1", b"\xff1"), "word 2 is not UTF-8"),
        (
            lambda whole: whole[:-4] + b"\0\0\xc0\x7f",
            "a vector holds a value that is not a finite number",
        ),
        (lambda whole: b"1 1\n" + b"x" * 40_000, f"declares 1 words, but 0 follow; {CUT}"),
        (lambda whole: b"no vectors", NOT_BINARY),
    ],
)
def test_a_damaged_binary_file_is_refused(change, message, tmp_path):
    rows = np.arange(1, 13, dtype="<f4").reshape(3, 4)
    body = b"".join(f"w{at} ".encode() + row.tobytes() for at, row in enumerate(rows))
    path = tmp_path / "v.bin"
    path.write_bytes(change(b"3 4\n" + body))
    with pytest.raises(FileRefused, match=message):
        read_vectors(path)


def test_the_same_unit_vectors_as_gensim(random_file):
    found = read_vectors(random_file)
    theirs = KeyedVectors.load_word2vec_format(str(random_file))
    assert list(found.rows) == theirs.index_to_key
    np.testing.assert_allclose(found.matrix, theirs.get_normed_vectors(), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.matrix, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(
    "content",
    [
        "2 2\na 3 4\nb 0 2\n",
        "a 3 4\nb 0 2\n",  # GloVe: no header.
        "2 2 \na 3 4 \nb 0 2 \n",  # fastText: a blank at the end.
        "\ufeff2 2\r\na 3 4\r\nb 0 2\r\n",
        "\ufeffa 3 4\nb 0 2",
        "3 2\na 3 4\nzero 0 0\nb 0 2\n",  # A zero vector has no direction.
        "3 2\na 3 4\na 9 9\nb 0 2\n",  # The first of two counts.
    ],
)
def test_forms_of_text(write, content):
    found = read_vectors(write(content))
    assert list(found.rows) == ["a", "b"]
    np.testing.assert_allclose(found.matrix, [[0.6, 0.8], [0, 1]], atol=1e-6)


def test_words_are_normalised_as_texts_are_and_may_hold_blanks(write):
    assert list(read_vectors(write("cafe\u0301 1 2\n. . . 3 4\n")).rows) == ["caf\u00e9", ". . ."]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "has no vectors"),
        (b"id,original\n", 1, r"should read word, space, values; is it word2vec text\?"),
        (b"3 2\na 1 2\nb 3 4\n", 1, f"declares 3 words, but 2 follow; {CUT}"),
        (b"99999999999999 2\na 1 2\n", 1, f"declares 99999999999999 words, but 1 follow; {CUT}"),
        (b"2 2\na 1 2\nb 3\n", 3, r"has 1 values instead of 2; is it word2vec text\?"),
        (b"2 2\na 1 2\nb 3 x\n", 3, "has a value that is not a finite number"),
        (b"2 2\na 1 2\nb 3 nan\n", 3, "has a value that is not a finite number"),
        (b"2 2\na 1 2\nb inf 1\n", 3, "has a value that is not a finite number"),
        (b"2 2\na 1 2\nb\xff 3 4\n", 3, "is not UTF-8"),
        (b"1 2\na 0 0\n", 0, "no vector other than zero"),
        (b"1 2\na " + b"1" * 2_000_000, 2, "break the line"),
        (b"1 20000\na 1\n", 2, r"has 1 values instead of 20000; is it word2vec text\?"),
        (b"100 2\na 1 2\n" + b"b 1\n" * 99, 3, "has 1 values instead of 2"),
    ],
)
def test_what_is_refused_names_the_line(write, content, line, message):
    path = write(content)
    with pytest.raises(FileRefused, match=message) as refusal:
        read_vectors(path)
    assert refusal.value.lines[0].startswith(f"{path}:{line}: ")
    assert len(refusal.value.lines) == (20 if content.count(b"\n") > 20 else 1)


# Reading word vectors, beside gensim; stores on disk; what is refused.


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
