"""What runs when, and that an interrupted run leaves nothing behind."""

import os
import re
import signal
import subprocess
import sys
import time

import psutil
import pytest
from _pytest.mark.expression import Expression

from tests import HOME, live_parts, shared
from tests.__main__ import SIMULATED

VICTIM = """
import subprocess, sys, time
from pathlib import Path
from tests import live_parts

def test_waits(tmp_path):
    live_parts.new_postgres()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"],
                             start_new_session=True)
    Path({ready!r}).write_text(str(child.pid))
    time.sleep(300)
"""


def test_what_has_sql_of_its_own_runs_on_postgres():
    """One of the files that run there imports it."""
    assert [path for path in shared.on_postgres() if not shared.there(path)] == []
    own = [".".join(one.with_suffix("").parts) for one in shared.with_own_sql()]
    assert len(own) > 30
    there = "\n".join(
        path.read_text("utf-8")
        for path in (HOME / "tests").rglob("*.py")
        if str(path.relative_to(HOME)).startswith(shared.on_postgres())
    )
    lacking = [
        module
        for module in own
        for folder, _, name in [module.rpartition(".")]
        if not re.search(rf"from {module} import|from {folder} import .*\b{name}\b", there)
    ]
    assert lacking == []


def test_simulations_run_in_full_at_every_size():
    """Not only those that are nightly elsewhere."""
    assert Expression.compile(SIMULATED).evaluate(lambda mark, **_: mark in {"slow", "simulation"})
    drawing = [
        path
        for path in (HOME / "tests").rglob("test_*.py")
        if re.search(r"from tests.simulate import .*\bslack\b", path.read_text("utf-8"))
    ]
    assert len(drawing) > 5
    assert [p for p in drawing if "mark.simulation" not in p.read_text("utf-8")] == []


@pytest.mark.postgres
@pytest.mark.parametrize(
    "sign",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.nightly),
        pytest.param(signal.SIGKILL, marks=pytest.mark.nightly),
    ],
)
def test_who_is_interrupted_leaves_no_database_no_folder_and_no_process(sign, tmp_path):
    """Whoever is killed at once cannot tidy: the next run does it."""
    ready = tmp_path / "ready"
    victim = tmp_path / "test_victim.py"
    victim.write_text(VICTIM.format(ready=str(ready)))
    # A run of its own, with another run's folder as the place of temporary files.
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(HOME)}
    del environment[shared.VARIABLE]
    run = subprocess.Popen(
        [sys.executable, "-m", "tests", str(victim), "-p", "no:cacheprovider"],
        cwd=HOME,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Who runs in the background of a shell ignores Ctrl-C, and so would this.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    folder = tmp_path / f"paraanno-{shared.HOST}-{run.pid}"
    databases = shared.database_prefix(str(run.pid))
    until(ready.exists)
    child = int(ready.read_text())
    assert folder.is_dir()
    assert len(live_parts.databases(databases)) == 2  # The template and its copy.
    run.send_signal(sign)
    assert run.wait(timeout=60) == (130 if sign != signal.SIGKILL else -signal.SIGKILL)
    if sign == signal.SIGKILL:
        begin = [sys.executable, "-c", "from tests import shared; shared.begin()"]
        subprocess.run(begin, cwd=HOME, env=environment, check=True, timeout=120)
    assert list(tmp_path.glob("paraanno-*")) == []
    assert live_parts.databases(databases) == []
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == "zombie"


def until(condition):
    end = time.monotonic() + 300  # Two cores may be shared by many.
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
