"""Real workers, killed with -9 in the middle of a run: every score is there once."""

import pytest

from scoring.models import Run
from tests.scoring.services.runs.live_runs import begin, end_whole, move_on

pytestmark = pytest.mark.usefixtures("unannounced")
SITES = [
    pytest.param({}, id="sqlite-filesystem"),
    pytest.param(
        {"database": "postgresql", "broker": "redis"},
        id="postgresql-redis",
        marks=[pytest.mark.postgres, pytest.mark.service("redis"), pytest.mark.nightly],
    ),
    pytest.param(
        {"database": "postgresql", "broker": "rabbitmq"},
        id="postgresql-rabbitmq",
        marks=[pytest.mark.postgres, pytest.mark.service("rabbitmq")],
    ),
]
ITEMS = 1500


@pytest.mark.parametrize("options", SITES)
def test_killed_workers_lose_no_score_and_double_none(live_site, options):
    site = live_site(**options)
    begin(site, "bleu", "pinc", items=ITEMS)
    site.start("worker")
    # A second kill finds the same rows of runs whatever database and broker there are.
    for _ in range(1 if options else 2):
        move_on(site)
        site.kill("worker")
        site.start("worker")
    end_whole(site)
    with site.database():
        assert set(Run.objects.values_list("total", flat=True)) == {2 * ITEMS - ITEMS // 3}
