"""Neural metrics on the pages: what they lack, the models to choose from, and a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse

from scoring.forms.runs import RunForm
from scoring.metrics.resources import neural_models
from scoring.metrics.resources.neural_models import FILES, VARIABLE
from scoring.models import Run
from scoring.selectors.metrics import metric_get
from tests.clients import client_of, html_of, text_of
from tests.scoring.forms.test_runs import piece, post
from tests.scoring.metrics.neural_toy import write_model
from tests.scoring.selectors.ratings.hand import hand_campaign
from tests.scoring.services.runs.started import finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_what_is_missing_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, models: Path
) -> None:
    campaign = hand_campaign()
    address = reverse("runs", args=[campaign.slug])
    monkeypatch.setattr(neural_models, "LIBRARIES", ("no_such_library",))
    mine = piece(html_of(client_of("dora").get(address)), "parascore")
    assert "disabled" in mine and "make install-neural" in mine
    assert "make install-neural" in text_of(client_of("dora").get(reverse("metrics")))
    monkeypatch.setattr(neural_models, "LIBRARIES", ("json",))
    mine = piece(html_of(client_of("dora").get(address)), "parascore")
    assert "disabled" in mine and "A model is missing" in mine
    assert metric_get(name="bleu").ready and not metric_get(name="parascore").ready


def test_models_are_chosen_from_a_list_also_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, models: Path
) -> None:
    monkeypatch.setattr(neural_models, "LIBRARIES", ("json",))
    campaign = hand_campaign()
    address = reverse("runs", args=[campaign.slug])
    for names in (["one"], ["one", "two"]):
        (models / names[-1]).mkdir()
        for file in FILES:
            (models / names[-1] / file).touch()
        mine = piece(html_of(client_of("dora").get(address)), "sentence_cosine")
        assert "disabled" not in mine
        for name in names:
            assert f'<option value="{name}">{name}</option>' in mine
    ticked = [one.about.name for one in RunForm(quick="free").metrics if one.checked]
    assert "bleu" in ticked and "sentence_cosine" not in ticked


@pytest.mark.service("neural")
def test_a_run_on_a_model(models: Path) -> None:
    write_model(models / "toy")
    campaign = hand_campaign()
    post(campaign, metric=["sentence_cosine", "parascore"],
         sentence_cosine__model="toy", parascore__model="toy")  # fmt: skip
    assert Run.objects.count() == 2
    for run in Run.objects.all():
        run = finish(run)
        assert (run.status, run.failed) == ("done", 0), run.error
        assert run.scores.exclude(value=None).count() == run.total > 0
        assert "|torch=" in run.signature
    answer = post(campaign, metric="sentence_cosine", sentence_cosine__model="../toy")
    assert Run.objects.count() == 2
    assert "is not the name of a model" in piece(html_of(answer), "sentence_cosine")
