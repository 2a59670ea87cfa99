"""Server processes of a data folder: found by their environment, ended if left behind."""

import os
import subprocess
import sys

import psutil
import pytest

from paraanno.running import stale
from paraanno.running.supervision import SUPERVISOR

pytestmark = pytest.mark.slow  # Processes are started and killed.

PATIENCE = 60
PROGRAM = """
import signal, sys

if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(flush=True)
sys.stdin.read()
"""


@pytest.fixture
def sleeper():
    """Starts processes that do nothing, with marks and arguments of their own."""
    started = []

    def start(marks, *arguments):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *arguments],
            env={**os.environ, **marks},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        assert process.stdout is not None and process.stdout.readline() == b"\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_processes_of_other_folders_are_never_found(tmp_path, sleeper):
    mine, other = tmp_path / "mine", tmp_path / "mine-too"
    process = sleeper(stale.marks(other))
    assert [one.pid for one in stale.supervised(other)] == [process.pid]
    assert stale.supervised(mine) == []
    stale.end(stale.supervised(mine))
    assert process.poll() is None
    stale.end(stale.supervised(other))
    process.wait(PATIENCE)


def test_a_supervisor_is_in_use_while_its_starter_lives(tmp_path, sleeper):
    marks = stale.marks(tmp_path)
    sleeper(marks, "another program")
    assert stale.running(stale.supervised(tmp_path)) is None
    process = sleeper(marks, SUPERVISOR)
    found = stale.running(stale.supervised(tmp_path))
    assert found is not None and found.pid == process.pid


@pytest.mark.parametrize("born", ["0", "", "soon"])
def test_a_starter_whose_number_another_process_has_is_dead(tmp_path, sleeper, born):
    started_by = f"{os.getpid()}:{born}"
    sleeper({**stale.marks(tmp_path), stale.STARTED_BY: started_by}, SUPERVISOR)
    assert len(stale.supervised(tmp_path)) == 1
    assert stale.running(stale.supervised(tmp_path)) is None


def test_who_does_not_end_when_asked_is_killed(tmp_path, sleeper, monkeypatch):
    monkeypatch.setattr(stale, "PATIENCE", 0.2)
    process = sleeper(stale.marks(tmp_path), "deaf")
    stale.end(stale.supervised(tmp_path))
    assert not psutil.pid_exists(process.pid)
