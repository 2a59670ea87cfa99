"""What is made once in a run of tests, by the process that needs it first, for all of them."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests import HOME

VARIABLE = "PARAANNO_TEST_SHARED"
# Databases, queues and files of sites are synced to disk all the time, and none outlives its test.
IN_MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30
PURE = (
    "tests/annotation/exporters",
    "tests/annotation/importers",
    "tests/scoring/archives",
    "tests/scoring/figures",
    "tests/scoring/publishing",
    "tests/scoring/stats",
)
# What people and programs meet: it asks the database through selectors and services alone (a rule
# of the architecture), which have tests of their own. `make test-postgres` tries it on PostgreSQL.
SURFACES = (
    "tests/annotation/api",
    "tests/annotation/forms",
    "tests/annotation/management",
    "tests/annotation/presenters",
    "tests/annotation/views",
    "tests/scoring/api",
    "tests/scoring/forms",
    "tests/scoring/management",
    "tests/scoring/on_files",
    "tests/scoring/presenters",
    "tests/scoring/shared_tasks/test_commands.py",
    "tests/scoring/shared_tasks/test_leaks.py",
    "tests/scoring/shared_tasks/test_pages.py",
    "tests/scoring/views",
    "tests/site/test_access.py",
)


def in_memory() -> None:
    """Have temporary files in memory, if there is room."""
    free = shutil.disk_usage(IN_MEMORY).free if IN_MEMORY.is_dir() else 0
    if "TMPDIR" not in os.environ and free > ROOM:
        os.environ["TMPDIR"] = str(IN_MEMORY)


def begin() -> None:
    """Name a folder for it, unless the process that started this one has."""
    if VARIABLE not in os.environ:
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="paraanno-shared-")
        atexit.register(_end, Path(os.environ[VARIABLE]), os.getpid())


def _end(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # And no child that was forked.
        from tests import live_parts

        live_parts.drop_template(folder)
        shutil.rmtree(folder, ignore_errors=True)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder, which `make` fills; the others wait for it."""
    begin()
    base = Path(os.environ[VARIABLE])
    folder, made = base / name, base / f"{name}.made"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)  # Half of one, of a process that was killed.
            folder.mkdir()
            make(folder)
            made.touch()
    return folder


def files_with(mark: str, folder: str = "tests") -> list[str]:
    """The files of tests that have the mark, as pytest names them."""
    files = sorted((HOME / folder).rglob("test_*.py"))
    return [str(one.relative_to(HOME)) for one in files if mark in one.read_text("utf-8")]


def repeated() -> set[str]:
    """The tests that `tests/statements.py` found to ask PostgreSQL nothing that others do not."""
    return set((HOME / "tests" / "repeated.txt").read_text("utf-8").split())


def note_database() -> None:
    """A test of this run uses Django's database."""
    Path(os.environ[VARIABLE], "database").touch()


def uses_database() -> bool:
    return Path(os.environ[VARIABLE], "database").exists()
