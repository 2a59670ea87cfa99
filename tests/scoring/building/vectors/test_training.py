"""Training of word vectors, beside gensim called plainly."""

import os
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Phrases, Word2Vec

from scoring.building.vectors import Training, train_vectors, write_text
from scoring.metrics.files import FileRefused
from tests import HOME

SMALL = Training(size=12, least=2, epochs=2)


def cut(path):
    return [line.split() for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("asked", "model", "options"),
    [
        (SMALL, Word2Vec, {"vector_size": 12, "min_count": 2, "epochs": 2}),
        (
            Training(size=5, window=2, least=3, epochs=1, skip_gram=True, seed=9),
            Word2Vec,
            {"vector_size": 5, "window": 2, "min_count": 3, "epochs": 1, "sg": 1, "seed": 9},
        ),
        (
            Training("fasttext", size=6, least=2, epochs=1),
            FastText,
            {"vector_size": 6, "min_count": 2, "epochs": 1, "bucket": 200_000},
        ),
    ],
)
def test_the_numbers_are_those_of_gensim(zipf_text, asked, model, options):
    shares = []
    made = train_vectors(zipf_text, asked, progress=shares.append)
    theirs = model(cut(zipf_text), workers=1, **{"seed": 1, **options}).wv
    assert made.words == theirs.index_to_key
    assert np.array_equal(made.matrix, theirs.vectors)
    assert (made.sentences, made.tokens) == (300, sum(map(len, cut(zipf_text))))
    assert shares == sorted(shares) and len(shares) > 2 and shares[-1] == 1


def test_what_cannot_be_trained_is_refused(zipf_text):
    with pytest.raises(ValueError, match="no model glove"):
        train_vectors(zipf_text, Training("glove"))
    zipf_text.write_text("a b c\n")
    with pytest.raises(FileRefused, match=r"some.txt:0: has no word that occurs 5 times"):
        train_vectors(zipf_text)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["word2vec", "fasttext"])
def test_other_processes_write_the_same_bytes(zipf_text, model):
    program = (
        "import sys; from pathlib import Path\n"
        "from scoring.building.vectors import *\n"
        f"found = train_vectors(Path(sys.argv[1]), Training({model!r}, size=8, epochs=2))\n"
        "write_text(found, sys.stdout.buffer)"
    )
    command = [sys.executable, "-c", program, str(zipf_text)]
    outputs = {
        subprocess.run(
            command,
            cwd=HOME,
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count(b"\n") > 20


def test_gensim_reads_what_is_written_and_no_digit_is_lost(zipf_text):
    found = train_vectors(zipf_text, SMALL)
    stream = BytesIO()
    write_text(found, stream)
    path = zipf_text.with_name("vectors.txt")
    path.write_bytes(stream.getvalue())
    theirs = KeyedVectors.load_word2vec_format(str(path))
    assert theirs.index_to_key == found.words
    assert np.array_equal(theirs.vectors, found.matrix)


def test_no_word_of_a_long_line_is_lost(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text(" ".join(f"w{n % 3000}" for n in range(12_000)) + " late soon" * 9 + "\n")
    found = train_vectors(path, SMALL)
    late = found.words.index("late")
    theirs = Word2Vec(cut(path), vector_size=12, min_count=2, epochs=2, workers=1, seed=1).wv
    # gensim alone stops before the word, whose vector stays as it was drawn.
    drawn = Word2Vec(vector_size=12, min_count=2, workers=1, seed=1)
    drawn.build_vocab(cut(path))
    assert np.array_equal(theirs["late"], drawn.wv["late"])
    assert not np.array_equal(found.matrix[late], drawn.wv["late"])


def test_words_are_cut_and_lowered_as_asked(tmp_path):
    path = tmp_path / "raw.txt"
    path.write_text("The cat. THE dog!\nthe cat\n")
    rare = Training(size=3, least=1, epochs=1)
    assert set(train_vectors(path, rare).words) == {"The", "cat.", "THE", "dog!", "the", "cat"}
    found = train_vectors(path, rare, tokenize="words", lowercase=True)
    assert found.words == ["the", "cat", "dog"]


def test_phrases_are_those_of_gensim(tmp_path):
    path = tmp_path / "some.txt"
    lines = [f"w{at % 150} w{at * 7 % 151}" + " new york" * (at % 30 == 0) for at in range(300)]
    path.write_text("\n".join(lines))
    found = train_vectors(path, Training(size=4, least=2, epochs=1, phrases=True))
    joined = Phrases(cut(path), min_count=2).freeze()
    theirs = Word2Vec(joined[cut(path)], vector_size=4, min_count=2, epochs=1, workers=1, seed=1).wv
    assert "new_york" in found.words
    assert found.words == theirs.index_to_key
    assert np.array_equal(found.matrix, theirs.vectors)
