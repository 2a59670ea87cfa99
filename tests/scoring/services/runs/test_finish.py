"""The end of a run: system scores, and done or failed."""

import pytest
import sacrebleu

from tests.scoring.services.runs.started import finish, started


def test_system_scores_are_corpus_bleu_over_the_systems_own_texts(campaign):
    run = finish(started(campaign))
    bleu = sacrebleu.BLEU(effective_order=True)
    for system in campaign.systems.all():
        texts = [output.substitution for output in system.outputs.order_by("item_id")]
        expected = bleu.corpus_score(
            [text.sentence() for text in texts],
            [[text.item.references.get().text for text in texts]],
        ).score
        found = run.system_scores.get(system=system, kind="corpus")
        assert found.n == len(texts)
        assert found.value == pytest.approx(expected, abs=1e-9)
