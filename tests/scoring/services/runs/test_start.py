"""Metric runs: starting, cancelling, trying again."""

import sys

import pytest

from annotation.campaigns.services import campaign_create
from annotation.errors import Invalid
from scoring.models import Run
from scoring.runs.start import run_cancel, run_retry
from scoring.runs.work import run_work
from tests.scoring.services.runs.started import finish, started


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
    empty = campaign_create(actor=None, slug="empty")
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
