"""A file of vectors."""

import numpy as np
import pytest

from tests.scoring.metrics.vector_files import VOCABULARY, write_vectors


@pytest.fixture(scope="session")
def file(tmp_path_factory):
    """Twelve vectors of different lengths: metrics must make them one."""
    drawn = np.random.default_rng(7).normal(size=(12, 5)) * np.arange(1, 13)[:, None]
    path = tmp_path_factory.mktemp("vectors") / "random.txt"
    return str(write_vectors(path, dict(zip(VOCABULARY, drawn.tolist(), strict=True))))
