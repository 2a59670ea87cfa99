"""Storing scores: those of several runs in one short transaction, row sets in one statement."""

import pytest

from scoring.runs.queries import run_columns
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.usefixtures("toy_metrics")


def test_scores_are_read_as_columns_without_detail(campaign):
    run = finish(started(campaign, "toy-telling"))
    ids = list(run.scores.values_list("substitution_id", flat=True))
    assert run_columns(runs=[run], substitutions=ids)[run.pk].tolist() == [1.0] * len(ids)
