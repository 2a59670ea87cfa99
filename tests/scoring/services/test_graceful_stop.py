"""A worker that stops gives back what its processes have, and nothing of others."""

import pytest
from django.db.models.functions import Now

from scoring.models import Report, Run
from scoring.services.graceful_stop import claims_give_back
from scoring.services.workers.heartbeats import process_name
from tests.factories import make_user
from tests.scoring.services.at_work import at_work

pytestmark = pytest.mark.django_db


def test_its_own_claims_wait_again_and_the_attempt_does_not_count(run):
    assert at_work(run).worker != process_name()
    assert claims_give_back() == 0 and run.chunks.get().status == "running"
    at_work(run, worker=process_name())
    report = Report.objects.create(
        campaign=run.campaign, kind="agreement", fingerprint="x", status="running",
        worker=process_name(), attempts=2, started_at=Now(), created_by=make_user("alice"),
    )  # fmt: skip
    assert claims_give_back() == 2
    assert (run.chunks.get().status, run.chunks.get().attempts) == ("queued", 0)
    report.refresh_from_db()
    assert (report.status, report.worker, report.attempts) == ("queued", "", 1)
    assert claims_give_back() == 0


def test_a_run_under_preparation_waits_again(run):
    Run.objects.filter(pk=run.pk).update(status="preparing", worker=process_name())
    assert claims_give_back() == 1
    run.refresh_from_db()
    assert (run.status, run.worker) == ("queued", "")
