"""Writes `paraanno/schema`, which an empty database gets at once: `make schema`.

Needs PostgreSQL and its `pg_dump`. Everything in the files comes from migrated databases.
"""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import needs, shared
from tests.live_parts import clean_environment, new_empty_postgres, run_python

# The day of each migration is that of the start, and not of the file.
NO_DAY = "UPDATE django_migrations SET applied = '2000-01-01 00:00:00+00'"
# Settings of the session, and commands of psql: neither belongs to the tables.
NOT_SCHEMA = re.compile(r"^(SET .*;|SELECT pg_catalog\.set_config\(.*;|--.*|\\.*)\n", re.MULTILINE)
MIGRATE = ("manage.py", "migrate", "--verbosity", "0")
LOAD = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "paraanno.settings"
import django
django.setup()
from paraanno.running.schema import load_schema
assert load_schema()
"""


def sqlite(make):
    """The statements of a SQLite file that this Python command made."""
    with tempfile.TemporaryDirectory() as folder:
        run_python(clean_environment(PARAANNO_DATA_DIR=folder), *make)
        database = sqlite3.connect(Path(folder, "paraanno.sqlite3"))
        database.execute(NO_DAY)
        lines = list(database.iterdump())[1:-1]  # Without BEGIN and COMMIT.
        database.close()
    # Rows name tables that come after theirs.
    lines.sort(key=lambda line: not line.startswith("CREATE TABLE"))
    return "\n".join(lines) + "\n"


def postgresql(make):
    """The statements of a PostgreSQL database that this Python command made, for any schema.

    Dumped twice: what PostgreSQL writes of a list in a check, it reads as another expression of the
    same meaning, which it then keeps.
    """

    def migrated(variables):
        with tempfile.TemporaryDirectory() as folder:
            run_python(clean_environment(PARAANNO_DATA_DIR=folder, **variables), *make)

    first = _dumped(migrated)
    return _dumped(lambda variables: _execute(variables["DATABASE_URL"], first))


def _dumped(fill):
    variables, drop = new_empty_postgres()
    url = variables["DATABASE_URL"]
    options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100"]
    try:
        fill(variables)
        _execute(url, NO_DAY)
        dumped = subprocess.run(
            ["pg_dump", *options, url], check=True, capture_output=True, text=True
        ).stdout
    finally:
        drop()
    text = NOT_SCHEMA.sub("", dumped).replace("public.", "")
    return re.sub(r"\n{2,}", "\n", text).lstrip("\n")


def _execute(url, statements):
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute(statements)


def main():
    reason = needs.missing("postgres")
    if reason is not None:
        print(f"FAILED: {reason}")
        return 1
    shared.begin()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "paraanno.settings")
    import django

    django.setup()
    from paraanno.running.schema import FOLDER, HEAD, fingerprint

    for dump in (sqlite, postgresql):
        text = f"{HEAD}{fingerprint()}\n{dump(MIGRATE)}"
        (FOLDER / f"{dump.__name__}.sql").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
