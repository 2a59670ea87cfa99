"""Runs at work in real processes, whose lines are cut and whose worker is not there."""

from urllib.parse import urlsplit, urlunsplit

import psutil
import pytest

from scoring.models import Run, WorkerBeat
from tests.proxy import Proxy
from tests.scoring.services.runs.live_runs import begin, end_whole, move_on


@pytest.fixture
def cut_line():
    """A line to the site's database or broker, by its variable, that can be cut; only processes
    started later take it."""
    made = []

    def between(site, variable):
        url = urlsplit(site.environment[variable])
        port = url.port or {"redis": 6379}.get(url.scheme, 5432)
        made.append(Proxy(port, url.hostname or "127.0.0.1"))
        place = f"{url.netloc.rpartition('@')[0]}@" if "@" in url.netloc else ""
        site.environment[variable] = urlunsplit(
            url._replace(netloc=f"{place}127.0.0.1:{made[0].port}")
        )
        return made[0]

    yield between
    for proxy in made:
        proxy.close()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("variable", "broker"),
    [
        ("DATABASE_URL", "filesystem"),
        pytest.param(
            "BROKER_URL", "redis", marks=[pytest.mark.service("redis"), pytest.mark.nightly]
        ),
    ],
)
@pytest.mark.usefixtures("unannounced")
def test_a_line_that_is_cut_costs_time_and_no_score(
    live_site,
    cut_line,
    variable,
    broker,
):
    site = live_site(database="postgresql", broker=broker)
    begin(site, "bleu", "pinc")
    straight = site.environment[variable]
    proxy = cut_line(site, variable)
    site.start("worker")
    site.environment[variable] = straight
    for _ in range(2):
        move_on(site)
        proxy.set("cut")
        proxy.set("open")
    end_whole(site)


@pytest.mark.slow
@pytest.mark.usefixtures("unannounced")
def test_the_heavy_worker_takes_its_queues_and_the_other_does_not(
    live_site,
):
    """A run of a queue without workers waits; its worker then takes it, even without a message."""
    site = live_site()
    usual, heavy = begin(site, "pinc", "bleu", items=30)
    with site.database():
        Run.objects.filter(pk=heavy.pk).update(queue="korean")
    site.start("worker")

    def status(run):
        with site.database():
            return Run.objects.get(pk=run.pk).status

    site.until(lambda: status(usual) == "done", "the usual run ends")
    assert status(heavy) == "queued"
    site.start("heavy")
    site.until(lambda: status(heavy) == "done", "the other one too")


@pytest.mark.slow
def test_a_worker_stops_although_a_task_does_not_end(live_site):
    """Its pool is frozen with a task on it: without help the worker would wait for ever."""
    site = live_site()
    site.start("worker")
    main = psutil.Process(site.processes["worker"].pid)
    for child in main.children():
        child.suspend()
    [run] = begin(site, "pinc", items=5)
    log = site.log_path("worker")
    site.until(lambda: b"received" in log.read_bytes(), "it has the task")
    site.stop("worker")
    assert "unfinished: they wait again" in log.read_text("utf-8")
    with site.database():
        assert WorkerBeat.objects.get().stopped_at is not None
        assert Run.objects.get(pk=run.pk).status == "queued"


# Real workers, killed with -9 in the middle of a run: every score is there once.


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
