"""Runs, step by step as a worker takes them, without a worker."""

from __future__ import annotations

import pytest
import sacrebleu

from annotation.models import Substitution
from scoring.metrics.base import Pair
from scoring.metrics.base import Score as Value
from scoring.metrics.overlap.pinc import Pinc
from scoring.models import Score
from scoring.selectors.runs import run_progress
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.django_db


def test_every_output_gets_one_score_that_equals_sacrebleu() -> None:
    campaign = make_campaign(items=5, open_it=False)
    run = finish(started(campaign))
    assert (run.status, run.failed, run.error) == ("done", 0, "")
    outputs = Substitution.objects.filter(campaign=campaign, role="output")
    assert run.total == run.done == outputs.count() == run.scores.count()
    bleu = sacrebleu.BLEU(effective_order=True)
    for score in run.scores.select_related("substitution__item"):
        text = score.substitution
        references = [reference.text for reference in text.item.references.all()]
        assert score.value == pytest.approx(
            bleu.sentence_score(text.sentence(), references).score, abs=1e-9
        )
    assert run_progress(campaign=campaign, key=run.key).fraction == 1


def test_a_text_on_which_the_metric_breaks_is_named_and_the_rest_scored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = make_campaign(items=4, open_it=False)
    poison = Substitution.objects.filter(campaign=campaign).order_by("pk")[2]
    poison.text = "poison"
    poison.save()
    whole, alone = Pinc.score_many, Pinc.score

    def breaking(self: Pinc, pairs: object) -> object:
        pairs = list(pairs)  # type: ignore[call-overload]
        if any("poison" in pair.paraphrase for pair in pairs):
            raise RuntimeError("cannot digest")
        return whole(self, pairs)

    def breaking_alone(self: Pinc, pair: Pair) -> Value:
        if "poison" in pair.paraphrase:
            raise RuntimeError("cannot digest")
        return alone(self, pair)

    monkeypatch.setattr(Pinc, "score_many", breaking)
    monkeypatch.setattr(Pinc, "score", breaking_alone)
    run = finish(started(campaign, "pinc"))
    assert (run.failed, run.done) == (1, run.total)
    broken = Score.objects.get(run=run, substitution=poison)
    assert broken.value is None
    assert "cannot digest" in broken.reason
    assert run.scores.exclude(value=None).count() == run.total - 1
