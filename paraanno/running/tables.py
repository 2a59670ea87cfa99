"""Tables: those of an empty database at once, and those of a version that is too old for this one.

Migrations change models step by step, which takes seconds; a new database needs where they end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

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
