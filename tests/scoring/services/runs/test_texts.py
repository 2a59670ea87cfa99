"""What a run gives to its metric: pairs of texts, read without a transaction."""

from tests.scoring.services.runs.parts import later
from tests.scoring.services.runs.started import finish, started


def test_texts_that_come_later_are_not_the_runs_own(campaign):
    run = started(campaign, "pinc")
    later(campaign)
    run = finish(run)
    assert run.total == run.done == run.scores.count() == 7
    late = run.system_scores.filter(system__label="late")
    assert [(one.n, one.value) for one in late] == [(0, None)] * len(late)
