"""The worker of heavy metrics runs while there is work for it, where a supervisor starts it; what
rests gives its memory back."""

import os

import billiard.pool
import psutil
import pytest
from django.utils import timezone

from paraanno.running.supervision import HEAVY_QUEUES, SUPERVISED, wanted_file
from scoring.models import Run
from scoring.work import workers
from scoring.work.workers import (
    GROWN,
    IDLE_SECONDS,
    ask_for_waiting,
    ask_for_worker,
    is_needless,
    queue_name,
    renew_pool,
)
from tests.scoring.factories import progress_of, started

USUAL, HEAVY = [queue_name("")], [queue_name(one) for one in HEAVY_QUEUES]


@pytest.fixture
def wanted(data_dir, monkeypatch):
    """The file that asks; the process counts as started by `make run`."""
    monkeypatch.setenv(SUPERVISED, str(data_dir))
    monkeypatch.setattr(workers.current_app, "send_task", lambda *_, **__: None)
    return wanted_file(data_dir)


@pytest.mark.usefixtures("toy_metrics")
def test_a_run_asks_for_the_worker_of_its_queue_and_does_not_seem_to_lack_one(
    wanted,
    campaign,
    django_capture_on_commit_callbacks,
    monkeypatch,
):
    for metric in ("pinc", "toy-korean"):
        with django_capture_on_commit_callbacks(execute=True):
            run = started(campaign, metric)
        assert wanted.exists() == (metric == "toy-korean")
    assert progress_of(run).waits_for == ""
    monkeypatch.delenv(SUPERVISED)
    monkeypatch.setattr(workers, "LOADED", 0)  # Not a moment ago.
    assert progress_of(run).waits_for == "korean"


@pytest.mark.usefixtures("toy_metrics")
def test_the_other_worker_asks_again_and_an_idle_one_ends(wanted, campaign):
    ask_for_waiting(USUAL)
    assert not wanted.exists()
    run = started(campaign, "toy-korean")
    ask_for_waiting(HEAVY)
    assert not wanted.exists()
    ask_for_waiting(USUAL)
    assert wanted.exists()
    assert not is_needless(HEAVY, IDLE_SECONDS)  # There is a run, which another worker has.
    Run.objects.filter(pk=run.pk).update(status="done", finished_at=timezone.now())
    assert not is_needless(HEAVY, IDLE_SECONDS - 1)
    wanted.touch()
    assert is_needless(HEAVY, IDLE_SECONDS)
    assert not wanted.exists()  # Or the next one would begin at once.
    assert not is_needless(USUAL, IDLE_SECONDS)
    assert not is_needless([*USUAL, *HEAVY], IDLE_SECONDS)


@pytest.mark.usefixtures("toy_metrics")
def test_elsewhere_workers_run_all_the_time(data_dir, campaign):
    started(campaign, "toy-korean")
    ask_for_waiting(USUAL)
    assert not wanted_file(data_dir).exists()
    assert not is_needless(HEAVY, 10 * IDLE_SECONDS)


def test_a_file_that_cannot_be_made_stops_no_run(wanted, settings, caplog):
    settings.DATA_DIR = wanted.parent / "away"
    ask_for_worker("korean")
    assert "cannot be asked for" in caplog.text


HELD = []


def hold(size):
    HELD.append(b"1" * size)
    return os.getpid()


def test_processes_that_have_grown_are_replaced_and_others_stay(monkeypatch):
    with billiard.pool.Pool(1) as pool:
        # Of this process a browser may be a child too.
        monkeypatch.setattr(
            psutil.Process, "children", lambda main: [psutil.Process(one.pid) for one in pool._pool]
        )
        small = pool.apply(hold, [1])
        assert renew_pool(pool.apply_async) == 0
        assert pool.apply(hold, [2 * GROWN]) == small
        assert renew_pool(pool.apply_async) == 1
        assert pool.apply(hold, [1]) != small
