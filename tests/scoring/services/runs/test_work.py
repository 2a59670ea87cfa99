"""Runs, step by step as a worker takes them, without a worker."""

import pytest
import sacrebleu

from scoring.metrics.overlap.simple import Pinc
from scoring.runs.queries import run_columns, run_progress
from tests.scoring.factories import finish, started


def test_every_output_gets_one_score_that_equals_sacrebleu(campaign):
    run = finish(started(campaign))
    assert (run.status, run.failed, run.error) == ("done", 0, "")
    assert run.total == run.done == campaign.substitutions.count() == run.scores.count()
    bleu = sacrebleu.BLEU(effective_order=True)
    for score in run.scores.all():
        text = score.substitution
        references = [reference.text for reference in text.item.references.all()]
        assert score.value == pytest.approx(
            bleu.sentence_score(text.sentence(), references).score, abs=1e-9
        )
    assert run_progress(campaign=campaign, key=run.key).fraction == 1


@pytest.mark.parametrize("word", ["poison", ""])
def test_texts_on_which_the_metric_breaks_are_named(word, campaign, monkeypatch):
    """Whatever it says, and the rest is scored."""
    poison = campaign.substitutions.order_by("pk")[2]
    poison.text = "poison"
    poison.save()
    score = Pinc._score_pair

    def breaking(self, pair, of_original):
        if word in pair.paraphrase:
            raise RuntimeError("cannot digest a \0 and a \ud800")
        return score(self, pair, of_original)

    monkeypatch.setattr(Pinc, "_score_pair", breaking)
    run = finish(started(campaign, "pinc"))
    broken = run.scores.filter(value=None)
    assert {one.substitution for one in broken} == (
        {poison} if word else set(campaign.substitutions.all())
    )
    assert all("cannot digest a ? and a ?" in one.reason for one in broken)
    assert (run.status, run.failed, run.done) == ("done", broken.count(), run.total)
    assert run.scores.count() == run.total


# The end of a run: system scores, and done or failed.


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


# Storing scores: those of several runs in one short transaction, row sets in one statement.


pytestmark = pytest.mark.usefixtures("toy_metrics")


def test_scores_are_read_as_columns_without_detail(campaign):
    run = finish(started(campaign, "toy-telling"))
    ids = list(run.scores.values_list("substitution_id", flat=True))
    assert run_columns(runs=[run], substitutions=ids)[run.pk].tolist() == [1.0] * len(ids)
