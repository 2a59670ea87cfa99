"""Runs, step by step as a worker takes them, without a worker."""

from __future__ import annotations

import pytest
import sacrebleu

from annotation.models import Campaign, Exclusion, Substitution
from annotation.services.campaigns import campaign_create
from annotation.services.errors import Invalid
from scoring.metrics.base import Pair
from scoring.metrics.base import Score as Value
from scoring.metrics.pinc import Pinc
from scoring.models import Run, RunChunk, Score, SystemScore
from scoring.selectors.runs import newest_done_runs, run_columns, run_progress
from scoring.services.runs import run_cancel, run_retry, run_start
from scoring.services.runs_work import run_work
from tests.factories import add_items, item_rows, make_campaign, make_user

pytestmark = pytest.mark.django_db


def finish(run: Run, steps: int = 100) -> Run:
    """Take steps until the run is over."""
    for _ in range(steps):
        run_work(run_pk=run.pk)
        run.refresh_from_db()
        if run.status not in Run.ACTIVE:
            return run
    raise AssertionError(f"{run} is not over after {steps} steps")


def started(campaign: Campaign, spec: str = "bleu") -> Run:
    return run_start(campaign=campaign, spec=spec, actor=make_user("alice"))


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


def test_only_outputs_are_scored() -> None:
    campaign = make_campaign(items=2, open_it=False)
    row = item_rows(1, 1)[0]
    add_items(campaign, [{**row, "paraphrase": "a control", "system": None, "role": "control"}])
    run = finish(started(campaign, "pinc"))
    assert set(run.scores.values_list("substitution__role", flat=True)) == {"output"}


def test_texts_that_come_later_are_not_the_runs_own() -> None:
    campaign = make_campaign(items=2, open_it=False)
    run = started(campaign, "pinc")
    before = run.total
    row = item_rows(1, 1)[0]
    add_items(campaign, [{**row, "paraphrase": "later", "system": "late"}])
    run = finish(run)
    assert run.total == run.done == run.scores.count()
    assert run.total in (before, 4)
    late = run.system_scores.filter(system__label="late")
    assert [(one.n, one.value) for one in late] == [(0, None)] * len(late)


def test_the_same_run_is_not_started_twice() -> None:
    campaign = make_campaign(items=2, open_it=False)
    assert started(campaign) == started(campaign)
    assert started(campaign, "bleu:lowercase=yes") != started(campaign)


def test_cancel_and_try_again() -> None:
    campaign = make_campaign(items=4, open_it=False)
    run = started(campaign)
    run_work(run_pk=run.pk)
    assert run_cancel(run=run, actor=None)
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED
    run_work(run_pk=run.pk)
    assert not Score.objects.filter(run=run).exists()
    run_retry(run=run, actor=None)
    assert finish(run).status == Run.Status.DONE
    assert run.scores.count() == run.total


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


def test_columns_are_aligned_with_the_units_asked_for() -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "pinc"))
    assert newest_done_runs(campaign=campaign) == [run]
    ids = list(Substitution.objects.filter(campaign=campaign).values_list("pk", flat=True))[::-1]
    column = run_columns(runs=[run], substitutions=[*ids, 10**9])[run.pk]
    stored = dict(run.scores.values_list("substitution_id", "value"))
    assert column[:-1].tolist() == [stored[pk] for pk in ids]
    assert column[-1] != column[-1]


def test_wrong_metrics_and_empty_campaigns_are_refused() -> None:
    campaign = make_campaign(items=1, open_it=False)
    with pytest.raises(Invalid, match="nonsense"):
        started(campaign, "nonsense")
    with pytest.raises(Invalid):
        started(campaign, "bleu:colour=red")
    empty = campaign_create(actor=None, slug="empty")
    with pytest.raises(Invalid, match="import items"):
        started(empty)
    assert not Exclusion.objects.exists()
    assert not RunChunk.objects.filter(run__campaign=empty).exists()
