"""Neural metrics on the pages: what they lack, the models to choose from, and a run."""

import shutil

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from scoring.metrics.resources import neural_models
from scoring.metrics.resources.neural_models import (
    FILES,
    MINILM,
    VARIABLE,
    digests,
    model_names,
)
from scoring.runs.metric_choices import metric_get
from scoring.runs.views import RunForm
from tests.clients import client_of, html_of, text_of
from tests.factories import make_user
from tests.scoring.forms.test_runs import camp, piece, shown
from tests.scoring.metrics.neural_toy import write_model

__all__ = ["camp"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def models(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_what_is_missing_is_told_with_the_remedy_and_models_are_chosen_from_a_list(
    monkeypatch, models, camp
):
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", ())  # Whether or not they are installed.
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
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", (MINILM,))
    assert "the one that fits the texts" not in part
    assert "the one that fits the texts" in piece(shown(), "sentence_cosine")
    shutil.rmtree(known)
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", ())
    ticked = [
        one.about.name
        for one in RunForm(user=make_user("dora"), campaign=camp, quick="free").metrics
        if one.checked
    ]
    assert "bleu" in ticked and "sentence_cosine" not in ticked


def admin():
    return client_of("adam")


def files_of(folder):
    return [SimpleUploadedFile(name, (folder / name).read_bytes()) for name in FILES]


def test_a_folder_is_added_without_a_network(models, camp, tmp_path):
    source = write_model(tmp_path / "source" / "toy")
    data = {"name": "mine", "files": files_of(source)}
    assert client_of("dora").post("/resources/models/", data).status_code == 404
    data["files"] = files_of(source)
    assert "can be used" in text_of(admin().post("/resources/models/", data, follow=True))
    assert "mine" in model_names() and digests(models / "mine") == digests(source)
    page = html_of(admin().get("/resources/"))
    assert all(digest in page for digest in digests(source).values())
    for name, files, told in (
        ("../mine", files_of(source), "A name has letters"),
        ("mine", files_of(source), "already"),
        ("half", files_of(source)[:2], "missing: tokenizer.json"),
        ("bad", [*files_of(source)[:2], SimpleUploadedFile("tokenizer.json", b"[")], "be read"),
        ("bad", [SimpleUploadedFile("model.safetensors", b"x" * 99), *files_of(source)[::2]], "be"),
    ):
        answer = admin().post("/resources/models/", {"name": name, "files": files}, follow=True)
        assert told in text_of(answer), name
    assert {one.name for one in models.iterdir() if one.is_dir()} == {"mine", "source"}


def test_what_is_proposed_for_a_question_is_ticked(models, camp):
    write_model(models / MINILM.name)

    def ticked(quick):
        form = RunForm(user=make_user("dora"), campaign=camp, quick=quick)
        return {one.about.name for one in form.metrics if one.checked}

    assert ticked("meaning") == {"sentence_cosine", "bertscore", "chrf"}
    assert ticked("wording") == {"pinc", "self_bleu", "additions"}
    assert ticked("fluent") == set()  # There is no language model.
    assert "?choose=meaning" in shown()
