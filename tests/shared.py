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
# Locks, statements of our own, and errors that end a transaction on PostgreSQL alone: the tests of
# a module that has one run there too, tests of transactions do, and these.
OWN_SQL = re.compile(
    r"select_for_update|skip_locked|RawSQL|\.raw\(|\.cursor\(|update_conflicts|ignore_conflicts"
    r"|connection\.vendor|pg_advisory|IntegrityError|OperationalError"
)
# Tests of modules with such statements; test_rounds.py says which module lacks one.
OF_OWN_SQL = (
    "tests/annotation/selectors/people/test_sessions.py",
    "tests/annotation/services/accounts/test_addresses.py",
    "tests/annotation/services/accounts/test_erasure.py",
    "tests/annotation/services/accounts/test_outside.py",
    "tests/annotation/services/accounts/test_second_factor.py",
    "tests/annotation/services/accounts/test_tokens.py",
    "tests/annotation/services/accounts/test_users.py",
    "tests/annotation/services/board/test_alarms.py",
    "tests/annotation/services/campaigns/test_away.py",
    "tests/annotation/services/campaigns/test_campaigns.py",
    "tests/annotation/services/campaigns/test_pilot_judgments.py",
    "tests/annotation/services/campaigns/test_pilots.py",
    "tests/annotation/services/campaigns/test_scales.py",
    "tests/annotation/services/campaigns/test_template_apply.py",
    "tests/annotation/services/campaigns/test_templates.py",
    "tests/annotation/services/collecting/test_annotators_per_sheet.py",
    "tests/annotation/services/collecting/test_at_once.py",
    "tests/annotation/services/collecting/test_claiming.py",
    "tests/annotation/services/collecting/test_next_at_once.py",
    "tests/annotation/services/collecting/test_opening.py",
    "tests/annotation/services/collecting/test_remarks.py",
    "tests/annotation/services/collecting/test_repeats.py",
    "tests/annotation/services/collecting/test_saving.py",
    "tests/annotation/services/collecting/test_slots.py",
    "tests/annotation/services/collecting/test_written.py",
    "tests/annotation/services/importing/test_gold.py",
    "tests/annotation/services/importing/test_items.py",
    "tests/annotation/services/importing/test_judgments.py",
    "tests/annotation/services/importing/test_large.py",
    "tests/annotation/services/importing/test_large_items.py",
    "tests/annotation/services/importing/test_take_back.py",
    "tests/annotation/services/importing/test_whole.py",
    "tests/annotation/services/importing/test_write.py",
    "tests/annotation/services/people/test_background.py",
    "tests/annotation/services/people/test_consent.py",
    "tests/annotation/services/people/test_creators.py",
    "tests/annotation/services/people/test_entering.py",
    "tests/annotation/services/people/test_exclusions.py",
    "tests/annotation/services/people/test_inviting.py",
    "tests/annotation/services/people/test_lists.py",
    "tests/annotation/services/people/test_membership.py",
    "tests/annotation/services/people/test_panels.py",
    "tests/annotation/services/people/test_parts.py",
    "tests/annotation/services/people/test_platform_events.py",
    "tests/annotation/services/people/test_quotas.py",
    "tests/annotation/services/people/test_reminders.py",
    "tests/annotation/services/quality/test_actions.py",
    "tests/annotation/services/quality/test_copies.py",
    "tests/annotation/services/quality/test_practice.py",
    "tests/annotation/services/quality/test_rules.py",
    "tests/annotation/services/test_bulk.py",
    "tests/annotation/services/test_transactions.py",
    "tests/paraanno/answers/test_disk_probe.py",
    "tests/paraanno/answers/test_unavailable.py",
    "tests/paraanno/running/test_prepare.py",
    "tests/paraanno/running/test_schema.py",
    "tests/paraanno/sight/test_gauges.py",
    "tests/paraanno/test_clock.py",
    "tests/paraanno/test_health.py",
    "tests/scoring/selectors/test_disk.py",
    "tests/scoring/services/builds/test_own_texts.py",
    "tests/scoring/services/builds/test_start.py",
    "tests/scoring/services/resources/test_add.py",
    "tests/scoring/services/resources/test_move.py",
    "tests/scoring/services/runs/test_imports.py",
    "tests/scoring/services/runs/test_start.py",
    "tests/scoring/services/runs/test_claim.py",
    "tests/scoring/services/runs/test_update.py",
    "tests/scoring/services/workers/test_notify.py",
)
ON_POSTGRES = (
    "tests/annotation/selectors/collecting",  # claims, whose plans are looked at
    "tests/annotation/services/collecting/test_state_machine.py",  # a little of all
    "tests/annotation/services/letters",  # taken by a compare-and-set
    "tests/paraanno/backups",
    "tests/paraanno/jobs",
    "tests/scoring/selectors/exports",  # cursors on the server
    "tests/scoring/selectors/ratings/test_tables.py",
    "tests/scoring/services/archives",
    "tests/scoring/views/test_work.py",  # its number of queries
    "tests/scoring/shared_tasks/selectors",
    "tests/scoring/shared_tasks/services",
    "tests/scoring/shared_tasks/test_readers.py",
    "tests/scoring/shared_tasks/test_services.py",
    "tests/site/permissions",  # every page and route, as an administrator
)


# What `make test` leaves out stands in files with one of these words (`kind_of` in conftest.py).
LEFT_OUT = re.compile(
    r"mark\.(?:slow|browser|service|postgres)|neural_is_here|live_site|own_redis|shared_(?:demo|site)"
)


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
    Path(os.environ[VARIABLE], name).write_text(text, encoding="utf-8")


def noted(name):
    path = Path(os.environ[VARIABLE], name)
    return path.read_text(encoding="utf-8") if path.exists() else None
