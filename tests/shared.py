"""A run of tests: its folder, what is made once in it for all processes, and how it is cleared.

Everything that a run writes stands below its folder, and its databases have its name, so that they
can be taken away whole, also by the next run where this one was killed.
"""

import atexit
import fcntl
import functools
import os
import re
import shutil
import socket
import tempfile
import zlib
from pathlib import Path

import psutil

from tests import HOME

VARIABLE = "PARAANNO_TEST_SHARED"
HOST = f"{zlib.crc32(socket.gethostname().encode()):08x}"
# In memory, where there is room: databases, queues and files of sites are synced all the time.
IN_MEMORY, ROOM = Path("/dev/shm"), 4 * 2**30
PURE = (
    "tests/annotation/exporters",
    "tests/annotation/importers",
    "tests/scoring/archives",
    "tests/scoring/figures",
    "tests/scoring/publishing",
    "tests/scoring/stats",
)
# Locks, statements of our own, and errors that end a transaction on PostgreSQL alone: a room of
# tests of each module that has one runs there too, tests of transactions do, and these.
OWN_SQL = re.compile(
    r"select_for_update|lock_row|skip_locked|RawSQL|\.raw\(|\.cursor\(|update_conflicts|ignore_conflicts"
    r"|connection\.vendor|pg_advisory|IntegrityError|OperationalError"
)
# Tests of modules with such statements, one room for each, and all that collects judgments;
# test_rounds.py says which module lacks one. All others run there with `make nightly`.
OF_OWN_SQL = (
    "tests/annotation/selectors/board/test_board.py",
    "tests/annotation/selectors/people/test_sessions.py",
    "tests/annotation/services/accounts/test_erasure.py",
    "tests/annotation/services/accounts/test_outside.py",
    "tests/annotation/services/accounts/test_tokens.py",
    "tests/annotation/services/accounts/test_users.py",
    "tests/annotation/services/board/test_alarms.py",
    "tests/annotation/services/campaigns/test_pilots.py",
    "tests/annotation/services/campaigns/test_template_apply.py",
    "tests/annotation/services/collecting/test_at_once.py",
    "tests/annotation/services/collecting/test_claiming.py",
    "tests/annotation/services/collecting/test_opening.py",
    "tests/annotation/services/collecting/test_repeats.py",
    "tests/annotation/services/collecting/test_saving.py",
    "tests/annotation/services/importing/test_items.py",
    "tests/annotation/services/importing/test_large.py",
    "tests/annotation/services/importing/test_take_back.py",
    "tests/annotation/services/importing/test_whole.py",
    "tests/annotation/services/people/test_consent.py",
    "tests/annotation/services/people/test_entering.py",
    "tests/annotation/services/people/test_lists.py",
    "tests/annotation/services/people/test_membership.py",
    "tests/annotation/services/people/test_parts.py",
    "tests/annotation/services/test_database.py",
    "tests/paraanno/answers/test_disk_probe.py",
    "tests/paraanno/answers/test_unavailable.py",
    "tests/paraanno/running/test_prepare.py",
    "tests/paraanno/running/test_tables.py",
    "tests/paraanno/sight/test_gauges.py",
    "tests/paraanno/test_clock.py",
    "tests/paraanno/test_health.py",
    "tests/scoring/selectors/test_disk.py",
    "tests/scoring/services/resources/test_move.py",
    "tests/scoring/services/runs/test_claim.py",
    "tests/scoring/services/runs/test_imports.py",
    "tests/scoring/services/workers/test_notify.py",
)
ON_POSTGRES = (
    "tests/annotation/selectors/collecting",  # claims, whose plans are looked at
    "tests/annotation/services/collecting/test_state_machine.py",  # a little of all
    "tests/annotation/services/letters/test_sending.py",  # taken by a compare-and-set
    "tests/paraanno/backups",
    "tests/paraanno/jobs",
    "tests/scoring/selectors/exports/test_table.py",  # cursors on the server
    "tests/scoring/selectors/exports/test_rows.py",
    "tests/scoring/selectors/ratings/test_tables.py",
    "tests/scoring/services/archives",
    "tests/scoring/views/test_work.py",  # its number of queries
    "tests/scoring/shared_tasks/selectors",
    "tests/scoring/shared_tasks/services",
    "tests/scoring/shared_tasks/test_services.py",
    "tests/site/permissions",  # every page and route, as an administrator
)


# Floors whose tests use the database without a mark, but for those of real servers, which have one
# of their own.
ON_ROWS = tuple(
    f"tests/{app}/{floor}/"
    for app in ("annotation", "scoring")
    for floor in ("api", "management", "selectors", "services", "shared_tasks", "views")
)
NO_ROWS = (
    "tests/scoring/selectors/archives/test_cells.py",
    "tests/scoring/views/runs/test_metric_words.py",
)
QUICK, REST = "not slow and not nightly", "slow and not nightly"
# What `make test` leaves out stands in files with one of these words (`kind_of` in conftest.py).
LEFT_OUT = re.compile(
    r"mark\.(?:slow|browser|service|postgres)|neural_is_here|live_site|own_redis|shared_(?:demo|site)"
)


def on_rows(nodeid):
    return nodeid.startswith(ON_ROWS) and not nodeid.startswith(NO_ROWS)


@functools.cache
def beside_mutants():
    """The files about rows that no mutant names: `make test` leaves them out. Most of what a test
    with rows takes goes into rows, and those that mutants name are known to judge."""
    from tests.mutants.every import RULES

    named = {file for mutants in RULES.values() for one in mutants for file in one.tests.split()}
    return frozenset(HOME / file for file in files_with("") if on_rows(file) and file not in named)


def left_out():
    """The files with tests that `make test` leaves out."""
    beside = {str(one.relative_to(HOME)) for one in beside_mutants()}
    return sorted({*files_with(LEFT_OUT), *beside})


def begin():
    """Make the folder of this run, unless the process that started this one has, and clear those
    of runs that were killed."""
    if VARIABLE in os.environ:
        return
    place = Path(tempfile.gettempdir())
    if "TMPDIR" not in os.environ and IN_MEMORY.is_dir():
        place = IN_MEMORY if shutil.disk_usage(IN_MEMORY).free > ROOM else place
    for folder in place.glob(f"paraanno-{HOST}-*"):
        if is_over(folder.name.rpartition("-")[2]):
            clear(folder)
    folder = place / f"paraanno-{HOST}-{os.getpid()}"
    folder.mkdir()
    os.environ |= {VARIABLE: str(folder), "TMPDIR": str(folder)}
    tempfile.tempdir = None  # It has been asked for.
    atexit.register(_end, folder, os.getpid())


def is_over(process):
    """Whether the process that began a run has ended."""
    return process.isdigit() and not psutil.pid_exists(int(process))


def _end(folder, owner):
    if os.getpid() == owner:  # And no child that was forked.
        clear(folder)


def clear(folder):
    """Take away what a run has left: processes first, which would write again."""
    left = [process for process in psutil.process_iter() if _belongs(process, str(folder))]
    for process in left:
        process.kill()
    psutil.wait_procs(left, timeout=10)
    databases, queues = folder / "databases", folder / "queues"
    if databases.exists() or queues.exists():
        from tests import live_parts

        if databases.exists():
            live_parts.drop_databases(folder.name.rpartition("-")[2])
        if queues.exists():
            live_parts.delete_queues(queues.read_text().split())
    shutil.rmtree(folder, ignore_errors=True)


def _belongs(process, folder):
    try:
        values = process.environ().values()
    except psutil.Error:
        return False
    return process.pid != os.getpid() and any(value.startswith(folder) for value in values)


def database_name():
    """A new name for a database of this run."""
    folder = Path(os.environ[VARIABLE])
    (folder / "databases").touch()
    return f"{database_prefix(folder.name.rpartition('-')[2])}{os.urandom(6).hex()}"


def database_prefix(process):
    return f"paraanno_test_{HOST}_{process}_"


def made_once(name, make):
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


def files_with(pattern, folder="tests"):
    """The files of tests in which the pattern is found, as pytest names them."""
    files = sorted((HOME / folder).rglob("test_*.py"))
    return [
        str(one.relative_to(HOME)) for one in files if re.search(pattern, one.read_text("utf-8"))
    ]


@functools.cache
def on_postgres():
    """Where the tests stand that run on PostgreSQL too, whatever they are marked with."""
    return (*ON_POSTGRES, *OF_OWN_SQL)


def with_own_sql():
    """The modules, but for models, which are tried by the services that write them."""
    for app in ("annotation", "paraanno", "scoring"):
        for path in sorted((HOME / app).rglob("*.py")):
            if not {"migrations", "models"} & set(path.parts) and OWN_SQL.search(
                path.read_text("utf-8")
            ):
                yield path.relative_to(HOME)


def there(path):
    """Whether it is a file, or a folder with tests; a clone has no empty ones."""
    return (HOME / path).is_file() or any((HOME / path).rglob("test_*.py"))


def note(name, text):
    """Something that the process which began the run reads at its end."""
    Path(os.environ[VARIABLE], name).write_text(text, "utf-8")


def noted(name):
    path = Path(os.environ[VARIABLE], name)
    return path.read_text("utf-8") if path.exists() else None
