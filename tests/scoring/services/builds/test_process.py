"""The process that builds: one at a time, with heartbeats, in the machine's own files."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from scoring.models import Build, WorkerBeat
from scoring.services.builds import process as module
from scoring.services.builds.process import builds_begin, builds_lock, builds_process
from scoring.tasks import builds_begin as task
from tests import HOME
from tests.scoring.services.builds.parts import asked, corpus


class Started:
    """In place of a process."""

    commands: list[list[str]]

    def __init__(self, command: list[str], **_: Any) -> None:
        self.commands.append(command)

    returncode, pid = 0, 1

    def wait(self) -> int:
        return self.returncode

    def poll(self) -> int:
        return self.returncode


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> list[list[str]]:
    Started.commands = []
    module._started.clear()
    monkeypatch.setattr(module.subprocess, "Popen", Started)
    return Started.commands


def test_a_process_is_started_unless_one_is_there(commands: list[list[str]]) -> None:
    task(1)
    (command,) = commands
    assert command[1:4] == ["-m", "django", "work_builds"]
    with builds_lock().acquire(blocking=False):
        assert builds_begin() is None
    assert len(commands) == 1


@pytest.mark.django_db
def test_it_builds_what_waits_as_a_live_worker(
    tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = asked(corpus(tmp_path))
    alive: list[tuple[list[str], bool]] = []

    def watched() -> int:
        beat = WorkerBeat.objects.get()
        alive.append((beat.queues, beat.stopped_at is None))
        return real()

    real = module.builds_work
    monkeypatch.setattr(module, "builds_work", watched)
    with builds_lock().acquire(blocking=False):
        assert builds_process() == 0
    assert builds_process() == 1
    assert alive == [(["paraanno.build"], True)]
    assert WorkerBeat.objects.get().stopped_at is not None
    assert Build.objects.get() == build and Build.objects.get().status == "done"


KEEPS_THE_LOCK = """
import ctypes, django
django.setup()
from scoring.services.builds import process
process.BEAT_SECONDS = 0.1
process.builds_work = lambda: ctypes.PyDLL(None).sleep(3)  # Python's lock is held meanwhile.
with process.beats_apart():
    process.builds_process()
"""


def test_it_beats_while_a_library_keeps_the_lock_of_python(live_site: Any) -> None:
    site = live_site(database="sqlite")
    begun = subprocess.Popen(
        [sys.executable, "-c", KEEPS_THE_LOCK], cwd=HOME,
        env=site.environment | {"DJANGO_SETTINGS_MODULE": "paraanno.settings"},
    )  # fmt: skip

    def beats() -> list[Any]:
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


def test_an_ended_process_is_waited_for(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.Popen
    monkeypatch.setattr(
        module.subprocess, "Popen", lambda command, **options: real(["true"], **options)
    )
    process = builds_begin()
    assert process is not None
    until = time.monotonic() + 10
    while process.returncode is None and time.monotonic() < until:
        time.sleep(0.02)
    assert process.returncode == 0


def test_a_dead_process_is_told_at_once(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = subprocess.Popen
    monkeypatch.setattr(
        module.subprocess, "Popen", lambda command, **options: real(["false"], **options)
    )
    lost: list[int] = []
    monkeypatch.setattr(module, "beat_lost", lambda *, pid: lost.append(pid))
    told = threading.Event()
    process = builds_begin(told.set)
    assert process is not None and told.wait(30)
    assert lost == [process.pid]


def test_a_process_that_was_just_started_is_not_started_again(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.Popen
    monkeypatch.setattr(
        module.subprocess, "Popen", lambda command, **options: real(["sleep", "60"], **options)
    )
    monkeypatch.setattr(module, "beat_lost", lambda *, pid: None)
    told = threading.Event()
    process = builds_begin(told.set)
    assert process is not None and builds_begin() is None
    process.kill()
    assert told.wait(30)
