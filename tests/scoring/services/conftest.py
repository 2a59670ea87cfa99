"""A campaign to run metrics over, and a run, for tests of services."""

import pytest

from scoring.runs.work import run_work
from tests.factories import make_campaign
from tests.scoring.factories import started


@pytest.fixture
def campaign():
    """4 items of two systems, which give the same text for the third: 7 texts."""
    return make_campaign(open_it=False)


@pytest.fixture
def run(campaign):
    """A run whose one chunk waits."""
    run = started(campaign, "pinc")
    run_work(run_pk=run.pk)
    run.refresh_from_db()
    return run
