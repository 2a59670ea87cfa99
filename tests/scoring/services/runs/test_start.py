"""Metric runs: starting, cancelling, trying again."""

import sys

import pytest

from annotation.campaigns.services import campaign_create, campaign_update
from annotation.errors import Conflict, Invalid
from annotation.importing.take_back import import_take_back
from scoring.models import Run
from scoring.runs.start import run_cancel, run_retry
from scoring.runs.work import run_work
from tests.factories import add_items, item_rows, make_user, new_campaign
from tests.scoring.factories import finish, started


def test_start_once_cancel_and_try_again(campaign):
    run = started(campaign)
    assert started(campaign) == run != started(campaign, "bleu:lowercase=yes")
    run_work(run_pk=run.pk)
    assert run_cancel(run=run, actor=None)
    assert run.status == "cancelled"
    run_work(run_pk=run.pk)
    assert not run.scores.exists()
    run_retry(run=run, actor=None)
    assert finish(run).status == "done"
    assert run.scores.count() == run.total


def test_wrong_metrics_and_empty_campaigns_are_refused(campaign):
    for wrong in ("nonsense", "bleu:colour=red"):
        with pytest.raises(Invalid, match="nonsense|colour"):
            started(campaign, wrong)
    empty = new_campaign("empty")
    with pytest.raises(Invalid, match="import items"):
        started(empty)
    assert not Run.objects.exists()


@pytest.mark.parametrize("spec", ["bleu:tokenize=ko", "apem:lang=ko"])
def test_korean_without_its_extra_is_refused_with_the_line_that_installs_it(
    spec, campaign, monkeypatch
):
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    with pytest.raises(Invalid, match="extra korean is not installed: run make install-extras"):
        started(campaign, spec)
    assert started(campaign, "apem:lang=en").total


# Metrics that need no file follow an import where the campaign wants it.


FREE = {
    *("bleu", "bleu_1max", "chrf", "chrfpp", "edit_similarity", "jaccard", "length_ratio"),
    *("meteor", "nist", "pinc", "rouge_1", "rouge_2", "rouge_l", "self_bleu", "ter"),
}


def rows_of(number, **more):
    rows = [
        {**row, "item": f"{number}-{row['item']}", "sentence": f"{row['sentence']} {number}"}
        for row in item_rows(2, 2)
    ]
    return [{**row, **more} for row in rows]


def metrics_of(campaign):
    return {run.metric for run in campaign.runs.all()}


def test_metrics_without_files_follow_an_import(db):
    alice = make_user("alice")
    campaign = campaign_create(actor=alice, slug="new", language="en", run_metrics=True)
    add_items(campaign, rows_of(1))
    assert metrics_of(campaign) >= FREE and "wmd" not in metrics_of(campaign)
    assert {run.automatic for run in campaign.runs.all()} == {True}
    first = {run.pk for run in campaign.runs.all()}
    bleu = finish(campaign.runs.get(metric="bleu"))
    assert (bleu.status, bleu.done) == ("done", 4)
    add_items(campaign, rows_of(1))  # Again: nothing is new.
    bleu.refresh_from_db()
    assert bleu.status == "done" and {run.pk for run in campaign.runs.all()} == first
    add_items(campaign, rows_of(2))
    bleu.refresh_from_db()
    assert bleu.status == "running" and {run.pk for run in campaign.runs.all()} == first
    assert finish(bleu).done == 8


def test_what_somebody_started_is_not_started_again_and_stays(db):
    campaign = new_campaign("new", language="en")
    add_items(campaign, rows_of(1))
    assert not campaign.runs.exists()
    own = finish(started(campaign, "bleu"))
    campaign_update(campaign=campaign, actor=None, changes={"run_metrics": True})
    add_items(campaign, rows_of(2))
    assert campaign.runs.get(metric="bleu") == own and metrics_of(campaign) >= FREE
    own.refresh_from_db()
    assert (own.status, own.automatic) == ("done", False)


def test_with_some_references_they_compare_with_originals_and_other_languages_are_left_out(db):
    campaign = new_campaign("new", language="ko", run_metrics=True)
    add_items(campaign, [*rows_of(1, reference="A reference."), *rows_of(2, reference="")])
    assert "meteor" not in metrics_of(campaign) and "bleu" in metrics_of(campaign)
    assert campaign.runs.get(metric="bleu").label == "bleu:against=original"
    assert set(campaign.runs.values_list("queue", flat=True)) == {""}


def test_an_import_is_taken_back_with_the_runs_that_followed_it(db):
    campaign = new_campaign("new", language="en", run_metrics=True)
    add_items(campaign, rows_of(1))
    stays = finish(campaign.runs.get(metric="bleu"))
    add_items(campaign, rows_of(2))
    finish(stays)
    import_take_back(batch=campaign.batches.latest("pk"), actor=None)
    assert campaign.substitutions.count() == 4
    again = finish(campaign.runs.get(metric="bleu"))
    assert again.scores.count() == again.total == 4
    finish(started(campaign, "pinc:lowercase=yes"))
    with pytest.raises(Conflict, match="Metrics have scored"):
        import_take_back(batch=campaign.batches.get(), actor=None)
    assert campaign.runs.filter(automatic=True).exists()
