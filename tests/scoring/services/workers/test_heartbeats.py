"""Heartbeats of workers, and whether the process that signed a claim may still work on it."""

import os
import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from paraanno.jobs.engine import process_name, worker_name
from scoring.models import WorkerBeat
from scoring.work.workers import Owners, beat, beat_lost, beat_start, beat_stop
from tests.scoring.services import at_work


def ended_pid():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def own():
    return WorkerBeat.objects.get(name=worker_name())


def test_a_process_is_named_by_its_worker_and_number():
    assert process_name() == f"{worker_name()}/{os.getpid()}"
    assert worker_name().startswith(socket.gethostname()[:60])


def test_a_worker_starts_beats_and_stops():
    assert beat_start(queues=["paraanno"], processes=2) == 0
    started = own()
    assert (started.queues, started.processes, started.memory) == (["paraanno"], 2, [])
    beat(queues=["paraanno"], processes=2)
    seen = own()
    assert seen.seen_at >= started.seen_at and seen.started_at == started.started_at
    assert seen.memory[0]["pid"] == os.getpid() and seen.memory[0]["rss"] > 10**6
    beat_stop()
    assert own().stopped_at is not None
    beat_start(queues=["paraanno"])
    assert own().stopped_at is None and WorkerBeat.objects.count() == 1


def test_a_heartbeat_registers_anew_where_the_row_is_gone():
    beat_start(queues=["paraanno"])
    WorkerBeat.objects.all().delete()
    beat(queues=["mine"], processes=3)
    assert (own().queues, own().processes) == (["mine"], 3)


def test_a_worker_whose_death_is_known_is_lost_at_once():
    beat_start(queues=["q"])
    for pid in (os.getpid() + 1, os.getpid()):
        beat_lost(pid=pid)
        assert (own().lost_at is not None) == (pid == os.getpid())


def test_a_start_finds_the_dead_of_its_own_host():
    here = socket.gethostname()[:100]
    at_work.beat("dead", host=here, pid=ended_pid())
    # A number that the system has given to this process since.
    at_work.beat("followed", host=here, pid=os.getpid())
    at_work.beat("lives", host=here, pid=os.getppid())
    at_work.beat("far", pid=ended_pid())
    at_work.beat("forgotten", ago=timedelta(days=8))
    assert beat_start(queues=[]) == 2
    assert {one.name: one.lost_at is not None for one in WorkerBeat.objects.all()} == {
        "dead": True,
        "followed": True,
        "lives": False,
        "far": False,
        worker_name(): False,
    }
    assert beat_start(queues=[]) == 0


@pytest.mark.parametrize("old", [True, False])
def test_of_the_own_worker_the_process_itself_is_asked(old):
    owners = Owners()  # No heartbeat is needed.
    assert not owners.is_gone(process_name(), old=old)
    assert owners.is_gone(f"{worker_name()}/{ended_pid()}", old=old)
    assert owners.is_gone(f"{worker_name()}/none", old=old)


def test_another_worker_is_gone_with_its_heartbeats():
    at_work.beat("lives", ago=timedelta(seconds=5))
    at_work.beat("silent", ago=timedelta(minutes=1))
    at_work.beat("stopped", stopped_at=Now())
    owners = Owners()
    assert not owners.is_gone("lives/7", old=True)
    assert owners.is_gone("silent/7", old=False) and owners.is_gone("stopped/7", old=False)
    # A command, or a worker that is just starting, has sent none yet.
    assert not owners.is_gone("unknown/7", old=False)
    assert owners.is_gone("unknown/7", old=True)


def test_two_queries_answer_for_all_processes(django_assert_num_queries):
    with django_assert_num_queries(2):
        owners = Owners()
        for n in range(5):
            owners.is_gone(f"worker-{n}/1", old=False)


def test_a_process_of_another_user_is_running(monkeypatch):
    def refuse(_pid, _signal):
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert not Owners().is_gone(f"{worker_name()}/1", old=True)
