"""Neural metrics on the pages: what they lack, the models to choose from, and a run."""

import shutil

import pytest

from scoring.metrics.resources import neural_models
from scoring.metrics.resources.neural_models import FILES, MINILM, VARIABLE
from scoring.models import Run
from scoring.runs.metric_choices import metric_get
from scoring.runs.views import RunForm
from tests.clients import client_of, html_of, text_of
from tests.factories import make_user
from tests.scoring.forms.test_runs import camp, piece, post, shown
from tests.scoring.metrics.neural_toy import write_model
from tests.scoring.services.runs.started import finish

__all__ = ["camp"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def models(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_what_is_missing_is_told_with_the_remedy_and_models_are_chosen_from_a_list(
    monkeypatch, models, camp
):
    monkeypatch.setattr(neural_models, "KNOWN", ())  # Whether or not they are installed.
    monkeypatch.setattr(neural_models, "LIBRARIES", ("no_such_library",))
    part = piece(shown(), "parascore")
    assert "disabled" in part and "make install-neural" in part
    assert "make install-neural" in text_of(client_of("dora").get("/metrics/"))
    monkeypatch.setattr(neural_models, "LIBRARIES", ("json",))
    part = piece(shown(), "parascore")
    assert "disabled" in part and "models get minilm" in part
    assert all(
        metric_get(name=name, user=make_user("dora")).ready == ready
        for name, ready in (("bleu", True), ("parascore", False))
    )
    for names in (["one"], ["one", "two"]):  # Also where there is one.
        (models / names[-1]).mkdir()
        for file in FILES:
            (models / names[-1] / file).touch()
        part = piece(shown(), "sentence_cosine")
        assert "disabled" not in part
        for name in names:
            assert f'<option value="{name}">{name}</option>' in part
    known = models / MINILM.name
    shutil.copytree(models / "one", known)
    monkeypatch.setattr(neural_models, "KNOWN", (MINILM,))
    assert "the one that fits the texts" not in part
    assert "the one that fits the texts" in piece(shown(), "sentence_cosine")
    shutil.rmtree(known)
    monkeypatch.setattr(neural_models, "KNOWN", ())
    ticked = [
        one.about.name
        for one in RunForm(user=make_user("dora"), campaign=camp, quick="free").metrics
        if one.checked
    ]
    assert "bleu" in ticked and "sentence_cosine" not in ticked


def test_a_run_on_a_model(models, camp):
    write_model(models / "toy")
    post(
        metric=["sentence_cosine", "parascore"],
        sentence_cosine__model="toy",
        parascore__model="toy",
    )
    assert Run.objects.count() == 2
    for run in map(finish, Run.objects.all()):
        assert (run.status, run.failed) == ("done", 0), run.error
        assert run.scores.exclude(value=None).count() == run.total > 0
        assert "|tokenizers=" in run.signature
    answer = post(metric="sentence_cosine", sentence_cosine__model="../toy")
    assert Run.objects.count() == 2
    assert "is not the name of a model" in piece(html_of(answer), "sentence_cosine")
