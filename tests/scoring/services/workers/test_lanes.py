"""Lanes: each has a process of its own, one at a time, with heartbeats, in the machine's files."""

import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from scoring.models import Build, WorkerBeat
from scoring.tasks import builds_begin, files_begin
from scoring.work import lanes
from scoring.work.lanes import BUILDS, CONVERSIONS
from tests import HOME
from tests.scoring.services.builds.parts import asked, corpus


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
