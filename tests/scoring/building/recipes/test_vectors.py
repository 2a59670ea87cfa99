"""The recipe `vectors`, beside the command's own training."""

import numpy as np

from scoring.building.recipes.recipe import make, recipe
from scoring.building.vectors import Training, train_vectors
from scoring.metrics.resources.vectors import load_vectors

ASKED = {"size": "6", "min_count": "2", "epochs": "2"}


def test_it_makes_the_vectors_of_the_command(zipf_text, tmp_path):
    made = make(recipe("vectors"), {"text": zipf_text}, tmp_path / "build", ASKED)
    theirs = train_vectors(zipf_text, Training(size=6, least=2, epochs=2))
    found = load_vectors(str(made.store))
    assert list(found.rows) == theirs.words
    assert np.allclose(found.matrix * found.lengths[:, None], theirs.matrix, atol=1e-6)
    assert made.plain.read_text().splitlines()[0] == f"{len(theirs.words)} 6"
    assert (made.kind, made.numbers["sentences"]) == ("vectors", 300)
