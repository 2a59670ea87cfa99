"""What the tests of metrics share."""

import shutil

import pytest

from scoring.metrics.neural_models import VARIABLE
from tests.metrics.neural_toy import write_model
from tests.metrics.vector_files import CIRCLE, write_vectors


@pytest.fixture
def write(request, tmp_path):
    """Write a file, text or bytes: `write(content)`, under the name that the module calls FILE."""

    def call(content, name=None):
        path = tmp_path / (name or request.module.FILE)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture(scope="session")
def circle(tmp_path_factory):
    """A file of the vectors CIRCLE."""
    return str(write_vectors(tmp_path_factory.mktemp("vectors") / "circle.txt", CIRCLE))


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    write_model(folder / "toy")
    return folder


@pytest.fixture
def models(toy, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(toy))
    return toy


@pytest.fixture
def copied(toy, tmp_path, monkeypatch):
    """A folder of models of one's own, with the toy in it, to be damaged."""
    shutil.copytree(toy / "toy", tmp_path / "toy")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path / "toy"
