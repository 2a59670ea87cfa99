"""What the tests of metrics share."""

import shutil

import pytest

from scoring.metrics import Pair, create
from scoring.metrics.combination.model_scores import convert
from scoring.metrics.resources.neural_models import VARIABLE
from tests.scoring.metrics.good_files import GOOD
from tests.scoring.metrics.nbest_lists import ORIGINAL, ROWS, as_tabs
from tests.scoring.metrics.neural_toy import write_model
from tests.scoring.metrics.vector_files import CIRCLE, write_vectors


@pytest.fixture
def write(request, tmp_path):
    """Write a file, text or bytes: `write(content)`, under the name that the module calls FILE."""

    def call(content, name=None):
        path = tmp_path / (name or request.module.FILE)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture(scope="session")
def good_files(tmp_path_factory):
    """A file of every kind, by kind."""
    folder = tmp_path_factory.mktemp("files")
    for kind, content in GOOD.items():
        (folder / kind).write_text(content, "utf-8")
    return {kind: str(folder / kind) for kind in GOOD}


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


@pytest.fixture(scope="module")
def write_nbest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nbest")

    def call(content, name="nbest.tsv"):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return call


@pytest.fixture(scope="module")
def nbest_file(write_nbest):
    return str(write_nbest(as_tabs(ROWS), "lists.tsv"))


@pytest.fixture
def by_nbest(nbest_file):
    def call(name, paraphrase, original=ORIGINAL, references=(), **options):
        metric = create(name, {"nbest": nbest_file, **options})
        return metric.score(Pair(original, paraphrase, references))

    return call


@pytest.fixture
def nbest_store(nbest_file, tmp_path):
    counts = convert(tmp_path.joinpath(nbest_file), tmp_path / "store", progress=print)
    assert counts == {"items": 2, "realisations": 4}
    return tmp_path / "store"
