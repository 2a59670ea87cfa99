"""Preparation before the first request: tables, demo, static files. Quick if nothing changed."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from filelock import FileLock

from annotation.database import web_host_seen
from paraanno.apps import register_all

RESTORING = "restoring"  # in the data folder, while a backup takes the site's place
# Static files of others that no page names: half of all, and a third of the time.
UNUSED = ["rest_framework/*", "drf_spectacular_sidecar/redoc/*", "django_htmx/ext/*"]
LOCK = 0x70617261  # "para": any number that no other program on this database uses


def prepare(*, demo: bool) -> None:
    """Bring tables and static files up to date; with `demo`, load it into an empty database.

    Raises ImproperlyConfigured where a backup was put back in part, or tables are too old.
    """
    if (settings.DATA_DIR / RESTORING).exists():
        raise ImproperlyConfigured(
            "a backup was put in the place of this site, and that was cut off: run "
            "`manage.py restore_backup` once more."
        )
    pending = settings.DATA_DIR / "demo_pending"
    # Static files need no database, so they are collected while the demo hashes passwords.
    with ThreadPoolExecutor(max_workers=1) as aside:
        collected = aside.submit(collect_static)
        with one_host_at_a_time():
            if demo and not connection.introspection.table_names():
                pending.touch()  # Until the demo is complete: a start after a crash continues it.
            migrate()
            web_host_seen()  # Workers compare their data folder with this one.
            if demo and pending.exists():
                register_all()
                call_command(
                    "load_demo", runs=True, stdout=io.StringIO()
                )  # The start shows the logins.
                pending.unlink()
        collected.result()
    connection.close()


@contextmanager
def one_host_at_a_time() -> Iterator[None]:
    """Let starts on several hosts, of one database, wait for each other.

    On PostgreSQL the lock belongs to a transaction of a connection of its own, so that a pool which
    shares connections between transactions keeps it, and it goes if this process dies.
    """
    if connection.vendor != "postgresql":
        with FileLock(f"{connection.settings_dict['NAME']}.start.lock"):
            yield
        return
    guard = connection.copy()
    try:
        with transaction_of(guard) as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            yield
    finally:
        guard.close()


@contextmanager
def transaction_of(guard: BaseDatabaseWrapper) -> Iterator[CursorWrapper]:
    """A transaction of a connection that Django does not know."""
    guard.set_autocommit(False)
    try:
        with guard.cursor() as cursor:
            yield cursor
    finally:
        guard.rollback()


def migrate() -> bool:
    """Bring the tables up to date; return True if that changed anything.

    Raises ImproperlyConfigured for tables that are too old for this version.
    """
    if tables_make():
        return True
    older_database_refuse()
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        executor.check_replacements()
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def collect_static() -> bool:
    """Collect the static files if one of them changed since the last time; return True if so.

    Those of PARAANNO_STATIC_DIR came with the image; raises ImproperlyConfigured if they did not.
    """
    if settings.STATIC_BUILT:
        if not (settings.STATIC_ROOT / "staticfiles.json").exists():
            raise ImproperlyConfigured(
                f"PARAANNO_STATIC_DIR is {settings.STATIC_BUILT!r}, where no static files are: run "
                "`manage.py collectstatic`, or leave it unset."
            )
        return False
    # Beside the folder itself: starts that share it would take each other's files away.
    root = settings.STATIC_ROOT.resolve()
    mark: Path = root.with_name("static.sha256")
    wanted = _static_fingerprint(root)
    with FileLock(root.with_name("static.lock")):
        if mark.exists() and mark.read_text(encoding="ascii") == wanted:
            return False
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED)
        mark.write_text(wanted, encoding="ascii")
    return True


def _static_fingerprint(root: Path) -> str:
    """Hash names, sizes and times of all static files, and the folder they are collected in."""
    digest = hashlib.sha256(str(root).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


# Tables: those of an empty database at once, and those of a version that is too old for this one.
# Migrations change models step by step, which takes seconds; a new database needs where they end.


TOO_OLD = (
    "these tables are of an older version (of {app} they lack {name}): install the last version "
    "with its migrations, start it once, and then this one (docs/operations.md, Upgrade)."
)


def tables_make() -> bool:
    """Make all tables of an empty database, as migrations would; return False if it has tables.

    All or nothing: one transaction. What listens to the end of migrations then adds its rows.
    """
    if connection.introspection.table_names():
        return False
    loader = MigrationLoader(None)
    replaced = {name for squashed in loader.replacements.values() for name in squashed.replaces}
    row: Any = MigrationRecorder.Migration
    models = [one for one in apps.get_models() if one._meta.managed and not one._meta.proxy]
    with connection.schema_editor() as editor:
        for model in (row, *models):
            editor.create_model(model)
        names = sorted(replaced.union(loader.disk_migrations))
        row.objects.bulk_create(row(app=app, name=name) for app, name in names)
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    return True


def older_refuse(applied: Iterable[tuple[str, str]]) -> None:
    """Raise ImproperlyConfigured if some of the migrations that were squashed are missing: what
    they did can be done no more."""
    present = set(applied)
    for squashed in MigrationLoader(None).replacements.values():
        missing = [name for name in squashed.replaces if name not in present]
        if missing and len(missing) < len(squashed.replaces):
            app, name = missing[-1]
            raise ImproperlyConfigured(TOO_OLD.format(app=app, name=name))


def older_database_refuse() -> None:
    """The same, of the database in use."""
    older_refuse(MigrationRecorder(connection).applied_migrations())
