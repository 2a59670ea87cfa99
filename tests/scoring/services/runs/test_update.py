"""Runs that are brought up to date with what came later."""

import itertools

import pytest

from annotation.campaigns.services import campaign_update
from annotation.errors import Conflict, Invalid
from annotation.models import Reference
from scoring.metrics.overlap.simple import Pinc
from scoring.metrics.values import reference_counts, state_hash
from scoring.models import Run
from scoring.runs.start import run_update, runs_start
from scoring.runs.texts import Frame, all_pairs, counts_of
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.factories import finish, later, progress_of, started, updated, values

pytestmark = pytest.mark.usefixtures("toy_metrics")


def test_a_run_scores_what_came_later_and_keeps_the_rest(campaign, counted):
    run = finish(started(campaign, "pinc"))
    before, computed = values(run), sum(counted)
    text = later(campaign)
    add_items(campaign, item_rows(6)[8:])
    progress = progress_of(run)
    assert (progress.later, progress.outdated) == (4, True)
    run = run_update(run=run, actor=None)
    assert run.status == "running"
    run = finish(run)
    assert (run.status, run.done, sum(counted) - computed) == ("done", run.total, 4)
    assert run.total == campaign.substitutions.filter(role="output").count()
    after = values(run)
    assert text.pk in after and {pk: after[pk] for pk in before} == before
    assert run.resumed_done == 4
    assert run.system_scores.get(system__label="late", kind="mean").n == 1
    progress = progress_of(run)
    assert (progress.later, progress.outdated, progress.rate is not None) == (0, False, True)
    assert campaign.audit.filter(verb="bring up to date").count() == 1


def test_chunks_without_new_texts_are_not_touched(monkeypatch):
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


def test_references_that_came_later_are_for_the_next_run_or_an_update(campaign):
    run = started(campaign)
    row = item_rows(1, 1)[0]
    text = campaign.substitutions.get(text=row["paraphrase"])
    add_items(campaign, [{**row, "reference": text.sentence()}])
    run = finish(run)
    assert run.scores.get(substitution=text).value < 100
    progress = progress_of(run)
    assert (progress.later, progress.outdated) == (0, True)
    run = updated(run)
    assert run.scores.get(substitution=text).value == pytest.approx(100)
    assert run.resumed_done == 2


def test_further_paraphrases_change_the_scores_of_their_group(campaign):
    run = finish(started(campaign, "toy-grouped"))
    item = later(campaign).item
    scores = updated(run).scores.filter(substitution__item=item)
    assert list(scores.values_list("value", flat=True)) == [3.0] * 3


def test_a_system_that_came_with_known_texts_gets_its_score(campaign, counted):
    run = finish(started(campaign, "pinc"))
    computed = sum(counted)
    add_items(campaign, [{**item_rows(1, 1)[0], "system": "copycat"}])
    assert progress_of(run).outdated
    run = updated(run)
    assert run.status == "done" and sum(counted) == computed
    assert run.system_scores.get(system__label="copycat", kind="mean").n == 1


def test_an_update_that_cannot_be_says_why(campaign, monkeypatch):
    def refused(run, why):
        with pytest.raises(Conflict, match=why):
            run_update(run=run, actor=None)

    run = started(campaign, "pinc")
    refused(run, "is done")
    run = finish(run)
    refused(run, "^No text was added after this run: there is nothing to bring up to date.$")
    later(campaign)
    with monkeypatch.context() as changed:
        changed.setattr(Pinc, "version", "99")
        refused(run, "start a new run")
    other = started(campaign, "pinc")
    refused(run, "another run")
    finish(other)
    stale = Run.objects.get(pk=run.pk)
    run_update(run=run, actor=None)
    refused(stale, "already")
    nist = finish(started(campaign, "nist"))
    old = {"": 2, "a": 1, "b": 1}
    nist.state, nist.state_hash = old, state_hash(old)
    refused(nist, "made by an earlier version of the software")


def test_scores_are_made_anew_when_the_language_is_said(campaign):
    plain, run = finish(started(campaign, "pinc")), finish(started(campaign, "rouge_1:stem=porter"))
    before = values(run)
    assert None not in before.values()
    campaign = campaign_update(campaign=campaign, actor=None, changes={"language": "ko"})
    assert not progress_of(plain).outdated
    progress = progress_of(run)
    assert progress.outdated and progress.relabelled
    run = updated(run)
    reasons = set(run.scores.values_list("value", "reason"))
    assert reasons == {(None, "The text is in ko, and rouge_1 reads en here.")}
    assert not progress_of(run).outdated
    # Back in English they have scores, and none of those in between is taken over.
    campaign = campaign_update(campaign=campaign, actor=None, changes={"language": "en"})
    assert values(updated(run)) == before
    with pytest.raises(Invalid, match="texts are in en"):
        started(campaign, "bleu:tokenize=ko")


# What a run compares its texts with: said by its signature, and no mixture unless asked for.


def some_referenced():
    """Two texts each of a sentence as a whole with two references, of phrases with one and with
    none, and a text in a sentence of its own, to which the references do not apply."""
    rows = item_rows(3)
    for row in rows[:2]:
        row["reference_2"] = "Another reference."
        del row["phrase"]
    for row in rows[4:]:
        del row["reference"]
    own = {"paraphrase": "elsewhere", "own_sentence": "Seen elsewhere alone."}
    return [*rows, {**rows[2], **own, "system": "S9", "own_start": 5, "own_end": 14}]


def sign(run):
    return run.full_signature.removeprefix(f"{run.signature}|")


@pytest.mark.parametrize("scope", Run.Scope.values)
def test_references_are_counted_as_they_are_read(scope):
    campaign = make_campaign(rows=some_referenced(), open_it=False)
    ids = Reference.objects.order_by("pk").values_list("pk", flat=True)
    for last in (0, ids[0], ids[len(ids) - 1]):
        frame = Frame(campaign.pk, scope, 10**9, last)
        read = reference_counts(all_pairs(frame=frame, size=5, groups=False))
        assert {n: texts for n, texts in counts_of(frame=frame).items() if texts} == read
    assert len(read) == (3 if scope == "sentence" else 2)


def test_a_mixture_is_started_if_asked_for_and_counted_in_the_signature_of_the_run():
    campaign = make_campaign(rows=some_referenced(), open_it=False)
    refusal = r"bleu, chrf: 4 texts have references and 2 have none.*against=mixed"
    with pytest.raises(Invalid, match=refusal):
        runs_start(campaign=campaign, specs=["pinc", "bleu", "chrf"], actor=None)
    assert not Run.objects.exists()
    specs = ["bleu:against=mixed", "bleu:against=references", "bleu:against=original"]
    runs = runs_start(campaign=campaign, specs=specs, actor=None)
    assert [sign(finish(run)) for run in runs] == [
        "nrefs:1-2|met_original:2|met_references:4",
        "nrefs:1-2|met_original:0|met_references:4|met_neither:2",
        "nrefs:0|met_original:6|met_references:0",
    ]
    assert runs[1].scores.filter(value=None).count() == 2
    assert {run.compared for run in runs} == {Run.objects.get(pk=run.pk).compared for run in runs}


def test_counts_keep_no_score_from_being_taken_over_or_brought_up_to_date():
    """Another campaign of other counts has the same texts among its own."""
    rows = item_rows(4)
    first = finish(started(make_campaign("first", rows=rows[:4], open_it=False)))
    campaign = make_campaign("second", rows=rows, open_it=False)
    second = finish(started(campaign))
    assert (first.full_signature, first.signature) != (second.full_signature, second.signature)
    assert (second.reused, second.signature) == (first.total, first.signature)
    later(campaign)
    before = values(second)
    second = updated(second)
    assert values(second).items() >= before.items()
    assert sign(second) == f"nrefs:1|met_original:0|met_references:{second.total}"


def test_a_text_without_a_reference_is_not_mixed_in_later(campaign):
    run = finish(started(campaign))
    row = item_rows(9)[-1]
    add_items(campaign, [{key: value for key, value in row.items() if key != "reference"}])
    with pytest.raises(Conflict, match="1 have none"):
        run_update(run=run, actor=None)
    run.refresh_from_db()
    assert (run.status, run.scores.count()) == ("done", run.total)
    assert finish(started(campaign, "bleu:against=mixed")).reused == 0


def test_a_run_that_an_earlier_version_queued_fails_with_the_reason(campaign):
    run = started(campaign)
    campaign.items.first().references.all().delete()
    assert "bleu: 5 texts have references and 2 have none" in finish(run).error
    assert run.compared is None
