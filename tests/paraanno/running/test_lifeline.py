"""Processes that end with the one that started them, even by kill -9."""

import os
import socket
import subprocess
import sys
import time

import psutil
import pytest

from paraanno.running import start
from paraanno.running.supervision import SUPERVISED, SUPERVISOR, WAITER
from tests import HOME
from tests.live import free_port
from tests.live_parts import clean_environment

pytestmark = pytest.mark.slow  # Processes are started and killed.

# The child holds on to the pipe from which the test reads: its end is the end of the pipe.
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE)
child.wait()
"""
CHILD = """
import os, sys
from paraanno.running import supervision

parent = os.getppid()
supervision.{call}
print("ready", flush=True)
sys.stdin.read()  # Until the parent has ended.
{after}
print("survived", flush=True)
"""
# Until the kernel has given it another parent; it kills at the same moment.
ORPHANED = "while os.getppid() == parent: pass\nimport time; time.sleep(0.05)"
LONG = "import threading; threading.Event().wait(60)"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel of Linux")


def said_after_the_end(call, after, **variables):
    """What the child says after its parent was killed."""
    program = CHILD.format(call=call, after=after)
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, program],
        cwd=HOME,
        env=clean_environment(**variables),
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        return parent.stdout.read()


@linux
@pytest.mark.parametrize(
    ("call", "variables"),
    [("die_with_parent(parent)", {}), ("die_with_supervisor()", {SUPERVISED: "folder"})],
)
def test_the_kernel_ends_the_child(call, variables):
    assert said_after_the_end(call, ORPHANED, **variables) == ""


def test_without_a_supervisor_a_server_lives_on():
    assert said_after_the_end("die_with_supervisor()", ORPHANED) == "survived\n"


def test_a_watching_thread_ends_the_child():
    assert said_after_the_end("watch_parent(parent)", LONG) == ""


@linux
def test_who_asks_too_late_ends_at_once():
    program = "from paraanno.running import supervision; supervision.die_with_parent(0)"
    done = subprocess.run([sys.executable, "-c", program], cwd=HOME, check=False)
    assert done.returncode == -9


# Server processes of a data folder: found by their environment, ended if left behind.


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
    process = sleeper(start.marks(other))
    assert [one.pid for one in start.supervised(other)] == [process.pid]
    assert start.supervised(mine) == []
    start.end(start.supervised(mine))
    assert process.poll() is None
    start.end(start.supervised(other))
    process.wait(PATIENCE)


def test_a_supervisor_is_in_use_while_its_starter_lives(tmp_path, sleeper):
    marks = start.marks(tmp_path)
    sleeper(marks, "another program")
    assert start.running(start.supervised(tmp_path)) is None
    process = sleeper(marks, SUPERVISOR)
    found = start.running(start.supervised(tmp_path))
    assert found is not None and found.pid == process.pid


@pytest.mark.parametrize("born", ["0", "", "soon"])
def test_a_starter_whose_number_another_process_has_is_dead(tmp_path, sleeper, born):
    started_by = f"{os.getpid()}:{born}"
    sleeper({**start.marks(tmp_path), start.STARTED_BY: started_by}, SUPERVISOR)
    assert len(start.supervised(tmp_path)) == 1
    assert start.running(start.supervised(tmp_path)) is None


def test_who_does_not_end_when_asked_is_killed(tmp_path, sleeper, monkeypatch):
    monkeypatch.setattr(start, "PATIENCE", 0.2)
    process = sleeper(start.marks(tmp_path), "deaf")
    start.end(start.supervised(tmp_path))
    assert not psutil.pid_exists(process.pid)


# Workers begin when the web server answers, or when somebody asks for them.


def begin(*arguments):
    """The waiter, which has not begun its command yet."""
    process = subprocess.Popen([*WAITER, *arguments])
    time.sleep(0.4)
    assert process.poll() is None
    return process


def test_the_command_begins_with_the_first_answer(tmp_path):
    port, mark = free_port(), tmp_path / "mark"
    process = begin("answers", f"127.0.0.1:{port}", "/bin/touch", str(mark))
    with socket.create_server(("127.0.0.1", port)) as server:
        connection, _ = server.accept()
        time.sleep(0.2)
        assert process.poll() is None  # It listens, and does not answer yet.
        assert not mark.exists()
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
        assert process.wait(timeout=30) == 0
        connection.close()
    assert mark.exists()


def test_it_does_not_outlive_the_process_that_started_it(tmp_path):
    port, said = free_port(), tmp_path / "said"
    command = [*WAITER, "answers", f"127.0.0.1:{port}", "/bin/touch", str(said)]
    code = f"import subprocess, time; subprocess.Popen({command!r}); time.sleep(0.4)"
    subprocess.run([sys.executable, "-c", code], check=True)
    time.sleep(0.3)
    with socket.create_server(("127.0.0.1", port)):
        time.sleep(0.5)
    assert not said.exists()


def test_a_file_asks_once(tmp_path):
    asks, mark = tmp_path / "asked", tmp_path / "mark"
    process = begin("wanted", str(asks), "/bin/touch", str(mark))
    assert not mark.exists()
    asks.touch()
    assert process.wait(timeout=30) == 0
    assert mark.exists() and not asks.exists()
