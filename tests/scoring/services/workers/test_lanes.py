"""Lanes: each has a process of its own, one at a time, with heartbeats, in the machine's files."""

import os
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from paraanno.jobs.engine import process_name, worker_name
from scoring.models import Build, WorkerBeat
from scoring.tasks import builds_begin, files_begin
from scoring.work import lanes
from scoring.work.lanes import BUILDS, CONVERSIONS
from scoring.work.workers import Owners, beat, beat_lost, beat_start, beat_stop
from tests import HOME
from tests.scoring.builds import asked, corpus
from tests.scoring.services import at_work


@pytest.fixture
def instead(monkeypatch, data_dir):
    """Let another command run in place of a lane's; answers those asked for."""
    for lane in (BUILDS, CONVERSIONS):
        lane._started.clear()
    real = subprocess.Popen

    def run(*command):
        commands = []

        def start(argv, **options):
            commands.append(argv)
            return real(command, **options)

        monkeypatch.setattr(lanes.subprocess, "Popen", start)
        return commands

    return run


@pytest.mark.parametrize(
    ("lane", "task", "name"),
    [(BUILDS, builds_begin, "work_builds"), (CONVERSIONS, files_begin, "work_files")],
)
def test_a_process_is_started_unless_one_is_there(lane, task, name, instead):
    commands = instead("true")
    task(1)
    [command] = commands
    assert command[1:4] == ["-m", "django", name]
    lane._started.clear()
    with lane.lock().acquire(blocking=False):
        assert lane.begin() is None
    assert len(commands) == 1


def test_no_lane_waits_for_another(instead):
    commands = instead("true")
    with CONVERSIONS.lock().acquire(blocking=False):
        builds_begin(1)
    assert len(commands) == 1


def test_it_does_what_waits_as_a_live_worker(tmp_path, data_dir):
    build = asked(corpus(tmp_path))
    alive = []

    def watched():
        beat = WorkerBeat.objects.get()
        alive.append((beat.queues, beat.stopped_at is None))
        return BUILDS.work()

    lane = replace(BUILDS, work=watched)
    with BUILDS.lock().acquire(blocking=False):
        assert lane.run() == 0
    assert lane.run() == 1
    assert alive == [(["paraanno.build"], True)]
    assert WorkerBeat.objects.get().stopped_at is not None
    assert Build.objects.get() == build and Build.objects.get().status == "done"


KEEPS_THE_LOCK = """
import ctypes, django
django.setup()
from dataclasses import replace
from scoring.work import lanes
lanes.BEAT_SECONDS = 0.1
# Python's lock is held meanwhile.
lane = replace(lanes.BUILDS, work=lambda: ctypes.PyDLL(None).sleep(3))
with lanes.beats_apart():
    lane.run()
"""


@pytest.mark.slow
def test_it_beats_while_a_library_keeps_the_lock_of_python(live_site):
    site = live_site(database="sqlite")
    begun = subprocess.Popen(
        [sys.executable, "-c", KEEPS_THE_LOCK],
        cwd=HOME,
        env=site.environment | {"DJANGO_SETTINGS_MODULE": "paraanno.settings"},
    )

    def beats():
        return list(WorkerBeat.objects.values_list("seen_at", "started_at", "stopped_at"))

    with site.database():
        site.until(beats, "it has registered")
        site.until(
            lambda: (beats()[0][0] - beats()[0][1]).total_seconds() > 1, "it beats", patience=20
        )
        assert beats()[0][2] is None
        assert begun.poll() is None
        assert begun.wait(timeout=60) == 0
        assert beats()[0][2] is not None


def test_an_ended_process_is_waited_for(instead):
    instead("true")
    process = BUILDS.begin()
    until = time.monotonic() + 10
    while process.returncode is None and time.monotonic() < until:
        time.sleep(0.02)
    assert process.returncode == 0


def test_a_dead_process_is_known_at_once(instead, monkeypatch):
    instead("false")
    lost = []
    monkeypatch.setattr(lanes, "beat_lost", lambda *, pid: lost.append(pid))
    dead = threading.Event()
    process = BUILDS.begin(dead.set)
    assert dead.wait(30) and lost == [process.pid]


def test_a_process_that_was_just_started_is_not_started_again(instead, monkeypatch):
    instead("sleep", "60")
    monkeypatch.setattr(lanes, "beat_lost", lambda *, pid: None)
    dead = threading.Event()
    process = BUILDS.begin(dead.set)
    assert BUILDS.begin() is None
    process.kill()
    assert dead.wait(30)


# Heartbeats of workers, and whether the process that signed a claim may still work on it.


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
