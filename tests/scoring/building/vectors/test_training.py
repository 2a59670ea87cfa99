"""Training of word vectors, beside gensim called plainly."""

import os
import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors, Phrases, Word2Vec

from scoring.building import vectors as building_vectors
from scoring.building.vectors import (
    Training,
    nearest,
    replace_words,
    spans,
    train_vectors,
    write_text,
)
from scoring.metrics.files import FileRefused
from scoring.metrics.resources.vectors import Vectors
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


# Nearest words, beside gensim and beside all cosines sorted.


def random_vectors(n, size=20, seed=0):
    matrix = np.random.default_rng(seed).normal(size=(n, size)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    return Vectors({f"w{row}": row for row in range(n)}, matrix)


def test_200_words_have_the_neighbours_of_gensim():
    vectors = random_vectors(2500)
    theirs = KeyedVectors(20)
    theirs.add_vectors(list(vectors.rows), vectors.matrix)
    asked = list(range(0, 2500, 12))[:200]
    found = nearest(vectors, asked)
    assert found.rows.shape == (200, 3)
    for at, row in enumerate(asked):
        names, cosines = zip(*theirs.most_similar(f"w{row}", topn=3), strict=True)
        assert [f"w{near}" for near in found.rows[at]] == list(names)
        assert found.cosines[at] == pytest.approx(cosines, abs=1e-5)


def test_blocks_change_nothing(monkeypatch):
    vectors = random_vectors(100)
    whole = nearest(vectors, range(100))
    shares = []
    monkeypatch.setattr(building_vectors, "_CELLS", 100 * 7)
    parts = nearest(vectors, range(100), progress=shares.append)
    assert np.array_equal(whole.rows, parts.rows)
    assert len(shares) == 15
    assert shares[-1] == 1
    assert nearest(vectors, []).rows.shape == (0, 3)


def test_too_few_words():
    with pytest.raises(ValueError, match="3 words have no 3 others"):
        nearest(random_vectors(3), [0])


def test_ties_stand_in_order():
    matrix = np.array([[1, 0], [0, 1], [1, 0], [1, 0], [-1, 0]], np.float32)
    found = nearest(Vectors({f"w{row}": row for row in range(5)}, matrix), [0, 4], k=3)
    assert found.rows.tolist() == [[2, 3, 1], [1, 0, 2]]
    assert found.cosines.tolist() == [[1, 1, 0], [0, -1, -1]]


# Texts whose words are replaced by near ones.


# By angle: film is nearest to movie, then show, then flick; the others are far.
ANGLES = {"movie": 0, "film": 5, "show": 12, "flick": 20, "the": 170, "a": 173, "it's": 180}


def vectors(angles=ANGLES):
    turned = np.radians(list(angles.values()))
    matrix = np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)
    return Vectors({word: row for row, word in enumerate(angles)}, matrix)


def replaced(text, rank=1, **options):
    return replace_words([text], vectors(), [rank], tokenize="words", **options).texts[rank][0]


def test_ranks_are_different_words():
    found = replace_words(["movie"], vectors(), [1, 2, 3])
    assert found.texts == {1: ["film"], 2: ["show"], 3: ["flick"]}
    assert found.replaced == {1: 1, 2: 1, 3: 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Movie, MOVIE  (movie)!\tunknown", "Film, FILM  (film)!\tunknown"),
        ("The movie", "A film"),
        ("It’s a movie", "A the film"),
        ("nothing, known... 12", "nothing, known... 12"),
        ("", ""),
    ],
)
def test_case_is_put_back_and_the_rest_stays(text, expected):
    assert replaced(text) == expected


def test_vectors_that_know_case_give_words_as_they_are():
    cased = vectors({"Paris": 0, "rome": 3, "x": 90, "y": 91})
    assert replace_words(["Paris paris"], cased, [1]).texts[1] == ["rome paris"]


def test_words_of_grammar_and_far_neighbours_may_stay():
    assert replaced("the movie", replace="content") == "the film"
    assert replaced("show the movie", 2, min_cosine=0.99) == "flick the movie"
    assert replaced("movie", 3, min_cosine=0.98) == "movie"


def test_coverage_counts_words_alone():
    found = replace_words(["movie - unknown , x"], vectors(), [1])
    assert (found.words, found.covered, found.coverage) == (3, 1, 1 / 3)
    assert replace_words(["- ,"], vectors(), [1]).coverage == 0


def test_pieces_between_blanks():
    assert [*spans("a well-known b. -- ", "none")] == [(0, 1), (2, 12), (13, 15)]
    assert replace_words(["the movie."], vectors(), [1]).texts[1] == ["a movie."]
    with pytest.raises(ValueError, match="tokenize=13a"):
        spans("a", "13a")
