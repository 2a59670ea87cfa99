"""Starting: from an installed empty state to the first page, and again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests import HOME, live_parts
from tests.bench.table import line
from tests.live import Database, free_port

RIVALS = {
    "sqlite": "Potato 1.6 (no database), doccano 9.8, Label Studio 27.2",
    "postgresql": "Potato 1.6 (no database), doccano 12.6, Label Studio 23.5",
}


def measure(database: Database, seconds: int) -> None:
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
        first = start(environment, port)
        line(
            "(e) first start, tables and demo, to a page", first, "s",
            goal=10, rivals=RIVALS[database],
        )  # fmt: skip
        line("(e) second start to a page", start(environment, port), "s")
    finally:
        shutil.rmtree(folder)
        drop()


def _nothing() -> None:
    """SQLite's file goes with the folder."""


def start(environment: dict[str, str], port: int) -> float:
    """Seconds to the first login page; the instance is stopped again."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "paraanno.running.start"],
        cwd=HOME, env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/") as page:
                    page.read()
                return time.perf_counter() - begin
            except OSError:
                if process.poll() is not None or time.perf_counter() - begin > 120:
                    raise
                time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=30)
