"""`make run` for real: the start program, its supervisor, and what is left when it is killed."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from paraanno.running import start
from paraanno.running.supervision import WAITER, wanted_file
from tests import HOME
from tests.live import Site, free_port
from tests.live_parts import clean_environment

pytestmark = pytest.mark.slow  # Processes are started and killed.

PATIENCE = 180


class Instance:
    """An instance started as `make run` does it: a starter (make) that waits for the program."""

    def __init__(self, data_dir):
        self.data_dir = data_dir
        self.port = free_port()
        self.starter = None

    def start(self):
        # The shell stands for make: it starts the program and waits.
        before = {process.pid for process in self.processes()}
        with (self.data_dir / "output").open("ab") as output:
            self.starter = subprocess.Popen(
                ["sh", "-c", f"'{sys.executable}' -m paraanno.running.start; exit $?"],
                cwd=HOME,
                env=self.environment(),
                start_new_session=True,
                stdout=output,
                stderr=output,
            )
        self.until(
            lambda: self.health() and not before & {process.pid for process in self.processes()},
            "the new site answers",
        )

    def start_and_end(self):
        """A start that is expected to be refused."""
        return subprocess.run(
            [sys.executable, "-m", "paraanno.running.start"],
            cwd=HOME,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def environment(self):
        return clean_environment(PARAANNO_DATA_DIR=str(self.data_dir), PARAANNO_PORT=str(self.port))

    def output(self):
        return (self.data_dir / "output").read_text("utf-8")

    health = Site.health  # Of a port, too.

    def processes(self, word=""):
        found = []
        for one in start.supervised(self.data_dir):
            with contextlib.suppress(psutil.NoSuchProcess):  # It ended since, or is a zombie now.
                if word in " ".join(one.cmdline()):
                    found.append(one)
        return found

    def until(self, condition, what, *, patience=PATIENCE):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"Never came true: {what}.\n{self.output()[-3000:]}")
            time.sleep(0.1)

    def main_process(self, word):
        """The oldest of a kind: the parent of the others."""
        return min(self.processes(word), key=lambda one: (one.create_time(), one.pid))

    def interrupt(self):
        """Ctrl-C: the terminal tells the whole group in front."""
        assert self.starter is not None
        os.killpg(self.starter.pid, signal.SIGINT)
        self.starter.wait(PATIENCE)

    def clean_up(self):
        """Also of a start that is still under way, and of earlier ones whose starter is gone."""
        if self.starter:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.starter.pid, signal.SIGKILL)
            self.starter.wait()
        while left := self.processes():
            for process in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(left, timeout=1)


@pytest.fixture
def instance():
    with tempfile.TemporaryDirectory(prefix="paraanno-start-") as folder:
        made = Instance(Path(folder))
        yield made
        made.clean_up()


def test_first_start_demo_kills_and_interrupt(instance):
    instance.start()
    logins = instance.data_dir / "demo_logins.txt"
    assert logins.stat().st_mode & 0o777 == 0o600
    assert logins.read_text("utf-8").strip() in instance.output()
    assert f"http://127.0.0.1:{instance.port}/" in instance.output()
    instance.until(lambda: (instance.health() or {})["worker"]["ok"], "a worker lives")

    # The demo has no heavy metric; the first one that is asked for brings its worker.
    assert instance.main_process("heavy@").cmdline()[: len(WAITER)] == WAITER
    wanted_file(instance.data_dir).touch()
    instance.until(
        lambda: instance.main_process("heavy@").cmdline()[1:3] == ["-m", "paraanno.worker"],
        "the heavy worker comes",
    )

    for word in ("gunicorn", "worker@", "heavy@"):
        old = instance.main_process(word)
        before = {process.pid for process in instance.processes(word)}
        old.kill()
        instance.until(
            lambda word=word, before=before: (
                (now := {process.pid for process in instance.processes(word)}) and not now & before
            ),
            f"{word} came back and its children ended",
        )
    instance.until(lambda: instance.health() is not None, "the site answers again")

    refused = instance.start_and_end()
    assert refused.returncode == 1
    assert "already runs" in refused.stderr

    instance.interrupt()
    # The kernel takes a moment to end the children of what has ended.
    instance.until(lambda: instance.processes() == [], "nothing is left", patience=10)
    assert instance.health() is None


def test_port_in_use_is_told_and_changes_nothing(instance):
    with socket.create_server(("127.0.0.1", instance.port)):
        refused = instance.start_and_end()
    assert refused.returncode == 1
    assert f"port {instance.port} is in use" in refused.stderr
    assert "PARAANNO_PORT" in refused.stderr
    assert instance.processes() == []


def test_a_site_that_cannot_be_prepared_says_why_and_leaves_nothing(instance):
    """The web server, which loads meanwhile, never answers."""
    (instance.data_dir / "paraanno.sqlite3").write_text("no database at all")
    refused = instance.start_and_end()
    assert refused.returncode == 1
    assert "paraanno cannot start: the database refuses" in refused.stderr
    assert "serves at" not in refused.stdout
    assert instance.processes() == [] and instance.health() is None
