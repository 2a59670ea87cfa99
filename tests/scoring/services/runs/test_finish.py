"""The end of a run: system scores, and done or failed."""

from __future__ import annotations

import pytest
import sacrebleu

from scoring.models import SystemScore
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.django_db


def test_system_scores_are_corpus_bleu_over_the_systems_own_texts() -> None:
    campaign = make_campaign(items=6, open_it=False)
    run = finish(started(campaign))
    bleu = sacrebleu.BLEU(effective_order=True)
    for system in campaign.systems.all():
        texts = [
            output.substitution
            for output in system.outputs.select_related("substitution__item").order_by("item_id")
        ]
        expected = bleu.corpus_score(
            [text.sentence() for text in texts],
            [[text.item.references.get().text for text in texts]],
        ).score
        found = SystemScore.objects.get(run=run, system=system, kind="corpus")
        assert found.n == len(texts)
        assert found.value == pytest.approx(expected, abs=1e-9)
