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

import psutil

from tests import HOME, live_parts
from tests.live import free_port
from tools.bench import table
from tools.bench.table import line

RIVALS = {
    "sqlite": "Potato 1.6 (no database), doccano 9.8, Label Studio 27.2",
    "postgresql": "Potato 1.6 (no database), doccano 12.6, Label Studio 23.5",
}
REST = 5.0  # Seconds after which a start has loaded everything.


def measure(database: str, seconds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="paraanno-bench-"))
    port = free_port()
    environment = live_parts.clean_environment(
        PARAANNO_DATA_DIR=str(folder), PARAANNO_PORT=str(port)
    )
    variables, drop = ({}, _nothing) if database == "sqlite" else live_parts.new_empty_postgres()
    environment |= variables
    try:
        # An installation has its byte code.
        compiled = [sys.executable, "-m", "compileall", "-q", "paraanno", "annotation", "scoring"]
        subprocess.run(compiled, cwd=HOME, check=True)
        empty = start({**environment, "PARAANNO_DEMO": "false"}, port)
        table.KEPT["start", database] = empty.page
        line(
            "(e) first start, empty, to a page", empty.page, "s", goal=2.6, rivals=RIVALS[database]
        )
        line("    to a live worker", empty.worker, "s", goal=4)
        line("    memory at rest, PSS of all processes", empty.memory, "MB", goal=300)
        second = start({**environment, "PARAANNO_DEMO": "false"}, port)
        line("(e) second start to a page", second.page, "s", goal=2)
    finally:
        shutil.rmtree(folder)
        drop()


def _nothing() -> None:
    """SQLite's file goes with the folder."""


@dataclass(frozen=True)
class Start:
    """Seconds to the first login page and to a live worker, and MB at rest after that."""

    page: float
    worker: float
    memory: float


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
        worker = until("/healthz", lambda answer: json.loads(answer)["worker"]["ok"])
        time.sleep(REST)
        running = psutil.Process(process.pid)
        processes = [running, *running.children(recursive=True)]
        return Start(page, worker, sum(one.memory_full_info().pss for one in processes) / 2**20)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)
