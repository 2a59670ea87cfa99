"""All tables at once, as by migrations; and tables of earlier versions."""

import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from paraanno.backups.copies import (
    FILES,
    BackupFile,
    BackupManifest,
    BackupRefused,
    write_manifest,
)
from paraanno.backups.make import backup_restore
from paraanno.running import prepare
from tests.live_parts import TABLES, clean_environment, new_empty_postgres, run_python

AT_ONCE, STEPS = ("-c", TABLES), ("manage.py", "migrate", "--verbosity", "0")


ROWS = (
    ("django_migrations", "app, name"),
    ("django_content_type", "app_label, model"),
    ("auth_permission", "codename, name"),
)


def sqlite(program):
    with tempfile.TemporaryDirectory() as folder:
        run_python(clean_environment(PARAANNO_DATA_DIR=folder), *program)
        with closing(sqlite3.connect(f"{folder}/paraanno.sqlite3")) as database:
            tables = database.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            rows = [
                f"{one}"
                for table, names in ROWS
                for one in database.execute(f"SELECT {names} FROM {table}")
            ]
            return [one for (one,) in tables] + rows


def postgresql(program):
    variables, drop = new_empty_postgres()
    try:
        with tempfile.TemporaryDirectory() as folder:
            run_python(clean_environment(PARAANNO_DATA_DIR=folder, **variables), *program)
        dump = ["pg_dump", "--no-owner", "--schema-only", variables["DATABASE_URL"]]
        lines = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
    finally:
        drop()
    return [line for line in lines.splitlines() if not line.startswith("\\")]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "tables_of", [sqlite, pytest.param(postgresql, marks=pytest.mark.postgres)]
)
def test_tables_are_those_of_migrations(tables_of):
    at_once, steps = (tables_of(program) for program in (AT_ONCE, STEPS))
    assert len(at_once) > 300
    assert without_order(at_once) == without_order(steps)


def without_order(lines):
    """Columns may stand in another one; ids of Django's own tables of pairs are wider by
    migrations, which know no settings of its apps."""
    lines = (line.replace(" id integer", " id bigint") for line in lines)
    return sorted(sorted(re.findall(r"[^\s(),]+", line)) for line in lines)


@pytest.mark.slow
def test_tables_are_made_whole_or_not_at_all(fresh):
    code = """
import django; django.setup()
from django.db import connection
from paraanno.running import prepare
make = prepare.MigrationRecorder.Migration.objects.bulk_create
prepare.MigrationRecorder.Migration.objects.bulk_create = lambda rows: 1 / 0
try:
    prepare.tables_make()
except ZeroDivisionError:
    print(len(connection.introspection.table_names()))
prepare.MigrationRecorder.Migration.objects.bulk_create = make
print(prepare.tables_make(), prepare.tables_make())
"""
    assert fresh("-c", code).split() == ["0", "True", "False"]


def squashed():
    """The name of a squashed migration, and those that it replaces."""
    return next(iter(sorted(MigrationLoader(None).replacements.items())))


@pytest.mark.django_db
def test_tables_of_the_last_release_are_taken_over():
    app, name = squashed()[0]
    rows = MigrationRecorder(connection).migration_qs
    rows.filter(app=app, name=name).delete()
    assert prepare.migrate() is False
    assert rows.filter(app=app, name=name).exists()


@pytest.mark.django_db
def test_older_tables_and_backups_are_refused_with_what_to_do(tmp_path):
    (app, name), migration = squashed()
    lost = migration.replaces[-1][1]
    MigrationRecorder(connection).migration_qs.filter(app=app, name__in=[name, lost]).delete()
    remedy = rf"of {app} they lack {lost}\): install the last version .*operations.md"
    with pytest.raises(ImproperlyConfigured, match=remedy):
        prepare.migrate()
    with pytest.raises(CommandError, match=remedy):
        call_command("migrate", interactive=False)
    older = BackupManifest(
        version="0",
        made_at="2026-03-01T03:00:00+00:00",
        database=connection.vendor,
        has_key=True,
        migrations=dict(migration.replaces[:1]),
        files={FILES[connection.vendor]: BackupFile(0, "")},
    )
    write_manifest(tmp_path, older)
    with pytest.raises(BackupRefused, match=remedy):
        backup_restore(tmp_path)
