"""Storing scores: those of several runs in one short transaction, row sets in one statement."""

from __future__ import annotations

import pytest

from scoring.models import Score
from scoring.selectors.runs import run_columns
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_metrics")]


def test_scores_are_read_as_columns_without_detail() -> None:
    campaign = make_campaign(items=2, open_it=False)
    run = finish(started(campaign, "toy-telling"))
    ids = list(Score.objects.filter(run=run).values_list("substitution_id", flat=True))
    assert run_columns(runs=[run], substitutions=ids)[run.pk].tolist() == [1.0] * len(ids)
