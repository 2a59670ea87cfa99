"""The recipe `near_words`, beside the command's own replacing."""

import json

import numpy as np
import pytest

from scoring.building.recipes.recipe import FIGURES, make, recipe
from scoring.building.vectors import Training, open_texts, replace_words, train_vectors
from scoring.metrics.resources.vectors import load_vectors
from tests.scoring.building.recipes.stores import store_of

VECTORS = "6 2\ngood 1 0\nfine 1 .1\nbad 1 .3\nfilm 0 1\nmovie .1 1\nshow .3 1\n"
TEXTS = "id,text,label\na,A good film.,1\nb,,0\nc,Bad MOVIE!,0\n"


@pytest.fixture
def inputs(tmp_path):
    return given(tmp_path, TEXTS)


def given(folder, texts, vectors=VECTORS):
    """Stores of a table and of vectors."""
    contents = {"texts": texts, "vectors": vectors}
    return {kind: store_of(kind, content, folder) for kind, content in contents.items()}


def made(inputs, folder, **options):
    return make(recipe("near_words"), inputs, folder / "build", options)


def test_each_variant_is_a_column_and_the_others_stay(inputs, tmp_path):
    found = made(inputs, tmp_path)
    table = open_texts(found.store)
    assert table.columns == ("id", "text", "label", "PG1", "PG2", "PG3")
    rows = list(table.rows())
    theirs = replace_words(
        ["A good film.", "Bad MOVIE!"],
        load_vectors(str(inputs["vectors"])),
        [1, 2, 3],
        tokenize="words",
    )
    for rank in (1, 2, 3):
        assert [row[f"PG{rank}"] for row in rows] == theirs.texts[rank]
    assert rows[0]["PG1"] == "A fine movie."
    assert [row["id"] for row in rows] == ["a", "c"]
    assert found.numbers == {"left_out": 1, "rows": 2, "columns": 6}
    assert found.plain.read_text().count("\n") == 2
    figures = json.loads((found.store / FIGURES).read_text())
    assert (figures["words"], figures["known"], figures["replaced"]["PG1"]) == (5, 4, 4)
    assert figures["warnings"] == []


def test_options_reach_the_replacing(inputs, tmp_path):
    found = made(inputs, tmp_path, variants="pg2", min_cosine=".999")
    table = open_texts(found.store)
    assert table.columns[-1] == "PG2"
    assert [row["PG2"] for row in table.rows()] == [row["text"] for row in table.rows()]


@pytest.mark.parametrize(
    ("texts", "vectors", "options", "said"),
    [
        (TEXTS, VECTORS, {"variants": "pg4"}, r"variants=pg4 is not allowed.*pg1, pg2, pg3"),
        (TEXTS, VECTORS, {"column": "review"}, "texts:1: has no column 'review'; it has id, text"),
        ("text,PG1\na,b\n", VECTORS, {}, "has a column PG1 already"),
        (TEXTS, "2 1\na 1\nb 1\n", {}, "vectors:0: has 2 words; at least 4"),
        ("text\nxyz\n", VECTORS, {}, "has no word with a vector"),
    ],
)
def test_what_cannot_be_done_says_why(texts, vectors, options, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        made(given(tmp_path, texts, vectors), tmp_path, **options)


def test_few_known_words_are_a_warning(tmp_path):
    found = made(given(tmp_path, "text\ngood one two three\n"), tmp_path)
    figures = json.loads((found.store / FIGURES).read_text())
    assert figures["warnings"][0]["said"].startswith("Only 25% of the words have a vector")


# The recipe `vectors`, beside the command's own training.


ASKED = {"size": "6", "min_count": "2", "epochs": "2"}


def test_it_makes_the_vectors_of_the_command(zipf_text, tmp_path):
    made = make(recipe("vectors"), {"text": zipf_text}, tmp_path / "build", ASKED)
    theirs = train_vectors(zipf_text, Training(size=6, least=2, epochs=2))
    found = load_vectors(str(made.store))
    assert list(found.rows) == theirs.words
    assert np.allclose(found.matrix * found.lengths[:, None], theirs.matrix, atol=1e-6)
    assert made.plain.read_text().splitlines()[0] == f"{len(theirs.words)} 6"
    assert (made.kind, made.numbers["sentences"]) == ("vectors", 300)
