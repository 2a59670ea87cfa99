"""What a run compares its texts with: said by its signature, and no mixture unless asked for."""

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Reference
from scoring.metrics.values import reference_counts
from scoring.models import Run
from scoring.runs.start import run_update, runs_start
from scoring.runs.texts import Frame, all_pairs, counts_of
from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.services.runs.parts import later, updated, values
from tests.scoring.services.runs.started import finish, started


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
