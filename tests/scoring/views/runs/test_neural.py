"""Neural metrics on the pages: what they lack, the models to choose from, and a run."""

import shutil
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from filelock import FileLock

from scoring.metrics.resources import neural_models
from scoring.metrics.resources.neural_models import FILES, MINILM, VARIABLE, digests, model_names
from scoring.models import Run
from scoring.resources import views
from scoring.runs.metric_choices import metric_get
from scoring.runs.views import RunForm
from tests.clients import client_of, html_of, text_of
from tests.factories import make_user
from tests.scoring.factories import finish
from tests.scoring.forms.test_runs import camp, piece, post, shown
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


def admin():
    return client_of("adam")


def files_of(folder):
    return [SimpleUploadedFile(name, (folder / name).read_bytes()) for name in FILES]


def test_administrators_bring_a_model_by_a_button_and_others_see_what_it_is(
    monkeypatch, models, camp
):
    asked = []
    monkeypatch.setattr(views.subprocess, "Popen", lambda words, **_: asked.append(words))
    missing = replace(MINILM, inside="no_such_package/model.zip")
    monkeypatch.setattr(views, "NEURAL_MODELS", (missing,))
    monkeypatch.setattr(neural_models, "NEURAL_MODELS", (missing,))
    page = html_of(admin().get("/resources/"))
    for told in (MINILM.licence, MINILM.source, MINILM.version, "Get it", "not here"):
        assert told in page
    part = html_of(client_of("dora").get("/resources/"))
    assert MINILM.licence in part and "Get it" not in part
    assert client_of("dora").post("/resources/models/minilm/").status_code == 404 and not asked
    answer = admin().post("/resources/models/minilm/", follow=True)
    assert "is being fetched" in text_of(answer)
    assert asked[0][-3:] == ["models", "get", "minilm"]
    assert admin().post("/resources/models/other/").status_code == 404
    (models / ".minilm.log").write_text("first\nNo index here.\n")
    assert "No index here." in text_of(admin().get("/resources/"))
    with FileLock(models / ".minilm.lock"):
        text = text_of(admin().get("/resources/"))
        assert "is being fetched" in text and "No index here." not in text
        assert len(asked) == 1
        assert "on its way" in text_of(admin().post("/resources/models/minilm/", follow=True))


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
