"""Real workers, killed with -9 in the middle of a run: every score is there once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scoring.models import Run, Score
from tests.factories import make_campaign, make_user
from tests.live import Site

SITES = [
    pytest.param({}, id="sqlite-filesystem"),
    pytest.param(
        {"database": "postgresql", "broker": "redis"},
        id="postgresql-redis",
        marks=[pytest.mark.postgres, pytest.mark.service("redis")],
    ),
    pytest.param(
        {"database": "postgresql", "broker": "rabbitmq"},
        id="postgresql-rabbitmq",
        marks=[pytest.mark.postgres, pytest.mark.service("rabbitmq")],
    ),
]
ITEMS = 1500


def begun(site: Site, specs: list[str], items: int = ITEMS) -> list[int]:
    """Runs over a campaign of the site. This process has another broker, so no message reaches the
    worker: it has to find the work by itself."""
    from scoring.services.runs.start import run_start

    campaign = make_campaign(items=items, systems=2, open_it=False)
    alice = make_user("alice")
    return [run_start(campaign=campaign, spec=spec, actor=alice).pk for spec in specs]


def done_of(site: Site, pk: int) -> int:
    with site.database():
        return int(Run.objects.values_list("done", flat=True).get(pk=pk))


def over(site: Site, pks: list[int]) -> bool:
    with site.database():
        return not Run.objects.filter(pk__in=pks, status__in=Run.ACTIVE).exists()


@pytest.mark.parametrize("options", SITES)
def test_killed_workers_lose_no_score_and_double_none(
    live_site: Callable[..., Site], options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.services.workers.notify._send", lambda *_: None)
    site = live_site(**options)
    with site.database():
        pks = begun(site, ["bleu", "pinc"])
    site.start("worker")
    # A second kill finds the same rows of runs whatever database and broker there are.
    for _ in range(1 if options else 2):
        seen = done_of(site, pks[0])
        site.until(
            lambda seen=seen: done_of(site, pks[0]) > seen or over(site, pks), "the run moves on"
        )
        site.kill("worker")
        site.start("worker")
    site.until(lambda: over(site, pks), "both runs end", patience=240)
    with site.database():
        for run in Run.objects.filter(pk__in=pks):
            assert (run.status, run.failed, run.error) == ("done", 0, "")
            assert run.done == run.total == Score.objects.filter(run=run).count()
            assert run.total == 2 * ITEMS - ITEMS // 3


def test_two_workers_share_a_run(
    live_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scoring.services.workers.notify._send", lambda *_: None)
    site = live_site()
    with site.database():
        pks = begun(site, ["pinc"], items=600)
    site.start("worker")
    site.start("worker-2")
    site.until(lambda: over(site, pks), "the run ends", patience=240)
    with site.database():
        run = Run.objects.get(pk=pks[0])
        assert run.status == "done"
        assert run.done == run.total == run.scores.count()
