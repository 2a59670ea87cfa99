"""All tables at once: the same as by migrations, or not at all."""

import sqlite3
from contextlib import closing

import pytest

from paraanno.running import schema
from tools import write_schema


@pytest.mark.parametrize("name", ["sqlite", "postgresql"])
def test_the_files_are_of_todays_migrations(name):
    head = (schema.FOLDER / f"{name}.sql").read_text("utf-8").partition("\n")[0]
    assert head == schema.HEAD + schema.fingerprint(), "run `make schema`"


@pytest.mark.nightly
@pytest.mark.parametrize(
    "dump",
    [write_schema.sqlite, pytest.param(write_schema.postgresql, marks=pytest.mark.postgres)],
)
def test_tables_and_rows_are_those_of_migrations(dump):
    assert dump(("-c", write_schema.LOAD)) == dump(write_schema.MIGRATE)


@pytest.mark.slow
def test_a_start_takes_the_files_and_a_changed_migration_forbids_it(fresh, tmp_path):
    code = """
import django; django.setup()
from paraanno.running import schema
from django.db import connection
{before}
print(schema.load_schema(), schema.load_schema(), len(connection.introspection.table_names()))
"""
    changed = code.format(before="schema.fingerprint = lambda: 'of other migrations'")
    assert fresh("-c", changed).split() == ["False", "False", "0"]
    broken = code.format(
        before=f"""
from pathlib import Path
text = (schema.FOLDER / "sqlite.sql").read_text()
schema.FOLDER = Path({str(tmp_path)!r})
(schema.FOLDER / "sqlite.sql").write_text(text + "CREATE TABLE torn (;\\n")
try:
    schema.load_schema()
except Exception as error:
    print(type(error).__name__)
schema.FOLDER = Path(schema.__file__).parents[1] / "schema"
"""
    )
    said = fresh("-c", broken).split()
    # What was torn left nothing behind, so the whole could be made; and then no second time.
    assert said[:3] == ["OperationalError", "True", "False"]
    with closing(sqlite3.connect(tmp_path / "paraanno.sqlite3")) as database:
        [(days,)] = database.execute("SELECT count(DISTINCT applied) FROM django_migrations")
        [(year,)] = database.execute("SELECT min(applied) FROM django_migrations")
    assert days == 1 and year > "2026"
