"""Runs that are done, for tests of services."""

from __future__ import annotations

import pytest

from scoring.models import Run
from scoring.services.runs.start import run_start
from scoring.services.runs.work import run_work
from tests.factories import make_campaign


@pytest.fixture
def run() -> Run:
    """A run whose one chunk waits."""
    run = run_start(campaign=make_campaign(items=2, open_it=False), spec="pinc", actor=None)
    run_work(run_pk=run.pk)
    return Run.objects.get(pk=run.pk)
