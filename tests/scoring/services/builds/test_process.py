"""The process that builds: one at a time, with heartbeats, in the machine's own files."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from scoring.models import Build, WorkerBeat
from scoring.services.builds import process as module
from scoring.services.builds.process import builds_begin, builds_lock, builds_process
from scoring.tasks import builds_begin as task
from tests.scoring.services.builds.parts import asked, corpus


class Started:
    """In place of a process."""

    commands: list[list[str]]

    def __init__(self, command: list[str], **_: Any) -> None:
        self.commands.append(command)

    def wait(self) -> int:
        return 0


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> list[list[str]]:
    Started.commands = []
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
def test_it_builds_what_waits_and_beats_meanwhile(
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
