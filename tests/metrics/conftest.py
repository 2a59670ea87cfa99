"""What the tests of neural metrics share."""

import shutil

import pytest

from scoring.metrics.neural_models import VARIABLE
from tests.metrics.neural_toy import write_model


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
