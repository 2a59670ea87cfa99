"""What a run gives to its metric: pairs of texts, read without a transaction."""

from __future__ import annotations

import pytest

from tests.factories import add_items, item_rows, make_campaign
from tests.scoring.services.runs.started import finish, started

pytestmark = pytest.mark.django_db


def test_only_outputs_are_scored() -> None:
    campaign = make_campaign(items=2, open_it=False)
    row = item_rows(1, 1)[0]
    add_items(campaign, [{**row, "paraphrase": "a control", "system": None, "role": "control"}])
    run = finish(started(campaign, "pinc"))
    assert set(run.scores.values_list("substitution__role", flat=True)) == {"output"}


def test_texts_that_come_later_are_not_the_runs_own() -> None:
    campaign = make_campaign(items=2, open_it=False)
    run = started(campaign, "pinc")
    before = run.total
    row = item_rows(1, 1)[0]
    add_items(campaign, [{**row, "paraphrase": "later", "system": "late"}])
    run = finish(run)
    assert run.total == run.done == run.scores.count()
    assert run.total in (before, 4)
    late = run.system_scores.filter(system__label="late")
    assert [(one.n, one.value) for one in late] == [(0, None)] * len(late)
