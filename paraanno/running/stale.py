"""Find running server processes of this data folder, and end those that were left behind."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from paraanno.running.supervision import SUPERVISED, SUPERVISOR

STARTED_BY = "PARAANNO_STARTED_BY"
PATIENCE = 8.0


def marks(data_dir: Path) -> dict[str, str]:
    """Return variables that identify a supervisor and its processes: folder and starter."""
    starter = psutil.Process(os.getppid())
    return {
        SUPERVISED: str(data_dir),
        STARTED_BY: f"{starter.pid}:{starter.create_time():.0f}",
    }


def supervised(data_dir: Path) -> list[psutil.Process]:
    """Return the processes of this user that were started for `data_dir`.

    They are identified by their environment; processes whose environment cannot be read belong to
    somebody else.
    """
    processes = []
    for process in psutil.process_iter():
        try:
            mark = process.environ().get(SUPERVISED)
        except (psutil.Error, OSError):
            continue
        if mark == str(data_dir) and process.pid != os.getpid():
            processes.append(process)
    return processes


def running(processes: list[psutil.Process]) -> psutil.Process | None:
    """Return the supervisor whose starter is still alive: it was not left behind."""
    for process in processes:
        try:
            is_supervisor = SUPERVISOR in process.cmdline()
            pid, _, born = process.environ().get(STARTED_BY, "").partition(":")
            # Two seconds of tolerance: the kernel adjusts its clock of process starts now and then.
            lives = abs(psutil.Process(int(pid)).create_time() - float(born)) < 2
        except (psutil.Error, OSError, ValueError):
            continue
        if is_supervisor and lives:
            return process
    return None


def end(processes: list[psutil.Process]) -> None:
    """Ask all to end, and kill those that have not ended within `PATIENCE` seconds."""
    for process in processes:
        try:
            process.terminate()
        except psutil.NoSuchProcess:
            continue
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    for process in alive:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(alive, timeout=PATIENCE)
