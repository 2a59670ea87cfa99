"""Runs that are brought up to date with what came later."""

from __future__ import annotations

import itertools

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Reference, Substitution
from annotation.services.campaigns.campaigns import campaign_update
from scoring.metrics.base import state_hash
from scoring.metrics.overlap.pinc import Pinc
from scoring.models import Run
from scoring.selectors.runs import run_progress
from scoring.services.runs.start import run_retry
from scoring.services.runs.update import run_update
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.services.runs.parts import later, values
from tests.scoring.services.runs.started import finish, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_metrics")]


def test_a_run_scores_what_came_later_and_keeps_the_rest(counted: list[int]) -> None:
    campaign = make_campaign(items=6, open_it=False)
    run = finish(started(campaign, "pinc"))
    before, computed = values(run), sum(counted)
    text = later(campaign)
    add_items(campaign, item_rows(8)[12:])
    progress = run_progress(campaign=campaign, key=run.key)
    assert (progress.later, progress.outdated) == (5, True)
    run = run_update(run=run, actor=None)
    assert run.status == "running"
    run = finish(run)
    assert (run.status, run.done, sum(counted) - computed) == ("done", run.total, 5)
    assert run.total == Substitution.objects.filter(campaign=campaign, role="output").count()
    after = values(run)
    assert after.keys() - before.keys() >= {text.pk}
    assert {pk: after[pk] for pk in before} == before
    assert run.resumed_done == 5
    assert run.system_scores.get(system__label="late", kind="mean").n == 1
    progress = run_progress(campaign=campaign, key=run.key)
    assert (progress.later, progress.outdated, progress.rate is not None) == (0, False, True)
    assert campaign.audit.filter(verb="bring up to date").count() == 1


def test_chunks_without_new_texts_are_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pinc, "chunk_size", 4)
    campaign = make_campaign(items=9, open_it=False)
    run = finish(started(campaign, "pinc"))
    before = set(run.chunks.values_list("pk", flat=True))
    later(campaign, number=4)
    run = run_update(run=run, actor=None)
    assert len(before & set(run.chunks.values_list("pk", flat=True))) == len(before) - 1
    finish(run)
    spans = sorted(run.chunks.values_list("first_item", "last_item", "total", "done"))
    assert all(a[1] < b[0] for a, b in itertools.pairwise(spans))
    assert all(total == done for *_, total, done in spans)


def test_references_that_came_later_are_for_the_next_run_or_an_update() -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = started(campaign, "bleu")
    row = item_rows(1, 1)[0]
    text = Substitution.objects.get(campaign=campaign, text=row["paraphrase"])
    perfect = text.sentence()
    add_items(campaign, [{**row, "reference": perfect}])
    assert Reference.objects.filter(item=text.item).count() == 2
    run = finish(run)
    assert run.scores.get(substitution=text).value < 100
    progress = run_progress(campaign=campaign, key=run.key)
    assert (progress.later, progress.outdated) == (0, True)
    run = finish(run_update(run=run, actor=None))
    assert run.scores.get(substitution=text).value == pytest.approx(100)
    assert run.resumed_done == 2


def test_further_paraphrases_change_the_scores_of_their_group() -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "toy-grouped"))
    item = later(campaign).item
    run = finish(run_update(run=run, actor=None))
    assert [score.value for score in run.scores.filter(substitution__item=item)] == [3.0] * 3


def test_a_system_that_came_with_known_texts_gets_its_score(counted: list[int]) -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "pinc"))
    computed = sum(counted)
    add_items(campaign, [{**item_rows(1, 1)[0], "system": "copycat"}])
    assert run_progress(campaign=campaign, key=run.key).outdated
    run = finish(run_update(run=run, actor=None))
    assert run.status == "done" and sum(counted) == computed
    assert run.system_scores.get(system__label="copycat", kind="mean").n == 1


def test_an_update_that_cannot_be_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = started(campaign, "pinc")
    with pytest.raises(Conflict, match="is done"):
        run_update(run=run, actor=None)
    run = finish(run)
    nothing = "No text was added after this run: there is nothing to bring up to date."
    with pytest.raises(Conflict, match=f"^{nothing}$"):
        run_update(run=run, actor=None)
    later(campaign)
    with monkeypatch.context() as changed:
        changed.setattr(Pinc, "version", "99")
        with pytest.raises(Conflict, match="start a new run"):
            run_update(run=run, actor=None)
    other = started(campaign, "pinc")
    with pytest.raises(Conflict, match="another run"):
        run_update(run=run, actor=None)
    finish(other)
    stale = Run.objects.get(pk=run.pk)
    run_update(run=run, actor=None)
    with pytest.raises(Conflict, match="already"):
        run_update(run=stale, actor=None)


def test_a_state_of_an_earlier_version_asks_for_a_new_run() -> None:
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "nist"))
    old = {"": 2, "a": 1, "b": 1}
    Run.objects.filter(pk=run.pk).update(state=old, state_hash=state_hash(old))
    later(campaign)
    with pytest.raises(Conflict, match="made by an earlier version of the software"):
        run_update(run=Run.objects.get(pk=run.pk), actor=None)


def test_a_run_retried_has_an_honest_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(items=4, open_it=False)
    run = finish(started(campaign, "toy-untellable"))
    text = later(campaign, text="poison")
    run = finish(run_update(run=run, actor=None))
    assert run.failed == 1
    Run.objects.filter(pk=run.pk).update(resumed_done=999)
    text.text = "wholesome"
    text.save()
    run = finish(run_retry(run=run, actor=None))
    assert (run.failed, run.done) == (0, run.total)
    assert 0 < run.resumed_done <= run.total


def test_scores_are_made_anew_when_the_language_is_said() -> None:
    campaign = make_campaign(items=3, open_it=False)
    plain, run = finish(started(campaign, "pinc")), finish(started(campaign, "rouge_1:stem=porter"))
    before = values(run)
    assert None not in before.values()
    campaign = campaign_update(campaign=campaign, actor=None, changes={"language": "ko"})
    assert not run_progress(campaign=campaign, key=plain.key).outdated
    progress = run_progress(campaign=campaign, key=run.key)
    assert progress.outdated and progress.relabelled
    run = finish(run_update(run=run, actor=None))
    reasons = set(run.scores.values_list("value", "reason"))
    assert reasons == {(None, "The text is in ko, and rouge_1 reads en here.")}
    assert not run_progress(campaign=campaign, key=run.key).outdated
    # Back in English they have scores, and none of those in between is taken over.
    campaign = campaign_update(campaign=campaign, actor=None, changes={"language": "en"})
    assert values(finish(run_update(run=run, actor=None))) == before
    with pytest.raises(Invalid, match="texts are in en"):
        started(campaign, "bleu:tokenize=ko")
