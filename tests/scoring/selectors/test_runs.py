"""Reading runs: their progress, and their scores as arrays."""

from scoring.runs.queries import newest_done_runs, run_columns
from tests.factories import make_campaign
from tests.scoring.services.runs.started import finish, started


def test_columns_are_aligned_with_the_units_asked_for():
    campaign = make_campaign(items=3, open_it=False)
    run = finish(started(campaign, "pinc"))
    assert newest_done_runs(campaign=campaign) == [run]
    ids = list(campaign.substitutions.order_by("-pk").values_list("pk", flat=True))
    column = run_columns(runs=[run], substitutions=[*ids, 10**9])[run.pk]
    stored = dict(run.scores.values_list("substitution_id", "value"))
    assert column[:-1].tolist() == [stored[pk] for pk in ids]
    assert column[-1] != column[-1]
