"""Reading word vectors, beside gensim; stores on disk; what is refused."""

import json

import numpy as np
import pytest
from gensim.models import KeyedVectors

from scoring.metrics.files import FileRefused
from scoring.metrics.vectors import load_vectors, read_vectors, vectors_sha256, write_store
from tests.metrics.vector_files import write_vectors


@pytest.fixture
def random_file(tmp_path):
    values = np.random.default_rng(3).normal(scale=3, size=(50, 7))
    return write_vectors(
        tmp_path / "random.txt", {f"w{at}": row.tolist() for at, row in enumerate(values)}
    )


def test_the_same_unit_vectors_as_gensim(random_file):
    found = read_vectors(random_file)
    theirs = KeyedVectors.load_word2vec_format(str(random_file))
    assert list(found.rows) == theirs.index_to_key
    np.testing.assert_allclose(found.matrix, theirs.get_normed_vectors(), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.matrix, axis=1), 1, atol=1e-6)


def test_the_binary_form_gives_the_same(random_file, tmp_path):
    binary = tmp_path / "random.bin"
    KeyedVectors.load_word2vec_format(str(random_file)).save_word2vec_format(
        str(binary), binary=True
    )
    np.testing.assert_allclose(read_vectors(binary).matrix, read_vectors(random_file).matrix)


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
def test_forms_of_text(tmp_path, content):
    path = tmp_path / "v.txt"
    path.write_text(content, encoding="utf-8", newline="")
    found = read_vectors(path)
    assert list(found.rows) == ["a", "b"]
    np.testing.assert_allclose(found.matrix, [[0.6, 0.8], [0, 1]], atol=1e-6)


def test_words_are_normalised_as_texts_are(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("1 1\ncafe\u0301 1\n", encoding="utf-8")
    assert "caf\u00e9" in read_vectors(path).rows


def test_a_glove_word_may_hold_blanks(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("a 1 2\n. . . 3 4\n", encoding="utf-8")
    assert list(read_vectors(path).rows) == ["a", ". . ."]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "has no vectors"),
        (b"id,original\n", 1, "should read word, blank, values"),
        (b"3 2\na 1 2\nb 3 4\n", 1, "promises 3 words, but 2 follow"),
        (b"99999999999999 2\na 1 2\n", 1, "promises 99999999999999 words"),
        (b"2 2\na 1 2\nb 3\n", 3, "has 1 values where 2 go"),
        (b"2 2\na 1 2\nb 3 x\n", 3, "no finite number"),
        (b"2 2\na 1 2\nb 3 nan\n", 3, "no finite number"),
        (b"2 2\na 1 2\nb inf 1\n", 3, "no finite number"),
        (b"2 2\na 1 2\nb\xff 3 4\n", 3, "is not UTF-8"),
        (b"1 2\na 0 0\n", 0, "no vector other than zero"),
        (b"1 2\na " + b"1" * 2_000_000, 2, "break the line"),
        (b"1 20000\na 1\n", 2, "values where 20000 go"),
    ],
)
def test_what_is_refused_names_the_line(tmp_path, content, line, message):
    path = tmp_path / "v.txt"
    path.write_bytes(content)
    with pytest.raises(FileRefused, match=message) as refusal:
        read_vectors(path)
    assert refusal.value.lines[0].startswith(f"{path}:{line}: ")


def test_problems_are_collected_but_not_for_ever(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("100 2\na 1 2\n" + "b 1\n" * 99)
    with pytest.raises(FileRefused) as refusal:
        read_vectors(path)
    assert len(refusal.value.lines) == 20


def test_no_binary_file_is_refused(tmp_path):
    path = tmp_path / "v.bin"
    path.write_bytes(b"no vectors")
    with pytest.raises(FileRefused, match="no binary file of word2vec"):
        read_vectors(path)


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
    with pytest.raises(FileRefused, match="anew"):
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
