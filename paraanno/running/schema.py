"""All tables of an empty database at once, from files that `make schema` writes.

Migrations change models step by step, which takes seconds; the statements that they end in take
hundredths of one. The files hold for exactly the migrations that they were written from.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.apps import apps
from django.db import connection, transaction

FOLDER = Path(__file__).resolve().parent.parent / "schema"
HEAD = "-- Written by `make schema` for migrations "


def fingerprint() -> str:
    """Hash all migrations of all applications, Django's own too."""
    digest = hashlib.sha256()
    for app in sorted(apps.get_app_configs(), key=lambda one: one.label):
        folder = Path(app.path, "migrations")
        for file in sorted(folder.glob("[!_]*.py")):
            digest.update(f"{app.label} {file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def load_schema() -> bool:
    """Make all tables of an empty database, with what migrations put into them.

    Return False, with nothing done, if there are tables already, or if the files were written for
    other migrations than those that are here. All or nothing: one transaction.
    """
    file = FOLDER / f"{connection.vendor}.sql"
    if connection.introspection.table_names() or not file.exists():
        return False
    head, _, statements = file.read_text(encoding="utf-8").partition("\n")
    if head != HEAD + fingerprint():
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in statements.split(";\n"):
                cursor.execute(statement)
        else:
            cursor.execute(statements)
        cursor.execute("UPDATE django_migrations SET applied = CURRENT_TIMESTAMP")
    return True
