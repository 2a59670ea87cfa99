"""Databases and brokers of their own for live sites."""

import functools
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from paraanno.env import prepare_data_dir
from paraanno.running.supervision import HEAVY_QUEUES
from tests import HOME, needs, shared

# As a start makes them, which takes less than migrating does.
TABLES = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "paraanno.settings"
import django
django.setup()
from paraanno.running.prepare import migrate
migrate()
"""


def run_python(environment, *arguments):
    """What `python ARGUMENTS` prints, as a process of its own; its errors are shown on failure."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=HOME,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def clean_environment(**variables):
    """Nothing of this process but the path and the home, so that tests start like a stranger."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, **variables}


@functools.cache
def prepared():
    """A data folder with tables and static files."""

    def make(folder):
        environment = clean_environment(PARAANNO_DATA_DIR=str(folder))
        run_python(environment, "-m", "paraanno.running.start", "--prepare-only")

    return shared.made_once("prepared", make)


def new_data_dir():
    """A data folder with static files, which all these folders share."""
    folder = Path(tempfile.mkdtemp(prefix="paraanno-live-"))
    (folder / "static").symlink_to(prepared() / "static")
    return prepare_data_dir(folder)


def new_sqlite(data_dir):
    """A migrated SQLite file in the data folder."""
    shutil.copy(prepared() / "paraanno.sqlite3", data_dir)
    return {}, lambda: None


@functools.cache
def _demo():
    """A data folder with the demo."""

    def make(folder):
        new_sqlite(folder)
        run_python(clean_environment(PARAANNO_DATA_DIR=str(folder)), "manage.py", "load_demo")

    return shared.made_once("demo", make)


def load_demo(data_dir):
    """The demo and its logins, in place of the SQLite file of a site that has not started."""
    for name in ("paraanno.sqlite3", "demo_logins.txt"):
        shutil.copy(_demo() / name, data_dir)


@functools.cache
def _migrated_postgres():
    """The name of a PostgreSQL database with all tables."""

    def make(folder):
        _drop_those_of_killed_runs()
        name = shared.database_name()
        (folder / "name").write_text(name)
        _postgres(f"CREATE DATABASE {name}")
        environment = clean_environment(
            PARAANNO_DATA_DIR=str(folder), DATABASE_URL=postgres_url(name)
        )
        run_python(environment, "-c", TABLES)

    return (shared.made_once("postgres", make) / "name").read_text()


def _drop_those_of_killed_runs():
    """Their folders may be gone, as memory is after a restart."""
    start = shared.database_prefix("")[:-1]
    for process in {name.removeprefix(start).partition("_")[0] for name in databases(start)}:
        if shared.is_over(process):
            drop_databases(process)


def drop_databases(process):
    """Those of the run that the process began."""
    for name in databases(shared.database_prefix(process)):
        _postgres(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def databases(start):
    names = _postgres("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", start)
    return [str(name) for (name,) in names]


def new_postgres():
    """A migrated PostgreSQL database; it is dropped at the end."""
    return new_empty_postgres(template=_migrated_postgres())


def new_empty_postgres(template="template1"):
    """A PostgreSQL database without tables, or a copy of `template`."""
    name = shared.database_name()
    _postgres(f"CREATE DATABASE {name} TEMPLATE {template}")
    # It need not outlive a power cut; no test cuts the power.
    _postgres(f"ALTER DATABASE {name} SET synchronous_commit TO off")
    drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
    return {"DATABASE_URL": postgres_url(name)}, lambda: _postgres(drop)


def postgres_url(name):
    return urlunsplit(urlsplit(needs.POSTGRES)._replace(path=f"/{name}"))


def _postgres(statement, *values):
    import psycopg

    with psycopg.connect(needs.POSTGRES, autocommit=True) as connection:
        done = connection.execute(statement, values or None)
        return done.fetchall() if done.description else []


def new_redis():
    """An empty database of the Redis server, marked as taken and emptied at the end."""
    import redis

    base = needs.REDIS.rstrip("/")
    for number in range(1, 16):
        client = redis.Redis.from_url(f"{base}/{number}")
        owner = client.get("paraanno-tests")
        if owner is not None and shared.is_over(owner.decode()):
            client.flushdb()
        if client.dbsize() == 0 and client.setnx("paraanno-tests", str(os.getpid())):

            def undo(client=client):
                client.flushdb()
                client.close()

            return {"BROKER_URL": f"{base}/{number}"}, undo
        client.close()
    raise RuntimeError(f"All databases of {base} are in use.")


def new_rabbitmq():
    """A queue of its own on the RabbitMQ server, deleted at the end."""
    queue = f"paraanno-tests-{secrets.token_hex(6)}"
    with Path(os.environ[shared.VARIABLE], "queues").open("a") as names:
        names.write(f"{queue}\n")
    return {"BROKER_URL": needs.RABBITMQ, "PARAANNO_QUEUE": queue}, lambda: delete_queues([queue])


def delete_queues(names):
    from kombu import Connection

    with Connection(needs.RABBITMQ) as connection, connection.channel() as channel:
        for queue in names:
            for name in (queue, *(f"{queue}.{one}" for one in HEAVY_QUEUES)):
                channel.queue_delete(name)
                channel.exchange_delete(name)
