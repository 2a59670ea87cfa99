"""Starting: from an installed empty state to the first page, and again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import psutil

from tests import HOME, live_parts
from tests.live import free_port
from tools.bench import rivals, table
from tools.bench.table import line, note

RIVALS = {
    "sqlite": "Potato 1.6 (no database), doccano 9.8, Label Studio 27.2",
    "postgresql": "Potato 1.6 (no database), doccano 12.6, Label Studio 23.5",
}
TIMES = 5


def measure(database: str, seconds: int) -> None:
    """Medians of five empty installations, each started twice, one Potato after each."""
    # An installation has its byte code.
    compiled = [sys.executable, "-m", "compileall", "-q", "paraanno", "annotation", "scoring"]
    subprocess.run(compiled, cwd=HOME, check=True)
    potato = rivals.program()
    first, second, theirs = [], [], []
    for _ in range(TIMES):
        one, two = _two_starts(database)
        first.append(one)
        second.append(two)
        if potato is not None:
            with rivals.server(potato, 1) as (_port, began, _memory):
                theirs.append(began)
    page = median(one.page for one in first)
    table.KEPT["start", database] = page
    beside = (
        f"Potato beside it {median(theirs):.2f} s" if theirs else f"Potato: {rivals.VARIABLE} unset"
    )
    line("(e) first start, empty, to a page", page, "s", goal=2.0, rivals=RIVALS[database])
    line("    to a live worker", median(one.worker for one in first), "s", goal=4)
    line("    user and system time until the page", median(one.cpu for one in first), "s")
    memory = median(one.memory for one in first)
    line("    memory at rest, PSS of all processes", memory, "MB", goal=300)
    line("(e) second start to a page", median(one.page for one in second), "s", goal=1.8)
    line("    user and system time until the page", median(one.cpu for one in second), "s")
    note(f"medians of {TIMES}; {beside}; load {os.getloadavg()[0]:.1f}")


def _two_starts(database: str) -> tuple[Start, Start]:
    folder = Path(tempfile.mkdtemp(prefix="paraanno-bench-"))
    port = free_port()
    environment = live_parts.clean_environment(
        PARAANNO_DATA_DIR=str(folder), PARAANNO_PORT=str(port), PARAANNO_DEMO="false"
    )
    variables, drop = ({}, _nothing) if database == "sqlite" else live_parts.new_empty_postgres()
    try:
        return start({**environment, **variables}, port), start({**environment, **variables}, port)
    finally:
        shutil.rmtree(folder)
        drop()


def _nothing() -> None:
    """SQLite's file goes with the folder."""


@dataclass(frozen=True)
class Start:
    """Seconds to the first login page and to a live worker, MB at rest after that, and the seconds
    of processors that all but workers took until the page."""

    page: float
    worker: float
    memory: float
    cpu: float


def start(environment: dict[str, str], port: int) -> Start:
    """Start an instance, and stop it again."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "paraanno.running.start"],
        cwd=HOME,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def until(path: str, holds: Callable[[bytes], bool]) -> float:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                    if holds(answer.read()):
                        return time.perf_counter() - begin
            except OSError:
                if process.poll() is not None or time.perf_counter() - begin > 120:
                    raise
            time.sleep(0.02)

    try:
        page = until("/accounts/login/", bool)
        cpu = _processor_time(process.pid)
        worker = until("/healthz", lambda answer: json.loads(answer)["worker"]["ok"])
        time.sleep(rivals.REST)
        running = psutil.Process(process.pid)
        processes = [running, *running.children(recursive=True)]
        return Start(
            page, worker, sum(one.memory_full_info().pss for one in processes) / 2**20, cpu
        )
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)


def _processor_time(pid: int) -> float:
    """User and system seconds of a start and of all that it started, but for workers at work."""
    total = 0.0
    running = psutil.Process(pid)
    for one in [running, *running.children(recursive=True)]:
        # One that has ended and was not waited for has no command line any more, but its times.
        if one.status() == psutil.STATUS_ZOMBIE or one.cmdline()[1:3] != [
            "-m",
            "paraanno.worker",
        ]:
            total += sum(one.cpu_times()[:4])  # Also of children that have ended.
    return total
