"""A store of the table that the tests of this folder share."""

import numpy as np
import pytest

from tests.scoring.metrics.vector_files import write_vectors


@pytest.fixture
def random_file(tmp_path):
    values = np.random.default_rng(3).normal(scale=3, size=(50, 7))
    return write_vectors(
        tmp_path / "random.txt", {f"w{at}": row.tolist() for at, row in enumerate(values)}
    )
