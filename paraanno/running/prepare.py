"""Preparation before the first request: tables, demo, static files. Quick if nothing changed."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def prepare(*, demo: bool) -> None:
    """Bring tables and static files up to date; with `demo`, load it into an empty database."""
    pending = settings.DATA_DIR / "demo_pending"
    if demo and not connection.introspection.table_names():
        pending.touch()  # Removed when the demo is complete: a start after a crash continues it.
    # Static files need no database, so they are collected while the demo hashes passwords.
    with ThreadPoolExecutor(max_workers=1) as aside:
        collected = aside.submit(collect_static)
        migrate()
        if demo and pending.exists():
            call_command("load_demo", stdout=io.StringIO())  # The start shows the logins itself.
            pending.unlink()
        collected.result()
    connection.close()


def migrate() -> bool:
    """Apply missing migrations; return True if there were any."""
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return False
    call_command("migrate", interactive=False, verbosity=0)
    return True


def collect_static() -> bool:
    """Collect the static files if one of them changed since the last time; return True if so."""
    mark: Path = settings.DATA_DIR / "static.sha256"
    wanted = _static_fingerprint()
    if mark.exists() and mark.read_text(encoding="ascii") == wanted:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    mark.write_text(wanted, encoding="ascii")
    return True


def _static_fingerprint() -> str:
    """Hash names, sizes and times of all static files, and the folder they are collected in."""
    digest = hashlib.sha256(str(settings.STATIC_ROOT).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
